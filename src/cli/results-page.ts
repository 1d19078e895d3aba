/** The results of a run as people read them. */

import { listText, percentText } from "../core/words.ts";
import { textTable } from "../reports/text-table.ts";
import type { JudgedCue, JudgedInference } from "../runs/judged-inference.ts";
import type { KeptResults, RunResults } from "../training/results.ts";

/** What a finished run says: its slices, their accuracies, where its files are. */
export function resultsPage(
  { accuracy, epoch, id, selection, inferred = [], numbers = [], also = [] }: RunResults,
  out: string,
  trained: boolean,
): string {
  const byClass = accuracy.some(({ classMean }) => classMean !== undefined);
  const titles = [
    "slice",
    "",
    "images",
    "accuracy",
    "95% over images",
    ...(byClass ? ["mean of classes"] : []),
  ];
  const rows = accuracy.map((row) => [
    row.slice,
    row.distribution,
    row.count.toLocaleString("en"),
    percentText(row.accuracy),
    `${percentText(row.low)} – ${percentText(row.high)}`,
    ...(byClass ? [row.classMean === undefined ? "" : percentText(row.classMean)] : []),
  ]);
  return [
    `${trained ? "finished" : "finished before"}: run ${id}, weights of epoch ${epoch}`,
    `chosen by: ${selection.rule}; labels that this took: ${selection.labels}`,
    "",
    rows.length === 0 ? "nothing was measured: all images are training images" : textTable(titles, rows),
    "",
    ...ownNumbersPart(numbers),
    ...inferred.flatMap((one) => [inferencePart(one), ""]),
    ...also.map((kept) => alsoKept(kept, accuracy)),
    ...(also.length > 0 ? [""] : []),
    `files in ${out}`,
  ].join("\n");
}

/** What the method says of itself, and an empty line after it; nothing of most. */
export function ownNumbersPart(numbers: NonNullable<RunResults["numbers"]> = []): string[] {
  if (numbers.length === 0) return [];
  const said = numbers.map(({ stage, name, value }) => `${stage}.${name}: ${Number(value.toPrecision(4))}`);
  return [...said, ""];
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

/** What the groups that a method inferred have to do with the cues: which one was found, and the numbers of each. */
export function inferencePart({ stage, name, images, taken, cues }: JudgedInference): string {
  const count = (n: number) => n.toLocaleString("en");
  const rows = cues.map((cue) => [
    cue.cue,
    `${count(cue.minority)} of ${count(cue.images)}`,
    withInterval(cue),
    besideChance(cue.precision, cue.chancePrecision),
    besideChance(cue.recall, cue.chanceRecall),
  ]);
  return [
    `inferred by the method, judged by labels that it was not told: ${stage}.${name} takes ${count(taken)} of ${count(images)} images`,
    found(cues),
    ...(rows.length === 0
      ? []
      : [textTable(["cue", "minority", "AUC (95%)", "precision (chance)", "recall (chance)"], rows)]),
  ].join("\n");
}

function found(cues: readonly JudgedCue[]): string {
  const told = cues.filter(({ area }) => area !== null);
  if (told.length === 0) return "no cue with images of a minority to find";
  // Of the surely found, not of all: the largest AUC may be one of few images, about which nothing is known.
  const [best, ...others] = told.filter(({ low }) => low! > 0.5).toSorted((a, b) => b.area! - a.area!);
  const then = others.length === 0 ? "" : `, then of ${listText(others.map(({ cue }) => cue))}`;
  if (best !== undefined) return `it finds the minority of ${best.cue} best${then}`;
  return "it finds the minority of no cue: no AUC is above 0.5 by more than chance";
}

function withInterval({ area, low, high }: JudgedCue): string {
  return area === null ? "–" : `${area.toFixed(3)} (${low!.toFixed(3)} – ${high!.toFixed(3)})`;
}

function besideChance(share: number | null, chance: number | null): string {
  return `${percentText(share)} (${percentText(chance)})`;
}
