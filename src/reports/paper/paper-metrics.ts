/** The numbers of a paper's table, by the words that people choose them with: accuracy, worst-group, gap:background, … */

import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import type { EvaluationReport } from "../../audits/predictions/evaluation-report.ts";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { StoredRun } from "../../runs/run-list.ts";
import { aboutRun } from "../../training/about-run.ts";
import { slicesIn, wholeNames } from "../comparison.ts";

export interface PaperMetric {
  /** As it was asked for. */
  name: string;
  title: string;
  better: "higher" | "lower";
  /** Attributes that make its groups beside the class, where it names any. */
  groups: readonly string[] | undefined;
  of: (report: EvaluationReport, run: StoredRun) => number | null;
}

interface MetricKind {
  title: string;
  better: "higher" | "lower";
  /** What stands after the colon: nothing, groups by +, or cues by +. */
  takes: "nothing" | "groups" | "cues";
  of: (report: EvaluationReport, name: string) => number | null;
}

const kinds: Readonly<Record<string, MetricKind>> = {
  accuracy: { title: "accuracy", better: "higher", takes: "nothing", of: ({ accuracy }) => accuracy.samples },
  "worst-group": {
    title: "worst group",
    better: "higher",
    takes: "groups",
    of: ({ worstGroup }) => worstGroup.accuracy,
  },
  "mean-per-group": {
    title: "mean of groups",
    better: "higher",
    takes: "groups",
    of: ({ accuracy }) => accuracy.meanPerGroup,
  },
  "train-weighted": {
    title: "weighted as in training",
    better: "higher",
    takes: "groups",
    of: ({ accuracy }) => accuracy.trainWeighted,
  },
  "in-distribution": {
    title: "I.D. accuracy",
    better: "higher",
    takes: "nothing",
    of: ({ gaps }) => gaps?.inDistribution ?? null,
  },
  gap: {
    title: "gap",
    better: "higher",
    takes: "cues",
    of: ({ gaps }, name) => gaps?.cells.find(({ uncommon }) => isSame(uncommon, name))?.gap ?? null,
  },
  mmd: { title: "MMD", better: "lower", takes: "cues", of: ({ cues }, name) => cues[name]?.mmd ?? null },
  majority: {
    title: "majority of",
    better: "higher",
    takes: "cues",
    of: ({ cues }, name) => cues[name]?.majority ?? null,
  },
  minority: {
    title: "minority of",
    better: "higher",
    takes: "cues",
    of: ({ cues }, name) => cues[name]?.minority ?? null,
  },
  "calibration-error": {
    title: "calibration error",
    better: "lower",
    takes: "nothing",
    of: ({ calibration }) => calibration?.error ?? null,
  },
};

/** For help pages. */
export const paperMetricWords =
  "accuracy, worst-group[:attributes by +], mean-per-group[:…], gap:cue[+cue], mmd:cue, majority:cue, minority:cue, in-distribution, train-weighted, calibration-error, or a slice such as val";

function isSame(uncommon: readonly string[], name: string): boolean {
  return [...uncommon].sort().join("+") === name.split("+").sort().join("+");
}

/** Words that name no metric and no slice are refused; slices have commas in their names, which a list has cut. */
export function paperMetrics(words: readonly string[], runs: readonly StoredRun[]): PaperMetric[] {
  const slices = slicesIn(runs);
  return wholeNames(words, slices).map((word) => {
    const [head = "", ...rest] = word.split(":");
    const kind = kinds[head];
    const after = rest.join(":");
    if (kind === undefined) {
      if (slices.includes(word)) return sliceMetric(word);
      throw refused(word, `no metric and no slice is called "${word}"`, [...Object.keys(kinds), ...slices]);
    }
    if (kind.takes === "cues" && after === "") throw refused(word, `${head} of which cue?`, []);
    if (kind.takes === "nothing" && word.includes(":"))
      throw refused(word, `${head} takes nothing after a colon`, []);
    return {
      name: word,
      title: after === "" ? kind.title : `${kind.title} ${after.replaceAll("+", " + ")}`,
      better: kind.better,
      groups: kind.takes === "groups" && after !== "" ? after.split("+") : undefined,
      of: (report) => kind.of(report, after),
    };
  });
}

function sliceMetric(slice: string): PaperMetric {
  return {
    name: slice,
    title: slice,
    better: "higher",
    groups: undefined,
    of: (_, { accuracy }) => accuracy.find((row) => row.slice === slice)?.accuracy ?? null,
  };
}

function refused(word: string, what: string, known: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what,
    where: "--metrics",
    expected: `some of: ${paperMetricWords}`,
    ...didYouMean(word, known),
  });
}

export interface MeasuredMetrics {
  /** By the metric's name; null where this dataset has no such thing. */
  values: Map<string, number | null>;
  /** What may stand after a colon here. */
  cues: string[];
}

/** One evaluation of the test split, and one more for each choice of groups. */
export async function measurePaperRun(
  run: StoredRun,
  metrics: readonly PaperMetric[],
  signal?: AbortSignal,
): Promise<MeasuredMetrics> {
  const reports = new Map<string, EvaluationReport | null>();
  const reportOf = async (groups: readonly string[] | undefined) => {
    const key = groups?.join("+") ?? "";
    if (!reports.has(key)) reports.set(key, await evaluated(run.folder, groups, signal));
    return reports.get(key)!;
  };
  const values = new Map<string, number | null>();
  for (const metric of metrics) {
    const report = await reportOf(metric.groups);
    values.set(metric.name, report === null ? null : metric.of(report, run));
  }
  return { values, cues: Object.keys((await reportOf(undefined))?.cues ?? {}) };
}

/** Null where this dataset has no such attributes: another column's may. */
async function evaluated(
  folder: string,
  groups: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<EvaluationReport | null> {
  try {
    return await evaluatePredictions({
      tables: [folder],
      aboutRun,
      alphas: [],
      signal,
      ...(groups && { groups: ["class", ...groups.filter((name) => name !== "class")] }),
    });
  } catch (cause) {
    if (groups !== undefined && cause instanceof CuelabError && cause.kind === "usage") return null;
    throw cause;
  }
}
