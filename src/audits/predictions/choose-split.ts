/** Which rows of the tables are evaluated. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { splitName } from "../../core/split-names.ts";
import { allRows, type Books } from "../../predictions/coded-rows.ts";
import type { CountedTable, OpenedTable } from "./count-predictions.ts";

/** The split asked for; or the one that the file's name tells, `test`, or the only one beside training. */
export function chosenSplit(
  opened: readonly OpenedTable[],
  counted: readonly CountedTable[],
  { splits }: Books,
  asked: string | undefined,
): { name: string | null; code: number; all: Record<string, number> } {
  const [{ table }] = opened as [OpenedTable];
  const rows = counted[0]!.counter.splits();
  const all = Object.fromEntries(splits.values.map((name, code) => [name, rows.get(code) ?? 0]));
  const present = splits.values.filter((name) => (all[name] ?? 0) > 0);
  const others = present.filter((name) => name !== "train");
  const usual = table.suggested?.split ?? (present.includes("test") ? "test" : undefined);
  const named = asked === undefined ? undefined : (splitName(asked) ?? asked);
  const chosen = named ?? usual ?? (others.length === 1 ? others[0]! : undefined);
  const missing = counted.findIndex(({ counter }) => !counter.splits().has(splits.find(chosen ?? "") ?? -1));
  if (chosen === undefined || missing >= 0) {
    throw new CuelabError({
      kind: "input",
      what:
        chosen === undefined ? "it is not clear which split to evaluate" : `there is no split "${chosen}"`,
      where: opened[Math.max(0, missing)]!.table.path,
      got:
        present[0] === allRows
          ? "a table without a column of splits"
          : `splits ${present.map((name) => `${name} (${all[name]} rows)`).join(", ")}`,
      ...didYouMean(
        chosen ?? "",
        present,
        "choose one with --split, or name the column of splits with --split-column",
      ),
    });
  }
  return {
    name: chosen === allRows ? null : chosen,
    code: splits.find(chosen)!,
    all: chosen === allRows ? {} : all,
  };
}
