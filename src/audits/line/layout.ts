/** Which columns are asked about, and how rows become points: given on the command line, or told by well-known names. */

import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import type { AccuracyTable } from "../../predictions/accuracies/column-table.ts";
import { hasColumn } from "../../predictions/accuracies/open-accuracies.ts";

export interface LineColumns {
  /** Columns of ID accuracies: each is taken by itself, and several also by their mean. */
  id?: readonly string[] | undefined;
  ood?: readonly string[] | undefined;
  /** Subgroups that are fitted apart as well. */
  by?: readonly string[] | undefined;
  weights?: string | undefined;
  /**
   * Rows with the same values here belong together, such as checkpoints of one training: intervals count them as one. Unless told,
   * those of a column that names draws, runs or models and repeats; false: none do.
   */
  cluster?: readonly string[] | false | undefined;
  /** Every environment in turn is OOD and all others are ID; `[]`: those that are recognised. */
  leaveOneOut?: readonly string[] | undefined;
  /** Instead: exactly these, each for the rows that left out what it says, if it does. */
  pairs?: readonly LinePair[] | undefined;
  /** Which environment was left out when the row's model was trained. */
  testEnvironment?: string | undefined;
  /** In tables with a row for each model and environment: the environment of the row. */
  environment?: string | undefined;
  /** In such tables with one column of accuracies: that column; ID and OOD then name environments. */
  accuracy?: string | undefined;
  /** Which columns tell models apart in such tables. */
  model?: readonly string[] | undefined;
}

/** One accuracy, or the mean of several, and another. */
interface LinePair {
  id: readonly string[];
  ood: string;
  /** The environment that rows must have left out. */
  testEnvironment?: string;
}

/** One column an environment. */
export interface WideLayout {
  kind: "wide";
  pairs: readonly LinePair[];
  testColumn: string | undefined;
}

/** A row a model and ID environment, with that ID accuracy and the model's OOD accuracy. */
export interface PairedLayout {
  kind: "paired";
  id: string;
  ood: string;
  environment: string;
  model: readonly string[] | undefined;
  /** Rows with other values here are of other splits, never of one. */
  splitBy: readonly string[];
}

/** A row a model and environment, with one accuracy. */
export interface LongLayout {
  kind: "long";
  accuracy: string;
  environment: string;
  model: readonly string[];
  /** Environments; undefined: each in turn is OOD. */
  id: readonly string[] | undefined;
  ood: readonly string[] | undefined;
}

export type LineLayout = WideLayout | PairedLayout | LongLayout;

const environmentColumn = /^env(\d+)_out_acc$/;
const testColumns = ["args.test_envs", "test_envs", "test_env", "args.test_env"];

export function layoutOf(
  table: AccuracyTable,
  columns: LineColumns,
): { layout: LineLayout; remarks: string[] } {
  const { id, ood, environment, accuracy, model, leaveOneOut, pairs } = columns;
  const asked = [
    ...(accuracy === undefined ? [...(id ?? []), ...(ood ?? [])] : [accuracy]),
    ...[columns.weights, environment, columns.testEnvironment].filter((name) => name !== undefined),
    ...(columns.by ?? []),
    ...(columns.cluster || []),
    ...(model ?? []),
    ...(leaveOneOut ?? []),
    ...(pairs ?? []).flatMap((pair) => [...pair.id, pair.ood]),
  ];
  for (const name of asked) requireColumn(table, name);
  if (pairs !== undefined) return pairLayout(pairs, columns);
  if (accuracy !== undefined) {
    if (environment === undefined) throw needs("--accuracy", "--environment, the column of environments");
    if (model === undefined) throw needs("--accuracy", "--model, the columns that tell models apart");
    return { layout: { kind: "long", accuracy, environment, model, id, ood }, remarks: [] };
  }
  if (leaveOneOut !== undefined) return leaveOneOutLayout(table, columns, leaveOneOut);
  if (id !== undefined || ood !== undefined) {
    if (id === undefined || ood === undefined)
      throw id === undefined
        ? needs("--ood", "--id, the columns of in-distribution accuracies", table)
        : needs("--id", "--ood, the columns of out-of-distribution accuracies", table);
    if (environment === undefined) return { layout: wide(id, ood), remarks: pooledRemark(table, columns) };
    if (id.length > 1 || ood.length > 1)
      throw needs("--environment", "one column of ID and one of OOD accuracies");
    return {
      layout: { kind: "paired", id: id[0]!, ood: ood[0]!, environment, model, splitBy: [] },
      remarks: [],
    };
  }
  return recognised(table, columns);
}

/** With the columns that patterns such as `test.acc_y:*` stand for. */
export function namedColumns(table: AccuracyTable, columns: LineColumns): LineColumns {
  const named = (names: readonly string[] | undefined) =>
    names && [...new Set(names.flatMap((name) => columnsLike(table, name)))];
  if (columns.accuracy !== undefined) return columns;
  return {
    ...columns,
    id: named(columns.id),
    ood: named(columns.ood),
    leaveOneOut: named(columns.leaveOneOut),
  };
}

function columnsLike(table: AccuracyTable, name: string): string[] {
  if (!name.includes("*") || hasColumn(table, name)) return [name];
  const parts = name.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`);
  const found = table.columns.filter((column) => pattern.test(column));
  if (found.length > 0) return found;
  throw new CuelabError({
    kind: "usage",
    what: `no column is like "${name}"`,
    where: table.path,
    got: `columns ${table.columns.join(", ")}`,
  });
}

/** Such tables have a row for each environment that a model was trained on. */
function pooledRemark({ columns }: AccuracyTable, { by = [] }: LineColumns): string[] {
  if (!columns.includes("train_env") || by.includes("train_env")) return [];
  return [
    "there is a column train_env: if models have a row for each, --environment train_env takes their mean",
  ];
}

function wide(ids: readonly string[], oods: readonly string[]): WideLayout {
  const pairs = oods.flatMap((ood) => {
    const others = ids.filter((id) => id !== ood);
    return others.length === 0 ? [] : withMean(others).map((id) => ({ id, ood }));
  });
  if (pairs.length === 0) throw needs("--ood", "other columns than --id");
  return { kind: "wide", pairs, testColumn: undefined };
}

/** The mean of all first: it is what the paper's first tables show. */
export function withMean(ids: readonly string[]): (readonly string[])[] {
  return ids.length > 1 ? [ids, ...ids.map((id) => [id])] : [ids];
}

function pairLayout(
  pairs: readonly LinePair[],
  { testEnvironment: testColumn }: LineColumns,
): { layout: WideLayout; remarks: string[] } {
  return {
    layout: { kind: "wide", pairs, testColumn },
    remarks: testColumn === undefined ? [] : [leftOutRemark(testColumn)],
  };
}

function leftOutRemark(testColumn: string): string {
  return `each environment is OOD for the rows whose ${testColumn} says so`;
}

function leaveOneOutLayout(
  table: AccuracyTable,
  { testEnvironment }: LineColumns,
  given: readonly string[],
): { layout: WideLayout; remarks: string[] } {
  const environments =
    given.length > 0 ? given : table.columns.filter((name) => environmentColumn.test(name));
  if (environments.length < 2) {
    throw new CuelabError({
      kind: "usage",
      what: "there are fewer than two environments to leave out in turn",
      where: table.path,
      expected: "columns env0_out_acc, env1_out_acc, …, or their names after --leave-one-out",
      got: `columns ${table.columns.join(", ")}`,
    });
  }
  const testColumn = testEnvironment ?? testColumns.find((name) => hasColumn(table, name));
  const pairs = environments.flatMap((ood, place) =>
    withMean(environments.filter((name) => name !== ood)).map((id) => ({
      id,
      ood,
      ...(testColumn === undefined
        ? {}
        : { testEnvironment: environmentColumn.exec(ood)?.[1] ?? String(place) }),
    })),
  );
  const remark =
    testColumn === undefined
      ? "no column tells which environment was left out: every row counts for every split"
      : leftOutRemark(testColumn);
  return { layout: { kind: "wide", pairs, testColumn }, remarks: [remark] };
}

/** Tables whose columns speak for themselves. */
function recognised(table: AccuracyTable, columns: LineColumns): { layout: LineLayout; remarks: string[] } {
  const has = (...names: string[]) => names.every((name) => table.columns.includes(name));
  if (has("x", "y", "train_env", "test_env")) {
    const splitBy = [...(has("dataset") ? ["dataset"] : []), "test_env"];
    return {
      layout: { kind: "paired", id: "x", ood: "y", environment: "train_env", model: columns.model, splitBy },
      remarks: ["read as ID accuracies x in train_env and OOD accuracies y, a split for each test_env"],
    };
  }
  if (table.columns.some((name) => environmentColumn.test(name)))
    return leaveOneOutLayout(table, columns, []);
  throw new CuelabError({
    kind: "usage",
    what: "the table does not say by itself which accuracies are ID and which are OOD",
    where: table.path,
    got: `columns ${table.columns.join(", ")}`,
    todo: "name them: --id <columns> --ood <column>, or --leave-one-out <columns>",
  });
}

function requireColumn(table: AccuracyTable, name: string): void {
  if (hasColumn(table, name)) return;
  const close = nearest(name, table.columns);
  throw new CuelabError({
    kind: "usage",
    what: `the table has no column "${name}"`,
    where: table.path,
    got: `columns ${table.columns.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function needs(option: string, what: string, table?: Pick<AccuracyTable, "path" | "columns">): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${option} needs ${what}`,
    ...(table && { where: table.path, got: `columns ${table.columns.join(", ")}` }),
  });
}
