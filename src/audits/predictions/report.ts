/** From evaluations of one table, or of several seeds, to what `eval` reports. */

import { CuelabError } from "../../core/errors.ts";
import { classWord } from "../../core/group-axes.ts";
import { lookUp } from "../../core/look-up.ts";
import type { SplitShift } from "../../core/shifted-splits.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { acrossRuns, type RunsScore } from "../../metrics/across-runs.ts";
import { cellAccuracy, cellImages, mostAlignedCues } from "../../metrics/alignment.ts";
import type { CueHalves } from "../../metrics/cue-halves.ts";
import type { Evaluation } from "../../metrics/evaluation.ts";
import { attributesIn, type CountedGroup } from "../../metrics/groups.ts";
import { metrics } from "../../metrics/index.ts";
import { canMeasure, type Need } from "../../metrics/metric.ts";
import { someOf } from "../../predictions/codebook.ts";
import type {
  CueReport,
  EvaluationReport,
  GapsReport,
  GroupingReport,
  GroupReport,
  IntervalReport,
} from "./evaluation-report.ts";
import type { CueRule } from "./majority-rules.ts";
import { oneBaselineRemark, withMoles } from "./moles.ts";
import type { EvaluationPlan } from "./plan.ts";

export interface EvaluationContext {
  files: readonly string[];
  baselines: readonly string[];
  split: string | null;
  splits: Readonly<Record<string, number>>;
  shift: SplitShift | null;
  sameImages: boolean;
  classes: readonly string[];
  guessing: EvaluationReport["guessing"];
  plan: EvaluationPlan;
  cues: readonly CueRule[];
  training: string | null;
  /** Every value that attributes have by their own table, whether or not an image has it. */
  declared: Readonly<Record<string, readonly string[]>>;
  remarks: readonly string[];
  /** Within which two gaps are equal, as a share; the usual one unless told. */
  margin?: number | undefined;
}

/** What to give for a metric that lacks something. */
const remedies: Record<Need, string> = {
  "training-counts":
    "training counts: --train-counts counts.csv (class, attributes, count), --data, or rows with split train",
  cues: "the value of the cue that goes with each class: training counts, --majority cue:class=value, or a column of yes and no named <cue>Majority",
  baseline: "--baseline with predictions for the same rows",
  "head-tail": "--head-tail with the attribute whose values are the local groups",
  confidence: "a column logit_… or prob_… for each class",
  "reference-errors": "--reference-errors with another network's error in each group",
  alignment: `training counts, and at most ${mostAlignedCues} --cues whose value that goes with each class is known`,
};

/** What is not missed where there are no cues. */
const aboutCues: ReadonlySet<Need> = new Set(["cues", "alignment"]);

/** Where training is known, but of other groups only. */
const fewerGroups =
  "fewer --groups, or more images: no group has both training images and images to evaluate";

export function reportOf(evaluations: readonly Evaluation[], context: EvaluationContext): EvaluationReport {
  const [first] = evaluations as [Evaluation, ...Evaluation[]];
  refuseForeignTraining(first, context);
  const missing: Record<string, string> = {};
  const scores = new Map<string, RunsScore[]>();
  const weightless = evaluations.every((each) => each.trainCount > 0 && !inBoth(each));
  for (const metric of metrics.entries) {
    if (weightless && metric.needs.includes("training-counts")) {
      missing[metric.name] = fewerGroups;
    } else if (evaluations.every((evaluation) => canMeasure(metric, evaluation))) {
      const runs = evaluations.map((evaluation) => metric.of(evaluation));
      const found = acrossRuns(runs);
      const sharesImages = context.plan.grouping.oneByOne && averages.has(metric.name);
      scores.set(metric.name, sharesImages ? found.map(withoutImagesInterval) : found);
    } else if (context.plan.cues.length > 0 || !metric.needs.some((need) => aboutCues.has(need))) {
      missing[metric.name] = metric.needs.map((need) => remedies[need]).join("; ");
    }
  }
  const intervals: Record<string, IntervalReport> = {};
  const note = (path: string, score: RunsScore | undefined): number | null => {
    if (score === undefined) return null;
    const { interval, standardError, values, value, over, runs } = score;
    if (interval || standardError !== null) {
      intervals[path] = {
        over,
        seeds: runs,
        degreesOfFreedom: over === "seeds" ? runs - 1 : null,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        standardError,
        values,
      };
    }
    return value;
  };
  const only = (metric: string) => scores.get(metric)?.[0];
  const of = (metric: string, name: string) => scores.get(metric)?.find((score) => score.of === name);
  const worst = only("worst-group")!;
  const remarks = [
    ...context.remarks,
    ...coverageRemarks(evaluations, context),
    ...oneBaselineRemark(context),
  ];
  return {
    files: context.files,
    baselines: context.baselines,
    split: context.split,
    splits: context.splits,
    shift: context.shift,
    n: only("accuracy")!.count,
    ...(context.sameImages && { sameImages: true as const }),
    classes: context.classes,
    training: context.training,
    accuracy: {
      samples: note("accuracy.samples", only("accuracy")),
      meanPerGroup: note("accuracy.meanPerGroup", only("mean-per-group")),
      trainWeighted: note("accuracy.trainWeighted", only("train-weighted")),
    },
    guessing: context.guessing,
    worstGroup: { name: worst.of, accuracy: note("worstGroup.accuracy", worst), n: worst.count },
    cues: Object.fromEntries(
      first.cues.map(({ cue }, i) => [
        cue,
        {
          majority: note(`cues.${cue}.majority`, of("majority-accuracy", cue)),
          minority: note(`cues.${cue}.minority`, of("minority-accuracy", cue)),
          mmd: note(`cues.${cue}.mmd`, of("mmd", cue)),
          counts: cueCounts(evaluations, i),
          rule: context.cues[i]!.origin,
          values: context.cues[i]!.classes,
        },
      ]),
    ),
    gaps: gapsReport(evaluations, {
      inDistribution: note("gaps.inDistribution", only("in-distribution")),
      gap: (uncommon) => note(`gaps.${uncommon}`, of("cue-gap", uncommon)),
    }),
    grouping: groupingReport(first, context.plan),
    groups: groupReports(evaluations, scores),
    accAlpha: (scores.get("acc-alpha") ?? []).map((score) => {
      const value = note(`accAlpha.${score.of}`, score);
      return { alpha: Number(score.of), value };
    }),
    headTail: first.headTail.map(({ beta, head, tail }) => ({
      beta,
      head: note(`headTail.${beta}.head`, of("head-accuracy", String(beta))),
      tail: note(`headTail.${beta}.tail`, of("tail-accuracy", String(beta))),
      mean: note(`headTail.${beta}.mean`, of("head-tail-mean", String(beta))),
      headCount: head.count,
      tailCount: tail.count,
    })),
    calibration: scores.has("calibration-error")
      ? { error: note("calibration.error", only("calibration-error")), bins: first.calibration ?? [] }
      : null,
    improvement: scores.has("baseline-difference")
      ? {
          samples: note("improvement.samples", only("baseline-difference")),
          meanPerGroup: note("improvement.meanPerGroup", only("mean-iosm")),
          classes: Object.fromEntries(
            (scores.get("class-gap") ?? []).map((score) => [
              score.of,
              note(`improvement.classes.${score.of}`, score),
            ]),
          ),
        }
      : null,
    ...withMoles(evaluations, context),
    ...ownMetrics(scores, note),
    intervals,
    missing,
    remarks,
  };
}

/** Means over groups: where an image is in several, their intervals over images would be too narrow. */
const averages: ReadonlySet<string> = new Set(["mean-per-group", "train-weighted", "acc-alpha", "mean-iosm"]);

function withoutImagesInterval(score: RunsScore): RunsScore {
  return score.over === "images" ? { ...score, interval: null } : score;
}

/** Metrics that a report has a place for; any other is listed by its title, so that none is lost. */
const placed: ReadonlySet<string> = new Set([
  "accuracy",
  "mean-per-group",
  "train-weighted",
  "in-distribution",
  "cue-gap",
  "cue-gap-change",
  "worst-group",
  "group-accuracy",
  "acc-alpha",
  "majority-accuracy",
  "minority-accuracy",
  "mmd",
  "baseline-difference",
  "class-gap",
  "iosm",
  "mean-iosm",
  "head-accuracy",
  "tail-accuracy",
  "head-tail-mean",
  "calibration-error",
]);

/** Nothing where there are none. */
function ownMetrics(
  scores: ReadonlyMap<string, readonly RunsScore[]>,
  note: (path: string, score: RunsScore) => number | null,
): Pick<EvaluationReport, "own"> {
  const own = metrics.entries.flatMap(({ name, title }) => {
    const found = scores.get(name);
    if (found === undefined || placed.has(name)) return [];
    return {
      name,
      title,
      scores: found.map((score) => ({
        of: score.of,
        value: note(["own", name, ...(score.of === null ? [] : [score.of])].join("."), score),
        n: score.count,
      })),
    };
  });
  return own.length === 0 ? {} : { own };
}

function cueCounts(evaluations: readonly Evaluation[], cue: number): CueReport["counts"] {
  const sum = (of: (halves: CueHalves) => number) =>
    evaluations.reduce((total, { cues }) => total + of(cues[cue]!), 0);
  return {
    majority: sum(({ majority }) => majority.count),
    minority: sum(({ minority }) => minority.count),
    unknown: sum(({ unknown }) => unknown),
  };
}

/** Cells of all files together, with the mean over files of what each cell's accuracy is. */
function gapsReport(
  evaluations: readonly Evaluation[],
  scores: { inDistribution: number | null; gap: (uncommon: string) => number | null },
): GapsReport | null {
  const alignments = evaluations.map(({ alignment }) => alignment);
  const [first] = alignments;
  if (!first || alignments.includes(null)) return null;
  const cells = first.cells.map(({ uncommon }, i) => {
    const each = alignments.map((alignment) => alignment!.cells[i]!);
    const known = each.flatMap((cell) => cellAccuracy(cell) ?? []);
    return {
      uncommon,
      share: mean(each.map(({ share }) => share)),
      n: each.reduce((sum, cell) => sum + cellImages(cell), 0),
      accuracy: known.length === 0 ? null : mean(known),
      gap: uncommon.length === 0 ? null : scores.gap(uncommon.join(" + ")),
    };
  });
  return { inDistribution: scores.inDistribution, cells };
}

function groupingReport({ groups, nominalGroups }: Evaluation, { grouping }: EvaluationPlan): GroupingReport {
  return {
    attributes: attributesIn(grouping),
    byClass: grouping.by.includes(classWord),
    overlapping: grouping.overlapping ?? false,
    ...(grouping.oneByOne && { oneByOne: true }),
    nominal: nominalGroups,
    occupied: groups.filter(({ count }) => count > 0).length,
    single: groups.filter(({ count }) => count === 1).length,
  };
}

/** Of all tables: a group may be occupied in some of them only. */
function groupReports(
  evaluations: readonly Evaluation[],
  scores: ReadonlyMap<string, readonly RunsScore[]>,
): GroupReport[] {
  const [{ groups }] = evaluations as [Evaluation];
  const accuracies = scores.get("group-accuracy") ?? [];
  const gains = scores.get("iosm");
  // One table's scores are in the order of its groups; those of several are matched by name.
  const alone = evaluations.length === 1;
  const byName = new Map(
    alone ? [] : evaluations.flatMap((each) => each.groups.map((group) => [group.name, group])),
  );
  const gainOf = new Map(alone ? [] : gains?.map((score) => [score.of, score]));
  return accuracies.map((score, i) => {
    const { name, label, values, train } = alone ? groups[i]! : lookUp(byName, score.of!);
    const gain = alone ? gains?.[i] : gainOf.get(name);
    return {
      name,
      class: label,
      values,
      n: score.count,
      accuracy: score.value,
      low: score.interval?.low ?? null,
      high: score.interval?.high ?? null,
      standardError: score.standardError,
      train,
      iosm: gain?.value ?? null,
      iosmLow: gain?.interval?.low ?? null,
      iosmHigh: gain?.interval?.high ?? null,
    };
  });
}

/** 1,234,567; what `toLocaleString("en")` gives, which takes longer to load its tables than a report to make. */
function number(n: number): string {
  return String(n).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function coverageRemarks(evaluations: readonly Evaluation[], { training }: EvaluationContext): string[] {
  const [{ groups, trainCount, cues }] = evaluations as [Evaluation];
  const remarks: string[] = [];
  const occupied = groups.filter(({ count }) => count > 0);
  const single = occupied.filter(({ count }) => count === 1).length;
  if (single > occupied.length / 2) {
    remarks.push(
      `${number(single)} of ${number(occupied.length)} groups have one image: fewer attributes in --groups make larger groups`,
    );
  }
  if (training !== null && trainCount > 0) {
    const untrained = groups.filter(({ count, train }) => count > 0 && !train).length;
    if (untrained > 0) {
      remarks.push(
        `${number(untrained)} groups have no training images: they count in the mean per group, not where training sizes are the weights; Acc(α) is not defined for α < 0`,
      );
    }
    const lost = groups.filter(({ count }) => count === 0).reduce((sum, { train }) => sum + (train ?? 0), 0);
    if (lost > 0) {
      remarks.push(
        `${percentText(lost / trainCount)} of the training images are in groups without images to evaluate`,
      );
    }
  }
  remarks.push(...alignmentRemarks(evaluations));
  for (const [i, { cue }] of cues.entries()) {
    const { unknown } = cueCounts(evaluations, i);
    if (unknown > 0) {
      remarks.push(
        `${cue}: ${number(unknown)} images are of classes without one value that goes with them, and are in neither half`,
      );
    }
  }
  return remarks;
}

/** A mean over fewer classes, or over fewer cells than training had, is another mean, and is told. */
function alignmentRemarks([first]: readonly Evaluation[]): string[] {
  const alignment = first?.alignment;
  if (!alignment) return [];
  const named = (uncommon: readonly string[]) =>
    uncommon.length === 0 ? "all cues common" : `${uncommon.join(" and ")} uncommon`;
  const evaluated = first.classes.filter(({ count }) => count > 0).length;
  return alignment.cells.flatMap((cell) => {
    const classes = cell.classes.filter(({ count }) => count > 0).length;
    if (classes === 0)
      return cell.share > 0
        ? [
            `gaps: ${percentText(cell.share)} of training has ${named(cell.uncommon)}, and no image to evaluate: I.D. accuracy is without them`,
          ]
        : [];
    return classes < evaluated
      ? [`gaps: with ${named(cell.uncommon)} there are images of ${classes} of ${evaluated} classes only`]
      : [];
  });
}

function inBoth({ groups }: Evaluation): boolean {
  return groups.some(({ count, train }) => count > 0 && train);
}

/**
 * Training under other names would give every group a weight of 0. With many attributes and few images that happens
 * under the same names too, and is then nobody's mistake: only classes, or an attribute, without a common name are.
 */
function refuseForeignTraining(
  evaluation: Evaluation,
  { training, plan, declared }: EvaluationContext,
): void {
  const { groups, trainCount } = evaluation;
  if (training === null || trainCount === 0 || inBoth(evaluation)) return;
  const occupied = groups.filter(({ count }) => count > 0);
  const trained = groups.filter(({ train }) => train);
  const attributes = attributesIn(plan.grouping);
  const byClass = plan.grouping.by.includes(classWord);
  const parts: [string, (group: CountedGroup) => string | null | undefined][] = [
    ...(byClass
      ? [["class", ({ label }: CountedGroup) => label] as [string, (group: CountedGroup) => string | null]]
      : []),
    ...attributes.map((name): [string, (group: CountedGroup) => string | undefined] => [
      name,
      ({ values }) => values[name],
    ]),
  ];
  for (const [part, nameOf] of parts) {
    const evaluated = namesOf(occupied, nameOf);
    const known = namesOf(trained, nameOf);
    if (evaluated.length === 0 || known.length === 0) continue;
    if (known.some((name) => evaluated.includes(name))) continue;
    // Names of one list, such as which cue an image breaks, that training and testing share by design.
    const listed = declared[part] ?? [];
    if ([...evaluated, ...known].every((name) => listed.includes(name))) continue;
    throw new CuelabError({
      kind: "input",
      what: `no ${part === "class" ? "class" : `value of "${part}"`} has both training images and images to evaluate`,
      where: training,
      expected: `names as in the table: ${someOf(evaluated)}`,
      got: someOf(known),
    });
  }
}

function namesOf(
  groups: readonly CountedGroup[],
  nameOf: (group: CountedGroup) => string | null | undefined,
): string[] {
  return [...new Set(groups.map(nameOf))].filter((name) => name !== null && name !== undefined);
}
