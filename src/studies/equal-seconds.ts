/** What each method has reached when it has cost as much as the baseline's whole run: methods differ in what a step costs. */

import { type Cell, decimalCell, type Row, type Section, seedsCell } from "../core/section.ts";
import { mean } from "../core/statistics/index.ts";
import { labelOf, type MeasuredCase, type MeasuredRun } from "./jobs/runs-job.ts";
import { meanDifferenceCell } from "./summaries.ts";

export interface EqualSecondsOptions {
  /** Of section and table, where a study has several. */
  name?: string;
  /** What they are about then. */
  of?: string;
  /** As the cases call it. */
  baseline: string;
  /** Cues whose share of the predictions is shown, where they name classes. */
  cues: readonly string[];
  /** As tables call a cue. */
  titleOf?: (cue: string) => string;
}

/** Nothing where the baseline's costs were not recorded, or nothing else was run. */
export function equalSecondsSection(
  cases: readonly MeasuredCase[],
  { name = "equal-seconds", of, baseline, cues, titleOf = (cue) => cue }: EqualSecondsOptions,
): Section[] {
  const finished = cases.filter(({ runs }) => runs.length > 0);
  const standard = finished.find(({ method }) => method === baseline);
  const budget = standard && costOf(standard);
  if (standard === undefined || budget === undefined || finished.length < 2) return [];
  const followed = cues.filter((cue) =>
    finished.some(({ runs }) => runs.some((run) => followsCue(run, cue))),
  );
  const numbers: readonly ReadNumber[] = [
    { title: "accuracy", of: (run, epoch) => run.validation[epoch - 1] },
    ...followed.map((cue) => ({
      title: `follows ${titleOf(cue)}`,
      of: (run: MeasuredRun, epoch: number) => run.follows.find((row) => row.epoch === epoch)?.shares[cue],
    })),
  ];
  return [
    {
      name,
      heading: `At equal core seconds${of === undefined ? "" : `: ${of}`}`,
      text:
        "Methods have equal steps, not equal costs. Here each run's history is read where the run had cost what the baseline's whole run " +
        "costs, to the nearest epoch; all of a run's core seconds are taken to be spread evenly over its epochs. The rate was meant to " +
        "go on falling there, so that a run which was planned for so short a time could do better. Numbers are of validation images." +
        (followed.length === 0
          ? ""
          : " Follows: the share of predictions that are the cue's class, where validation images are balanced; without reliance it is " +
            "one in as many as there are classes."),
      tables: [
        {
          name,
          caption:
            "When each method has cost what the baseline's whole run costs: validation images, in per cent; less the baseline in points with its interval over seeds",
          columns: [
            { title: "Method" },
            { title: "Cost, baseline's = 1" },
            { title: "Epochs by then" },
            ...numbers.flatMap(({ title }) =>
              ["by then", "less baseline", "in full"].map((column) => ({ title: column, group: title })),
            ),
          ],
          rows: finished.map((each) => rowOf(each, standard, budget, numbers)),
        },
      ],
    },
  ];
}

function rowOf(
  each: MeasuredCase,
  standard: MeasuredCase,
  budget: number,
  numbers: readonly ReadNumber[],
): Row {
  const cost = costOf(each);
  const reached = cost === undefined ? undefined : epochsWithin(each, budget / cost);
  return {
    cells: [
      labelOf(each),
      cost === undefined ? null : decimalCell(cost / budget, 2),
      reached === undefined ? null : `${reached} of ${lengthOf(each)}`,
      ...numbers.flatMap(({ of }) => [
        reached ? seedsCell(each.runs.map((run) => of(run, reached))) : null,
        reached && each !== standard ? lessBaseline(each, standard, reached, of) : null,
        seedsCell(each.runs.map((run) => of(run, run.validation.length))),
      ]),
    ],
  };
}

interface ReadNumber {
  title: string;
  of: NumberOf;
}

type NumberOf = (run: MeasuredRun, epoch: number) => number | undefined;

function followsCue({ follows }: MeasuredRun, cue: string): boolean {
  return follows.some(({ shares }) => shares[cue] !== undefined);
}

/** Core seconds of a run, mean over seeds; undefined where they were not recorded. */
function costOf({ runs }: MeasuredCase): number | undefined {
  const seconds = runs.flatMap(({ coreSeconds }) => coreSeconds ?? []);
  return seconds.length < runs.length ? undefined : mean(seconds);
}

function lengthOf({ runs }: MeasuredCase): number {
  return Math.max(...runs.map(({ validation }) => validation.length));
}

/** Epochs of the network that is kept after this part of a run's cost; 0 where stages before it have taken all of that. */
function epochsWithin(each: MeasuredCase, share: number): number {
  const length = lengthOf(each);
  const before = Math.max(...each.runs.map(({ epochsBefore }) => epochsBefore));
  return Math.max(0, Math.min(length, Math.round(share * (before + length)) - before));
}

function lessBaseline(each: MeasuredCase, standard: MeasuredCase, epoch: number, of: NumberOf): Cell {
  const differences = each.runs.flatMap((run) => {
    const other = standard.runs.find(({ seed }) => seed === run.seed);
    const theirs = other && of(other, other.validation.length);
    const own = of(run, epoch);
    return own === undefined || theirs === undefined ? [] : [own - theirs];
  });
  return meanDifferenceCell(differences);
}
