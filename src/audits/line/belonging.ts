/** Rows that belong together though nobody said so: classifiers of one draw of a pool, checkpoints of one training. */

import type { AccuracyTable, ReadColumns } from "../../predictions/accuracies/column-table.ts";
import type { LineLayout } from "./layout.ts";
import { textGroups } from "./points.ts";

/** Columns that name a training or a draw, the first that is there; a seed does where steps of it are told apart. */
const names = ["draw", "run", "run_id", "model", "model_id"] as const;
const steps = ["step", "epoch", "checkpoint", "ckpt", "iteration"] as const;

/** The columns to look at, where rows are points and nobody asked for subgroups of them. */
export function clusterCandidates(
  { columns }: AccuracyTable,
  { kind }: LineLayout,
  taken: readonly string[],
): readonly string[] {
  if (kind !== "wide") return [];
  const found = (wanted: readonly string[]) =>
    columns.find((column) => wanted.includes(column.toLowerCase()) && !taken.includes(column));
  const named = names.map((name) => found([name])).find((column) => column !== undefined);
  if (named !== undefined) return [named];
  const seed = found(["seed"]);
  return seed !== undefined && found(steps) !== undefined ? [seed] : [];
}

/** Whether they repeat, so that there are fewer clusters than rows; with a remark that says so. */
export function belonging(
  candidates: readonly string[],
  columns: ReadColumns,
): { cluster: readonly string[]; remarks: string[] } {
  if (candidates.length === 0) return { cluster: [], remarks: [] };
  const clusters = textGroups(candidates, columns).sizes.length;
  if (clusters < 2 || clusters === columns.rows) return { cluster: [], remarks: [] };
  const rows = (count: number) => count.toLocaleString("en");
  return {
    cluster: candidates,
    remarks: [
      `rows with the same ${candidates.join(", ")} are taken to belong together: ${rows(columns.rows)} rows, ${rows(clusters)} clusters, which intervals draw whole; there are no p-values then. --no-cluster takes every row for itself`,
    ],
  };
}
