/** What was noticed while predictions were read, and what cannot be meant. */

import { CuelabError } from "../../core/errors.ts";
import { meantSplit } from "../../core/split-names.ts";
import { noValue } from "../../core/words.ts";
import { type ClassBook, someOf } from "../../predictions/codebook.ts";
import type { Books } from "../../predictions/coded-rows.ts";
import type { CountedTable, OpenedTable } from "./count-predictions.ts";

export function readingRemarks(
  opened: readonly OpenedTable[],
  counted: readonly CountedTable[],
  { classes, attributes, splits }: Books,
): string[] {
  return opened.flatMap(({ table, roles }, i) => {
    const { labelled, predicted, notes, empty, counter } = counted[i]!;
    const remarks = [...table.remarks];
    const strangers = [...predicted.keys()].filter((code) => predicted[code] && !labelled[code]);
    if (!classes.declared && strangers.length > 0) {
      if (predicted.every((count, code) => !count || strangers.includes(code))) {
        throw noCommonClass(table.path, roles, classes, strangers, labelled);
      }
      const rows = strangers.reduce((sum, code) => sum + predicted[code]!, 0);
      const some = someOf(
        strangers.map((code) => `"${classes.names[code]}"`),
        5,
      );
      remarks.push(
        `${table.path}: ${rows} predictions are classes that no row has (${some}) and count as wrong; --classes refuses them`,
      );
    }
    for (const [attribute, rows] of empty.entries()) {
      if (rows === 0 || attributes[attribute]!.overflowed) continue;
      const all = sumOf(labelled);
      remarks.push(
        `${table.path}: "${attributes[attribute]!.name}" has no value in ${rows} of ${all} rows; these make a value of their own, ${noValue}`,
      );
    }
    for (const [code, rows] of counter.splits()) {
      const meant = meantSplit(splits.values[code]!);
      if (meant === undefined) continue;
      remarks.push(
        `${table.path}: ${rows === 1 ? "1 row is" : `${rows} rows are`} of split "${splits.values[code]}"; did you mean "${meant}"? Its rows do not include ${rows === 1 ? "it" : "them"}`,
      );
    }
    if (notes.notLargest > 0) {
      remarks.push(
        `${table.path}: in ${notes.notLargest} rows the prediction is not the class with the largest score`,
      );
    }
    return remarks;
  });
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Names that never agree are two ways of naming, not a model that is always wrong. */
function noCommonClass(
  path: string,
  { label, prediction }: OpenedTable["roles"],
  classes: ClassBook,
  strangers: readonly number[],
  labelled: readonly number[],
): CuelabError {
  const names = (codes: readonly number[]) => someOf(codes.map((code) => classes.names[code]!));
  return new CuelabError({
    kind: "input",
    what: "no prediction is a class that occurs",
    where: `${path}, row ${classes.firstRowOf(strangers[0]!)}`,
    expected: `in column "${prediction}", classes as in column "${label}": ${names([...labelled.keys()].filter((code) => labelled[code]))}`,
    got: names(strangers),
  });
}
