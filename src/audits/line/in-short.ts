/** Whether a benchmark can reveal shortcuts, in a sentence for each environment that models were not trained on. */

import type { LineReport, SplitReport } from "./report.ts";

/** Environments that are told one by one; of more, how many come out how. */
const mostTold = 6;

const answers: Record<SplitReport["verdict"], string> = {
  "well-specified": "can reveal shortcuts",
  misspecified: "cannot reveal shortcuts",
  undecided: "undecided",
};

export function lineInShort({ splits, threshold }: LineReport): string[] {
  const places = [...new Set(splits.map(({ ood }) => ood))].map((ood) => ({
    ood,
    own: splits.filter((split) => split.ood === ood),
  }));
  if (places.length <= mostTold) return places.map(({ ood, own }) => `${ood}: ${answerOf(own)}.`);
  const kinds = places.map(({ own }) => shortAnswer(own));
  return [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length;
    return `${count} of ${places.length} environments: ${kind} (R against ${threshold}).`;
  });
}

/** Of fits that differ in what was taken as ID, or in the subgroup. */
function answerOf(splits: readonly SplitReport[]): string {
  const [first, ...others] = splits;
  if (first !== undefined && others.length === 0) return `${answers[first.verdict]}${numbers(first)}`;
  const counts = verdictsOf(splits).map((verdict) => {
    const count = splits.filter((split) => split.verdict === verdict).length;
    return `${answers[verdict]} by ${count} of ${splits.length} fits`;
  });
  return counts.length === 1 ? counts[0]! : `${depends}: ${counts.join(", ")}`;
}

const depends = "depends on the models, or on what is taken as ID";

function shortAnswer(splits: readonly SplitReport[]): string {
  const [first, ...others] = verdictsOf(splits);
  return first !== undefined && others.length === 0 ? answers[first] : depends;
}

function verdictsOf(splits: readonly SplitReport[]): SplitReport["verdict"][] {
  return [...new Set(splits.map(({ verdict }) => verdict))];
}

function numbers({ r, rLow, rHigh, n }: SplitReport): string {
  if (r === null || rLow === null || rHigh === null) return "";
  return `, R = ${r.toFixed(2)} (${rLow.toFixed(2)} to ${rHigh.toFixed(2)}) over ${n.toLocaleString("en")} points`;
}
