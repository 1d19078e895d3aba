/** The results of a run as people read them. */

import type { RunResults } from "../protocol/results.ts";
import { textTable } from "./text-table.ts";

/** What a finished run says: its slices, their accuracies, where its files are. */
export function resultsPage(
  { accuracy, epoch, id, selection }: RunResults,
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
    textTable(["slice", "", "images", "accuracy", "95% interval"], rows),
    "",
    `files in ${out}`,
  ].join("\n");
}

export function percent(share: number | null): string {
  return share === null ? "–" : `${(100 * share).toFixed(1)}%`;
}
