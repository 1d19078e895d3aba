/** From a pool to numbers: each split that is asked about, fitted and judged. */

import { type AuditedSplit, auditLineWithPoints } from "../../audits/line/audit-line.ts";
import { fitScaled, type LineFit } from "../../audits/line/fit.ts";
import { lineFigures } from "../../audits/line/line-figures.ts";
import { type Scale, toScale } from "../../core/accuracy-scale.ts";
import type { PoolOutcome } from "./pools.ts";
import type { MeasuredFit, MeasuredPool, MeasuredSplit, StudySplit } from "./pools-job.ts";

export async function measurePool(
  { pool, classifiers, table, idColumn, drawColumn, classes, guessing }: PoolOutcome,
  signal: AbortSignal,
): Promise<MeasuredPool> {
  const { splits, scale } = await auditLineWithPoints({
    tables: [table],
    pairs: pool.splits.map(({ name }) => ({ id: [idColumn], ood: name })),
    unit: "share",
    classes,
    by: ["family"],
    cluster: [drawColumn],
    signal,
  });
  const measured = pool.splits.map((split): MeasuredSplit => {
    const own = splits.filter(({ report }) => report.ood === split.name);
    const audited = own.find(({ report }) => report.group.family === undefined)!;
    const networks = own.find(({ report }) => report.group.family === "cnn");
    const named = { name: `${pool.dataset}: ${split.ood}`, ood: split.ood, id: ["as in training"] };
    const report = { ...audited.report, ...named };
    return {
      ...measureSplit(split, audited, scale, guessing),
      networks: networks === undefined ? null : fitOf(networks.report),
      draw: () => lineFigures({ ...audited, report }, scale, named.name).line!,
    };
  });
  return { pool, classifiers, splits: measured };
}

/**
 * Most classifiers of a pool may have learned nothing, and then they decide R. Those that are said to have learned
 * something are more than halfway from guessing to the best of the pool, at home: a rule that never looks at the OOD
 * accuracy.
 */
function measureSplit(
  split: StudySplit,
  { x, y, clusters, report }: AuditedSplit,
  scale: Scale,
  guessing: number,
): Omit<MeasuredSplit, "networks" | "draw"> {
  const [, bestId] = report.idRange!;
  const learnedFrom = (guessing + bestId) / 2;
  const from = toScale(learnedFrom, scale);
  const above = (_: number, i: number) => x[i]! > from;
  return {
    ...split,
    all: fitOf(report),
    learned: fitOf(
      fitScaled(x.filter(above), y.filter(above), {
        clusters: clusters?.filter((_, i) => x[i]! > from),
      }),
    ),
    learnedFrom,
    guessing,
    bestId,
    oodRange: report.oodRange!,
    warnings: report.warnings.map(({ kind }) => kind),
  };
}

function fitOf({
  n,
  clusters = 0,
  r,
  rLow,
  rHigh,
  slope,
  intercept,
  pValue,
  stdErr,
  verdict,
}: LineFit): MeasuredFit {
  return { points: n, draws: clusters, r, rLow, rHigh, slope, intercept, pValue, stdErr, verdict };
}
