/** From columns to pairs of ID and OOD accuracies, one set for each split. */

import { CuelabError } from "../../core/errors.ts";
import { byAppearance, type DisjointGroups, groupsOf } from "../../core/grouping.ts";
import { lookUp } from "../../core/look-up.ts";
import type { AccuracyTexts, ReadColumns } from "../../predictions/accuracies/column-table.ts";
import type { LineLayout, LongLayout, PairedLayout, WideLayout } from "./layout.ts";
import { withMean } from "./layout.ts";

/** Pairs of one split; NaN where an accuracy is missing. */
export interface SplitPoints {
  id: readonly string[];
  ood: string;
  /** Which part of the table it is, where that is no subgroup of another split. */
  part: Readonly<Record<string, string>>;
  x: Float64Array;
  y: Float64Array;
  weights: Float64Array | undefined;
  /** Rows of the table, or of the models made of it, to look subgroups up in. */
  groups: Uint32Array | undefined;
  /** Of each point the code of those that it belongs together with. */
  clusters: Uint32Array | undefined;
}

export interface PointsRequest {
  layout: LineLayout;
  columns: ReadColumns;
  weights: string | undefined;
  /** A code a row. */
  grouping: Uint32Array | undefined;
  /** The same of clusters. */
  clustering: Uint32Array | undefined;
}

export function splitPoints(request: PointsRequest): { splits: SplitPoints[]; remarks: string[] } {
  const { layout } = request;
  switch (layout.kind) {
    case "wide":
      return widePoints(layout, request);
    case "paired":
      return pairedPoints(layout, request);
    case "long":
      return longPoints(layout, request);
    default:
      return layout satisfies never;
  }
}

function widePoints(
  { pairs, testColumn }: WideLayout,
  { columns, weights, grouping, clustering }: PointsRequest,
): { splits: SplitPoints[]; remarks: string[] } {
  const tests = testColumn === undefined ? undefined : lookUp(columns.texts, testColumn);
  const splits = pairs.map(({ id, ood, testEnvironment }): SplitPoints => {
    const rows =
      tests && testEnvironment !== undefined
        ? rowsWith(tests, (text) => names(text, testEnvironment, ood))
        : undefined;
    return {
      id,
      ood,
      part: {},
      x: take(meanOf(id.map((name) => lookUp(columns.numbers, name))), rows),
      y: take(lookUp(columns.numbers, ood), rows),
      weights: weights === undefined ? undefined : take(lookUp(columns.numbers, weights), rows),
      groups: grouping && take(grouping, rows),
      clusters: clustering && take(clustering, rows),
    };
  });
  if (tests === undefined) return { splits, remarks: [] };
  // Environments that were never left out have no rows of their own.
  const empty = new Set(splits.filter(({ x }) => x.length === 0).map(({ ood }) => ood));
  const filled = splits.filter(({ ood }) => !empty.has(ood));
  if (filled.length === 0 && columns.rows > 0) throw neverLeftOut(testColumn!, tests);
  return {
    splits: filled,
    remarks: empty.size === 0 ? [] : [`never left out, so without a split: ${[...empty].join(", ")}`],
  };
}

/** `[2]`, `2` and `2.0` name environment 2, and `sketch` the one of column sketch_acc; of several left out, each counts. */
function names(text: string, environment: string, column: string): boolean {
  const parts = text.replaceAll(/[[\]()"' ]/g, "").split(",");
  return parts.some(
    (part) => part.replace(/\.0+$/, "") === environment || part === column || column.startsWith(`${part}_`),
  );
}

function pairedPoints(
  layout: PairedLayout,
  { columns, weights, grouping, clustering }: PointsRequest,
): { splits: SplitPoints[]; remarks: string[] } {
  const [x, y] = [lookUp(columns.numbers, layout.id), lookUp(columns.numbers, layout.ood)];
  const weight = weights === undefined ? undefined : lookUp(columns.numbers, weights);
  const remarks: string[] = [];
  const splits = partsOf(layout.splitBy, columns).flatMap(({ part, rows }) => {
    const inEnvironment = byValue(layout.environment, columns, rows);
    const single = inEnvironment.map(
      ([name, these]): SplitPoints => ({
        id: [`${layout.id} (${layout.environment} ${name})`],
        ood: layout.ood,
        part,
        x: take(x, these),
        y: take(y, these),
        weights: weight && take(weight, these),
        groups: grouping && take(grouping, these),
        clusters: clustering && take(clustering, these),
      }),
    );
    if (inEnvironment.length < 2) return single;
    const models = modelsOf(
      layout,
      columns,
      inEnvironment.map(([, these]) => these),
    );
    if (typeof models === "string") {
      const where = Object.entries(part)
        .map(([name, value]) => `${name} ${value}: `)
        .join("");
      remarks.push(`${where}no mean over ${layout.environment}, since ${models}`);
      return single;
    }
    const [first] = models as [Uint32Array];
    const mean: SplitPoints = {
      id: inEnvironment.map(([name]) => `${layout.id} (${layout.environment} ${name})`),
      ood: layout.ood,
      part,
      x: meanOf(models.map((these) => take(x, these))),
      y: take(y, first),
      weights: weight && take(weight, first),
      groups: grouping && take(grouping, first),
      clusters: clustering && take(clustering, first),
    };
    return [mean, ...single];
  });
  return { splits, remarks };
}

/** For each environment, the rows of the same models in the same order; a text where they cannot be told. */
function modelsOf(
  { model, ood }: PairedLayout,
  columns: ReadColumns,
  environments: readonly Uint32Array[],
): Uint32Array[] | string {
  const y = lookUp(columns.numbers, ood);
  const keys = model && combined(model, columns);
  const [first, ...others] = environments as [Uint32Array, ...Uint32Array[]];
  const ordered = keys === undefined ? environments : environments.map((rows) => sortedBy(rows, keys));
  if (others.some((rows) => rows.length !== first.length)) {
    return `environments have different numbers of rows (${environments.map((rows) => rows.length).join(", ")})`;
  }
  for (let i = 0; i < first.length; i++) {
    for (const rows of ordered.slice(1)) {
      const [a, b] = [ordered[0]![i]!, rows[i]!];
      if (keys !== undefined && keys[a] !== keys[b]) return "some models lack an environment";
      if (y[a] !== y[b] && !(Number.isNaN(y[a]!) && Number.isNaN(y[b]!))) {
        return `row ${i + 1} of each environment has another ${ood}, so they are not of one model; tell models apart with --model`;
      }
    }
  }
  return [...ordered];
}

function longPoints(
  layout: LongLayout,
  { columns, weights, grouping, clustering }: PointsRequest,
): { splits: SplitPoints[]; remarks: string[] } {
  const environment = lookUp(columns.texts, layout.environment);
  const accuracy = lookUp(columns.numbers, layout.accuracy);
  const keys = combined(layout.model, columns);
  const models = keys.reduce((most, key) => Math.max(most, key + 1), 0);
  const table = environment.values.map(() => new Float64Array(models).fill(Number.NaN));
  const firstRow = new Int32Array(models).fill(-1);
  for (let row = 0; row < columns.rows; row++) {
    const [key, code] = [keys[row]!, environment.codes[row]!];
    if (!Number.isNaN(table[code]![key]!)) throw twice(layout, columns, row);
    table[code]![key] = accuracy[row]!;
    if (firstRow[key] === -1) firstRow[key] = row;
  }
  const known = (list: readonly string[] | undefined) =>
    list?.map((name) => {
      if (environment.values.includes(name)) return name;
      throw unknownEnvironment(layout.environment, name, environment.values);
    });
  const oods = known(layout.ood) ?? environment.values;
  const ids = known(layout.id) ?? environment.values;
  const rows = Uint32Array.from(firstRow);
  const splits = oods.flatMap((ood) =>
    withMean(ids.filter((id) => id !== ood)).map(
      (id): SplitPoints => ({
        id,
        ood,
        part: {},
        x: meanOf(id.map((name) => table[environment.values.indexOf(name)]!)),
        y: table[environment.values.indexOf(ood)]!,
        weights: weights === undefined ? undefined : take(lookUp(columns.numbers, weights), rows),
        groups: grouping && take(grouping, rows),
        clusters: clustering && take(clustering, rows),
      }),
    ),
  );
  return { splits, remarks: [] };
}

/** The arithmetic mean of accuracies, before any transform; NaN where one is missing. */
function meanOf(columns: readonly Float64Array[]): Float64Array {
  if (columns.length === 1) return columns[0]!;
  return columns[0]!.map((_, i) => columns.reduce((sum, column) => sum + column[i]!, 0) / columns.length);
}

/** Rows by the values of several columns, in the order of their values. */
function partsOf(
  by: readonly string[],
  columns: ReadColumns,
): { part: Readonly<Record<string, string>>; rows: Uint32Array | undefined }[] {
  if (by.length === 0) return [{ part: {}, rows: undefined }];
  const groups = textGroups(by, columns);
  return Array.from(groups.sizes, (_, code) => ({
    part: groups.group(code).values,
    rows: groups.members(code),
  }));
}

/** The rows of each value, among all or some. */
function byValue(name: string, columns: ReadColumns, rows: Uint32Array | undefined): [string, Uint32Array][] {
  const groups = textGroups([name], columns, rows);
  return Array.from(groups.sizes, (_, code) => {
    const places = groups.members(code);
    return [groups.group(code).values[name]!, rows === undefined ? places : places.map((i) => rows[i]!)];
  });
}

export function textGroups(
  by: readonly string[],
  { texts }: ReadColumns,
  rows?: Uint32Array,
): DisjointGroups {
  const attributes = by.map((name) => {
    const { codes, values } = lookUp(texts, name);
    return [name, { values: codes, valueNames: values }];
  });
  return groupsOf({ attributes: Object.fromEntries(attributes) }, { by }, rows);
}

/**
 * One code for each combination that occurs, which tells models or clusters apart. In order of appearance: points come in
 * the order of their models, and resampling draws clusters by number.
 */
export function combined(names: readonly string[], columns: ReadColumns): Uint32Array {
  return Uint32Array.from(byAppearance(textGroups(names, columns)).codes);
}

function sortedBy(rows: Uint32Array, keys: Uint32Array): Uint32Array {
  return Uint32Array.from(rows).sort((a, b) => keys[a]! - keys[b]!);
}

function rowsWith({ codes, values }: AccuracyTexts, wanted: (text: string) => boolean): Uint32Array {
  const keep = values.map(wanted);
  const rows: number[] = [];
  for (let row = 0; row < codes.length; row++) if (keep[codes[row]!] === true) rows.push(row);
  return Uint32Array.from(rows);
}

function take<A extends Float64Array | Uint32Array>(values: A, rows: Uint32Array | undefined): A {
  if (rows === undefined) return values;
  const taken = values.slice(0, rows.length) as A;
  for (let i = 0; i < rows.length; i++) taken[i] = values[rows[i]!]!;
  return taken;
}

function twice({ environment, model }: LongLayout, columns: ReadColumns, row: number): CuelabError {
  const value = (name: string) => {
    const { codes, values } = lookUp(columns.texts, name);
    return `${name} ${values[codes[row]!]}`;
  };
  return new CuelabError({
    kind: "input",
    what: "a model has two accuracies in one environment",
    where: `row ${row + 1}`,
    got: [...model, environment].map(value).join(", "),
    todo: "give --model all columns that tell models apart, such as the seed and the step",
  });
}

function unknownEnvironment(column: string, name: string, values: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${column} has no value "${name}"`,
    expected: `one of: ${values.join(", ")}`,
  });
}

function neverLeftOut(column: string, { values }: AccuracyTexts): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `no row's ${column} names one of the environments`,
    expected: "the number of an environment, such as 2 or [2]",
    got: values.slice(0, 12).join(", "),
    todo: "name another column with --test-env",
  });
}
