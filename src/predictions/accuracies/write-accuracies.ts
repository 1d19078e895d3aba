/** Accuracies that were counted from predictions, as a CSV file with a row a model. */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { csvLine } from "../../tables/csv-line.ts";
import type { AccuracyTable } from "./column-table.ts";

export async function writeAccuracies(
  accuracies: AccuracyTable,
  file: string,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  const { path, environments, columns } = accuracies;
  if (environments === undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "--write-accuracies is for predictions, and these are accuracies already",
      where: path,
    });
  }
  const counted = new Set(
    environments.flatMap(({ name, groups }) => [name, ...groups.map(({ column }) => column)]),
  );
  const texts = columns.filter((name) => !counted.has(name));
  const numbers = columns.filter((name) => counted.has(name));
  const table = await accuracies.read({ numbers, texts });
  const lines = Array.from({ length: table.rows }, (_, row) => {
    const words = texts.map((name) => {
      const { codes, values } = lookUp(table.texts, name);
      return values[codes[row]!]!;
    });
    const shares = numbers.map((name) => {
      const share = lookUp(table.numbers, name)[row]!;
      return Number.isNaN(share) ? "" : share;
    });
    return csvLine([...words, ...shares]);
  });
  await writeWhole(file, [csvLine([...texts, ...numbers]), ...lines].join(""), { overwrite });
}
