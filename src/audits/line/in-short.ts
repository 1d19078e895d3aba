/** Whether a benchmark can reveal shortcuts, in a sentence for each environment that models were not trained on. */

import { fixedText, listText } from "../../core/words.ts";
import type { LineReport, SplitReport } from "./report.ts";
import { type LineWarning, warningWords } from "./warnings.ts";

/** Environments that are told one by one; of more, how many come out how. */
const mostTold = 6;

const answers: Record<SplitReport["verdict"], string> = {
  "well-specified": "can reveal shortcuts",
  misspecified: "cannot reveal shortcuts",
  undecided: "undecided",
};

/** With these one R is no answer, or none can be had; the others make it less certain. */
const telling: ReadonlySet<LineWarning["kind"]> = new Set([
  "regimes",
  "two-lines",
  "clusters",
  "groups",
  "no-transfer",
  "few-clusters",
]);

export function lineInShort({ splits, threshold }: LineReport): string[] {
  const places = [...new Set(splits.map(({ ood }) => ood))].map((ood) => ({
    ood,
    own: splits.filter((split) => split.ood === ood),
  }));
  if (places.length <= mostTold)
    return places.map(({ ood, own }) => `${ood}: ${answerOf(own)}.${cautions(own)}`);
  const kinds = places.map(({ own }) => shortAnswer(own));
  const told = [...new Set(kinds)].map((kind) => {
    const count = kinds.filter((other) => other === kind).length;
    return `${count} of ${places.length} environments: ${kind} (R against ${threshold}).`;
  });
  const beyond = cautions(splits).trim();
  return beyond === "" ? told : [...told, beyond];
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

/** What a single R hides, where there is any: of one fit in numbers, of several in how many. */
function cautions(splits: readonly SplitReport[]): string {
  const found = splits.map(({ warnings }) => warnings.filter(({ kind }) => telling.has(kind)));
  if (splits.length === 1) return found[0]!.map(({ message }) => ` Beware: ${message}.`).join("");
  const kinds = [...new Set(found.flatMap((own) => own.map(({ kind }) => kind)))];
  if (kinds.length === 0) return "";
  const told = kinds.map((kind) => {
    const count = found.filter((own) => own.some((warning) => warning.kind === kind)).length;
    return `in ${count} of ${splits.length} fits ${warningWords[kind]}`;
  });
  return ` Beware: ${listText(told)}.`;
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
  return `, R = ${fixedText(r, 2)} (${fixedText(rLow, 2)} to ${fixedText(rHigh, 2)}) over ${n.toLocaleString("en")} points`;
}
