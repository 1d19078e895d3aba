/** Which baseline goes with which table: that of the same seed, where both say theirs. */

import { leavesOf } from "../../core/spec-differences.ts";
import type { OpenedTable } from "./count-predictions.ts";

/** In the order of the tables; as they were given where seeds are not known, and with a remark where they do not match. */
export function pairedBySeed(
  opened: readonly OpenedTable[],
  baselines: readonly OpenedTable[],
): { baselines: readonly OpenedTable[]; remarks: string[] } {
  const [ours, theirs] = [opened.map(seedOf), baselines.map(seedOf)];
  if (baselines.length < 2 || [...ours, ...theirs].includes(undefined)) return { baselines, remarks: [] };
  const matching = ours.map((seed) => baselines[theirs.indexOf(seed)]);
  if (new Set(matching).size === baselines.length && !matching.includes(undefined))
    return { baselines: matching.map((each) => each!), remarks: [] };
  const remark = `baselines are of other seeds (${theirs.join(", ")}) than the tables (${ours.join(", ")}): they are paired in the order given, and share no draw of data`;
  return { baselines, remarks: [remark] };
}

function seedOf({ table: { origin } }: OpenedTable): string | undefined {
  return origin && leavesOf(origin.spec).get("seed");
}
