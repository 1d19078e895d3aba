/** The audit of a table of accuracies: fits, verdicts and warnings for each split and subgroup. */

import { type Scale, transformed } from "../../core/accuracy-scale.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { randomStream } from "../../core/random.ts";
import { inValueOrder } from "../../core/value-order.ts";
import type {
  AccuracyTable,
  AccuracyTexts,
  ReadAccuracyOptions,
  ReadColumns,
} from "../../predictions/accuracies/column-table.ts";
import { type OpenAccuraciesOptions, openAccuracies } from "../../predictions/accuracies/open-accuracies.ts";
import { belonging, clusterCandidates } from "./belonging.ts";
import { convergence } from "./convergence.ts";
import { defaultThreshold, type FitOptions, fitScaled, lineScale } from "./fit.ts";
import { groupFits } from "./group-fits.ts";
import { type LineColumns, type LineLayout, layoutOf, namedColumns } from "./layout.ts";
import { imageRemarks } from "./measured-images.ts";
import { combined, type SplitPoints, splitPoints, textGroups } from "./points.ts";
import type { LineReport, SplitReport } from "./report.ts";
import { inShares, type Unit } from "./units.ts";
import { warningsOf } from "./warnings.ts";

export interface AuditLineOptions
  extends LineColumns,
    Omit<FitOptions, "weights" | "clusters">,
    OpenAccuraciesOptions,
    ReadAccuracyOptions {
  /** Files or folders; several are one table. */
  tables: readonly string[];
  /** Concluded from the values unless told. */
  unit?: Unit | undefined;
  /** How many classes there are, to know chance. */
  classes?: number | undefined;
  /** With groups: also each group at home on each group abroad. */
  groupPairs?: boolean | undefined;
  /** Also how many classifiers are enough. */
  converge?: boolean | undefined;
}

/** More subgroups than this are a mistake in `by`. */
const mostGroups = 2000;

/** A split's report with its points, for those who draw them. */
export interface AuditedSplit {
  report: SplitReport;
  /** On the scale. */
  x: Float64Array;
  y: Float64Array;
  /** Of each point, where there are any. */
  clusters?: Uint32Array | undefined;
}

export async function auditLine(options: AuditLineOptions): Promise<LineReport> {
  return (await auditLineWithPoints(options)).report;
}

export async function auditLineWithPoints(
  options: AuditLineOptions,
): Promise<{ report: LineReport; splits: AuditedSplit[]; scale: Scale; table: AccuracyTable }> {
  const { id = [], ood = [], leaveOneOut = [] } = options;
  const environments = [...id, ...ood, ...leaveOneOut];
  const table = await openAccuracies(options.tables, { ...options, environments });
  const groups = groupFits(table, options);
  const { layout, remarks } = layoutOf(table, groups?.columns ?? namedColumns(table, options));
  const aboutImages = imageRemarks(layout, table.environments);
  const accuracies = accuracyColumns(layout);
  const { by = [], weights } = options;
  const told = options.cluster === false ? [] : options.cluster;
  const candidates = told ?? clusterCandidates(table, layout, by);
  const texts = new Set([...by, ...candidates, ...textColumns(layout)]);
  const numbers = new Set([...accuracies, ...(weights === undefined ? [] : [weights])]);
  const read = await table.read({ numbers: [...numbers], texts: [...texts] }, options);
  const shares = inShares(
    new Map(accuracies.map((name) => [name, lookUp(read.numbers, name)])),
    options.unit,
  );
  const columns: ReadColumns = {
    ...read,
    numbers: new Map([...read.numbers, ...shares.columns]),
    texts: inOrder(read.texts, new Set([...by, ...listedColumns(layout)])),
  };
  const grouping = subgroupsOf(by, columns);
  const { cluster, remarks: ofClusters } =
    told === undefined ? belonging(candidates, columns) : { cluster: told, remarks: [] };
  const clustering = cluster.length === 0 ? undefined : combined(cluster, columns);
  const made = splitPoints({ layout, columns, weights, grouping: grouping?.codes, clustering });
  const scale = lineScale(options);
  const audited = made.splits.flatMap((points) => auditSplit(points, grouping, scale, options));
  return {
    scale,
    table,
    splits: audited,
    report: {
      files: options.tables,
      rows: read.rows,
      unit: shares.unit,
      transform: scale.transform,
      clip: scale.clip,
      threshold: options.threshold ?? defaultThreshold,
      confidence: options.confidence ?? 0.95,
      interval: clustering === undefined ? (options.interval ?? "fisher") : "clusters",
      cluster,
      weights: weights ?? null,
      missing: missingOf(read, [...numbers]),
      ...(groups === undefined ? {} : { environments: groups.environments }),
      splits: audited.map(({ report }) => (clustering === undefined ? report : withoutTests(report))),
      remarks: [
        ...table.remarks,
        ...remarks,
        ...(groups?.remarks ?? []),
        ...aboutImages,
        ...shares.remarks,
        ...ofClusters,
        ...made.remarks,
      ],
    },
  };
}

/** These count every row for itself, which rows of clusters are not. */
function withoutTests(report: SplitReport): SplitReport {
  return { ...report, pValue: null, stdErr: null };
}

function accuracyColumns(layout: LineLayout): string[] {
  if (layout.kind === "wide") return [...new Set(layout.pairs.flatMap(({ id, ood }) => [...id, ood]))];
  return layout.kind === "paired" ? [...new Set([layout.id, layout.ood])] : [layout.accuracy];
}

function textColumns(layout: LineLayout): string[] {
  if (layout.kind === "wide") return layout.testColumn === undefined ? [] : [layout.testColumn];
  const { environment, model = [] } = layout;
  return [environment, ...model, ...(layout.kind === "paired" ? layout.splitBy : [])];
}

/** Columns whose values are listed in the report. */
function listedColumns(layout: LineLayout): string[] {
  if (layout.kind === "wide") return [];
  return [layout.environment, ...(layout.kind === "paired" ? layout.splitBy : [])];
}

/** Values of some columns in their own order and not in that of the rows. */
function inOrder(texts: ReadColumns["texts"], names: ReadonlySet<string>): ReadColumns["texts"] {
  const ordered = [...texts].map(([name, text]): [string, AccuracyTexts] => {
    if (!names.has(name)) return [name, text];
    const { names: values, rank } = inValueOrder(text.values);
    return [name, { values, codes: text.codes.map((code) => rank[code]!) }];
  });
  return new Map(ordered);
}

interface Subgroups {
  names: readonly string[];
  codes: Uint32Array;
  /** Of each code. */
  values: readonly Readonly<Record<string, string>>[];
}

function subgroupsOf(by: readonly string[], columns: ReadColumns): Subgroups | undefined {
  if (by.length === 0) return undefined;
  const groups = textGroups(by, columns);
  if (groups.sizes.length > mostGroups) {
    throw new CuelabError({
      kind: "usage",
      what: `there are more than ${mostGroups} subgroups`,
      expected: "columns with few values after --by",
      got: by.join(", "),
    });
  }
  return {
    names: by,
    codes: Uint32Array.from(groups.codes),
    values: Array.from(groups.sizes, (_, code) => groups.group(code).values),
  };
}

/** All its points, and then each subgroup. */
function auditSplit(
  points: SplitPoints,
  groups: Subgroups | undefined,
  scale: Scale,
  options: AuditLineOptions,
): AuditedSplit[] {
  const { x, y, weights } = points;
  const whole = (i: number) =>
    !(Number.isNaN(x[i]!) || Number.isNaN(y[i]!) || Number.isNaN(weights?.[i] ?? 0));
  const keep = (_: number, i: number) => whole(i);
  const codes = points.groups?.filter(keep);
  const clean = {
    ...points,
    x: x.filter(keep),
    y: y.filter(keep),
    weights: weights?.filter(keep),
    groups: codes,
    clusters: points.clusters?.filter(keep),
  };
  const all = auditPoints(clean, {}, x.length - clean.x.length, groups, scale, options);
  if (groups === undefined || points.groups === undefined) return [all];
  // Of each group the rows, in one pass: there may be a thousand groups of a thousand rows.
  const rows = groups.values.map((): number[] => []);
  for (let i = 0; i < x.length; i++) rows[points.groups[i]!]!.push(i);
  const parts = rows.flatMap((all, code) => {
    if (all.length === 0) return [];
    const kept = all.filter(whole);
    const column = (values: Float64Array) => Float64Array.from(kept, (i) => values[i]!);
    const part = {
      ...points,
      x: column(x),
      y: column(y),
      weights: weights && column(weights),
      groups: undefined,
      clusters: points.clusters && Uint32Array.from(kept, (i) => points.clusters![i]!),
    };
    return [auditPoints(part, groups.values[code]!, all.length - kept.length, undefined, scale, options)];
  });
  return [all, ...parts];
}

function auditPoints(
  points: SplitPoints,
  subgroup: Readonly<Record<string, string>>,
  dropped: number,
  groups: Subgroups | undefined,
  scale: Scale,
  options: AuditLineOptions,
): AuditedSplit {
  const { weights, clusters } = points;
  const id = idName(points.id);
  const group = { ...points.part, ...subgroup };
  const x = transformed(points.x, scale, id);
  const y = transformed(points.y, scale, points.ood);
  const fitOptions: FitOptions = { ...options, weights, clusters };
  const fit = fitScaled(x, y, fitOptions);
  const where = Object.entries(group).map(([name, value]) => `${name} ${value}`);
  const inGroups =
    groups && points.groups ? { name: groups.names.join(", "), codes: points.groups } : undefined;
  return {
    x,
    y,
    ...(clusters && { clusters }),
    report: {
      name: [`${points.ood} on ${id}`, ...where].join(", "),
      id: points.id,
      ood: points.ood,
      group,
      ...fit,
      dropped,
      idRange: rangeOf(points.x),
      oodRange: rangeOf(points.y),
      warnings: warningsOf({ x, y, groups: inGroups }, fit, scale, fitOptions, options.classes),
      ...(options.converge === true && fit.r !== null
        ? {
            convergence: convergence(x, y, {
              random: randomStream(options.seed ?? 0, "line/convergence").at(0),
            }),
          }
        : {}),
    },
  };
}

/** Short enough for a line, and with the columns if they are few; the report has them all. */
function idName(id: readonly string[]): string {
  return id.length === 1 ? id[0]! : `mean of ${id.length <= 3 ? id.join(", ") : `${id.length} columns`}`;
}

function rangeOf(values: Float64Array): [number, number] | null {
  if (values.length === 0) return null;
  let [least, most] = [values[0]!, values[0]!];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

function missingOf({ numbers }: ReadColumns, names: readonly string[]): Record<string, number> {
  const counts = names.map((name): [string, number] => {
    let count = 0;
    for (const value of lookUp(numbers, name)) if (Number.isNaN(value)) count++;
    return [name, count];
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
