/** What Li et al. 2023 print of a row, whichever table it stands in. */

import { table3, table5, table9, table11, table12 } from "../../published/li-2023.ts";
import type { MeasuredGaps, StudyCase } from "../jobs/runs-job.ts";
import { type CarCue, cues } from "./rows.ts";

export interface PublishedCars {
  inDistribution: number;
  gaps: Readonly<Record<CarCue, number>>;
  both: number;
  /** Printed multiples of the baseline's reliance. */
  ratios: Readonly<Partial<Record<CarCue | "inDistribution" | "both", number>>>;
}

/** Their words for ours. */
const wordsOf: Readonly<Record<string, string>> = {
  "LLE without stop-gradient": "w/o stop gradient",
  "LLE, frozen": "w/ frozen feature extractor",
};

const toldWords: Readonly<Record<CarCue, string>> = { background: "BG", coObject: "CoObj" };

export function publishedCars({
  method,
  explicit,
}: Pick<StudyCase, "method" | "explicit">): PublishedCars | undefined {
  const label = wordsOf[method] ?? method;
  const told = cues.filter((cue) => explicit.includes(cue)).map((cue) => toldWords[cue]);
  const row =
    told.length > 0
      ? table5.find((each) => each.method === label && each.told === told.join("+"))
      : [...table3, ...table9, ...table11, ...table12].find((each) => each.method === label);
  if (row === undefined) return undefined;
  const { inDistribution, background, coObject, both, ratios } = row;
  return { inDistribution, gaps: { background, coObject }, both, ratios };
}

/** Shares of training: both cues common, one uncommon, both. */
const [common, single, neither] = [0.9025, 0.0475, 0.0025];

/** The four cells behind a row: that of both common follows from I.D. accuracy, which weighs them as training has them. */
export function publishedCells(each: Pick<StudyCase, "method" | "explicit">): MeasuredGaps | undefined {
  const row = publishedCars(each);
  if (row === undefined) return undefined;
  const inDistribution = row.inDistribution / 100;
  const cellOf = (uncommon: readonly CarCue[], gap: number) => ({
    uncommon,
    accuracy: inDistribution + gap / 100,
    gap: gap / 100,
  });
  const others = [...cues.map((cue) => cellOf([cue], row.gaps[cue])), cellOf(cues, row.both)];
  const weighted = others.reduce(
    (sum, { uncommon, accuracy }) => sum + (uncommon.length === 1 ? single : neither) * accuracy,
    0,
  );
  const both = (inDistribution - weighted) / common;
  return { inDistribution, cells: [{ uncommon: [], accuracy: both, gap: null }, ...others] };
}

/** Fig. 6, as far as the text gives numbers: appendix on training dynamics. */
export const publishedDynamics = [
  { series: "background", x: 1, y: 0.826, published: true },
  { series: "background", x: 2, y: 0.712, published: true },
  { series: "coObject", x: 1, y: 0.606, published: true },
  { series: "coObject", x: 2, y: 0.718, published: true },
];
