/** A number of one network as a cell. */

import { type Cell, seedsCell } from "../../core/section.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import type { Estimate, NetworkRow } from "../pretrained/networks.ts";
import { points } from "../summaries.ts";

/** Over seeds, or of one network that was brought with its interval over images. */
export function estimateCell(
  { brought, answers }: NetworkRow,
  of: (answer: NetworkAnswer) => Estimate | undefined,
): Cell {
  const estimates = answers.flatMap((answer) => of(answer) ?? []);
  const [first] = estimates;
  if (first === undefined) return null;
  if (!brought) return seedsCell(estimates.map(({ value }) => value));
  const { value, error } = first;
  const text = points(value);
  // Means without an error of their own have none told.
  return error === 0
    ? { value, text }
    : { value, text: `${text} (${points(value - 1.96 * error)} to ${points(value + 1.96 * error)})` };
}
