/** Everything that the metrics look at: the counts of a prediction table, cut the way a question asks. */

import type { Grouping } from "../core/grouping.ts";
import { type Alignment, alignmentOf, mostAlignedCues } from "./alignment.ts";
import {
  addTally,
  type CalibrationBin,
  type CountedCell,
  emptyTally,
  type PredictionCounts,
  sameNames,
  sumTallies,
  type Tally,
} from "./counts.ts";
import { type CueHalves, cueHalves, type MajorityRule } from "./cue-halves.ts";
import { attributesIn, type CountedGroup, type TalliedGrouping, talliedGroups } from "./groups.ts";
import { type HeadTail, headTailOf } from "./head-tail.ts";
import { type ReferenceErrors, type RelativeErrors, relativeErrorsOf } from "./relative-errors.ts";

export interface Question {
  grouping: TalliedGrouping;
  cues: readonly { name: string; majority: MajorityRule }[];
  /** Exponents of the training priors in Acc(α). */
  alphas: readonly number[];
  /** Within each value of this attribute, answers are cut into head and tail. */
  localGroup?: string | undefined;
  /** Sizes of the tail. */
  betas: readonly number[];
  /** Errors of another network by group, to compare with. */
  reference?: ReferenceErrors | undefined;
}

export interface Evaluation {
  all: Tally;
  /** Training images in all; 0 where nothing is known of them. */
  trainCount: number;
  groups: readonly CountedGroup[];
  /** All images of each class, whatever the groups are. */
  classes: readonly (Tally & { name: string })[];
  /** How many groups there could be; more than are listed where there are too many to list the empty ones. */
  nominalGroups: number;
  cues: readonly CueHalves[];
  /** The same images by which of their cues are uncommon; null where that is not known of all of them. */
  alignment: Alignment | null;
  alphas: readonly number[];
  headTail: readonly HeadTail[];
  calibration: readonly CalibrationBin[] | null;
  /** Empty where there is no reference. */
  relative: readonly RelativeErrors[];
}

/** α of the paper's section 6.4, from inverted to amplified training bias. */
export const paperAlphas: readonly number[] = [-1, -0.5, 0, 0.5, 1, 1.5, 2];

export function evaluationOf(counts: PredictionCounts, question: Question): Evaluation {
  const { groups, nominal } = talliedGroups(counts, question.grouping);
  const { localGroup, betas, reference } = question;
  // Every margin has all the rows.
  const { cells } = counts.margins[0]!;
  return {
    all: sumTallies(cells),
    trainCount: cells.reduce((sum, { train }) => sum + (train ?? 0), 0),
    groups,
    nominalGroups: nominal,
    classes: byClass(counts, cells),
    cues: question.cues.map(({ name, majority }) => cueHalves(counts, name, majority)),
    alignment: alignmentOf(counts, question.cues),
    alphas: question.alphas,
    headTail: localGroup === undefined ? [] : betas.map((beta) => headTailOf(counts, localGroup, beta)),
    calibration: counts.calibration,
    relative: reference === undefined ? [] : relativeErrorsOf(counts, reference),
  };
}

function byClass(
  { classNames }: PredictionCounts,
  cells: readonly CountedCell[],
): (Tally & { name: string })[] {
  const classes = classNames.map((name) => ({ name, ...emptyTally() }));
  for (const cell of cells) addTally(classes[cell.label]!, cell);
  return classes;
}

/** The attributes by which rows must be counted together to answer a question. */
export function marginsFor({
  grouping,
  cues,
  aligned = [],
  localGroup,
  reference,
}: {
  grouping: Grouping;
  /** Columns that tell the majority among them. */
  cues: readonly string[];
  /** Columns that tell the majority of all cues together, where they are few enough. */
  aligned?: readonly string[];
  localGroup?: string | undefined;
  reference?: Pick<ReferenceErrors, "attributes"> | undefined;
}): string[][] {
  const attributes = attributesIn(grouping);
  const together =
    aligned.length > mostAlignedCues ||
    (!grouping.overlapping && aligned.every((name) => attributes.includes(name)))
      ? []
      : [[...aligned]];
  const asked = [
    ...(grouping.overlapping ? attributes.map((name) => [name]) : [attributes]),
    ...cues.map((cue) => [cue]),
    ...together,
    ...(localGroup === undefined ? [] : [[localGroup]]),
    ...(reference === undefined ? [] : [[...reference.attributes], [reference.attributes[0]!]]),
  ];
  return asked.filter((margin, i) => asked.findIndex((other) => sameNames(other, margin)) === i);
}
