/** The results of a run as people read them. */

import { percentText } from "../core/words.ts";
import { textTable } from "../reports/text-table.ts";
import type { KeptResults, RunResults } from "../training/results.ts";

/** What a finished run says: its slices, their accuracies, where its files are. */
export function resultsPage(
  { accuracy, epoch, id, selection, also = [] }: RunResults,
  out: string,
  trained: boolean,
): string {
  const rows = accuracy.map((row) => [
    row.slice,
    row.distribution,
    row.count.toLocaleString("en"),
    percentText(row.accuracy),
    `${percentText(row.low)} – ${percentText(row.high)}`,
  ]);
  return [
    `${trained ? "finished" : "finished before"}: run ${id}, weights of epoch ${epoch}`,
    `chosen by: ${selection.rule}; labels that this took: ${selection.labels}`,
    "",
    rows.length === 0
      ? "nothing was measured: all images are training images"
      : textTable(["slice", "", "images", "accuracy", "95% over images"], rows),
    "",
    ...also.map((kept) => alsoKept(kept, accuracy)),
    ...(also.length > 0 ? [""] : []),
    `files in ${out}`,
  ].join("\n");
}

/** A further rule's epoch in one line: what it gives beside the model's. */
function alsoKept({ epoch, selection, files, accuracy }: KeptResults, main: RunResults["accuracy"]): string {
  const splits = accuracy.filter(({ slice }) => !slice.includes(","));
  const said = splits.map((row) => {
    const other = main.find(({ slice }) => slice === row.slice);
    return `${row.slice} ${percentText(row.accuracy)}${other ? ` (${percentText(other.accuracy)} above)` : ""}`;
  });
  return `also kept: epoch ${epoch}, by ${selection.rule}: ${said.join(", ")}; ${files.weights}`;
}
