/** What became of all cues, in one sentence. */

import { listText } from "../../core/words.ts";
import type { CueVerdict, JudgedComparison, MoleVerdict } from "./verdict.ts";

/** `names` gives cues other words than their own. */
export function moleSentence(
  { cues, margin }: Pick<JudgedComparison, "cues" | "margin">,
  names: (cue: string) => string = (cue) => cue,
): string {
  const of = (verdict: MoleVerdict) => cues.filter((cue) => cue.verdict === verdict);
  const named = (some: readonly CueVerdict[]) => listText(some.map((cue) => names(cue.cues[0]!)));
  const [down, up, worse, equal, open] = [
    of("reduced"),
    of("amplified"),
    of("worse everywhere"),
    of("equal"),
    of("cannot be told"),
  ];
  const points = Number((100 * margin).toFixed(2));
  const parts = [
    ...(down.length > 0 && up.length > 0
      ? [`Reliance on ${named(down)} went down and on ${named(up)} came up: a mole`]
      : []),
    ...(down.length > 0 && up.length === 0
      ? [`Reliance on ${named(down)} went down, and none was seen to come up`]
      : []),
    ...(up.length > 0 && down.length === 0
      ? [`Reliance on ${named(up)} came up, and none was seen to go down`]
      : []),
    ...(worse.length > 0
      ? [`the gap of ${named(worse)} shrank only because accuracy fell where the cue holds: worse everywhere`]
      : []),
    ...(equal.length > 0 ? [`reliance on ${named(equal)} stayed equal within ${points} points`] : []),
    ...(open.length > 0 ? [`what became of ${named(open)} cannot be told${couldHaveSeen(open)}`] : []),
  ];
  const text = parts.join("; ");
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** A null result says what it could have found. */
function couldHaveSeen(open: readonly CueVerdict[]): string {
  const smallest = open.flatMap(({ smallestSeen }) => smallestSeen ?? []);
  if (smallest.length < open.length) return "";
  return `, where ${smallest.map((share) => (100 * share).toFixed(1)).join(" and ")} points could have been seen`;
}
