/** The results of a run as people read them. */

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
    percent(row.accuracy),
    `${percent(row.low)} – ${percent(row.high)}`,
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
    return `${row.slice} ${percent(row.accuracy)}${other ? ` (${percent(other.accuracy)} above)` : ""}`;
  });
  return `also kept: epoch ${epoch}, by ${selection.rule}: ${said.join(", ")}; ${files.weights}`;
}

export function percent(share: number | null): string {
  return share === null ? "–" : `${(100 * share).toFixed(1)}%`;
}
