/** A pool's table as a question has it: one ID accuracy a point, and the accuracy of each set of images that is asked about. */

import { CuelabError } from "../core/errors.ts";
import { writeWhole } from "../disk/write-whole.ts";
import type { FoundPool } from "./make-pool.ts";
import { accuracyColumn, csvOf, drawColumn, type PoolRow } from "./pool-table.ts";

export interface JudgedImages {
  /** Of its column. */
  name: string;
  /** The environment or split that the images are in. */
  environment: string;
  /** Those alone that have one of these sets of values, of the class and of the pool's groups. */
  images?: readonly Readonly<Record<string, string>>[];
}

export const idColumn = "ID";

/** The ID accuracy is the mean of all environments that were trained on. */
export function judgedRows(pool: FoundPool, judged: readonly JudgedImages[]): PoolRow[] {
  const [fold] = pool.folds;
  const home = fold!.training.map((environment) => accuracyColumn(environment, "out"));
  const sets = judged.map((each) => ({ name: each.name, sets: setsOf(pool, each) }));
  return pool.rows.map((row) => ({
    ...Object.fromEntries(kept.map((name) => [name, row[name]!])),
    [idColumn]: home.reduce((sum, column) => sum + accuracyAt(row, column), 0) / home.length,
    ...Object.fromEntries(sets.map(({ name, sets }) => [name, meanOver(row, sets)])),
  }));
}

export async function writeJudgedTable(
  path: string,
  pool: FoundPool,
  judged: readonly JudgedImages[],
): Promise<void> {
  await writeWhole(path, csvOf(judgedRows(pool, judged)), { overwrite: true });
}

/** What tells points apart, and which belong together. */
const kept = ["classifier", drawColumn, "family", "features", "step"] as const;

interface WeighedColumn {
  column: string;
  images: number;
}

function setsOf({ plan, measured }: FoundPool, { name, environment, images }: JudgedImages): WeighedColumn[] {
  const position = plan.environments.findIndex((known) => known.name === environment);
  const there = measured.sets.filter((set) => set.environment === position && set.part === "out");
  const wanted = there.filter(({ group }) =>
    images === undefined
      ? group === undefined
      : group !== undefined &&
        images.some((values) => Object.entries(values).every(([key, value]) => group[key] === value)),
  );
  if (wanted.length > 0) return wanted.map(({ column, indices }) => ({ column, images: indices.length }));
  throw new CuelabError({
    kind: "input",
    what: `the pool has no images to judge "${name}" by`,
    where: environment,
    expected: images === undefined ? "such an environment" : JSON.stringify(images),
    got:
      there.map(({ column }) => column).join(", ") || plan.environments.map((known) => known.name).join(", "),
  });
}

/** Groups count by their images, so that it is the accuracy of all of them. */
function meanOver(row: PoolRow, sets: readonly WeighedColumn[]): number {
  const total = sets.reduce((sum, { images }) => sum + images, 0);
  return sets.reduce((sum, { column, images }) => sum + (accuracyAt(row, column) * images) / total, 0);
}

function accuracyAt(row: PoolRow, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new CuelabError({
    kind: "input",
    what: "a row of the pool's table has no accuracy of images that it is judged by",
    where: `classifier ${row.classifier}, step ${row.step}`,
    expected: `a number in column ${column}`,
    got: value === undefined || value === null ? "none" : value,
  });
}
