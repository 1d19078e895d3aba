/**
 * The sets of images that every classifier of a pool is measured on, each with the name of its column: the parts of the
 * environments, and within each part the groups that the class makes together with chosen attributes.
 */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { columnWords, mostGroups } from "../../core/group-words.ts";
import { checkColumnNames } from "../../formats/own-columns.ts";
import { attributeNamed, type EnvironmentPlan } from "../environments.ts";
import { accuracyColumn, groupColumn } from "./pool-table.ts";

type Columns = Pick<Dataset, "name" | "labels" | "classNames" | "attributes">;

export interface MeasuredSet {
  column: string;
  /** Position in the plan. */
  environment: number;
  part: "in" | "out";
  /** The class under `class` and the value of each attribute, as the dataset spells them; none for a whole part. */
  group?: Readonly<Record<string, string>>;
  /** Of the dataset. */
  indices: Uint32Array;
}

export interface MeasuredSetOptions {
  /** Attributes that make groups together with the class; none, no groups. */
  groups: readonly string[];
  /** Images of an in part that are measured at most. */
  testImages: number;
}

export interface MeasuredSets {
  /** Parts first, then their groups, in the order of the table's columns. */
  sets: MeasuredSet[];
  /** Groups that would have a column if they had images. */
  empty: MeasuredSet[];
}

export function measuredSets(
  { environments }: EnvironmentPlan,
  dataset: Columns,
  { groups, testImages }: MeasuredSetOptions,
): MeasuredSets {
  const parts = (["in", "out"] as const).flatMap((part) =>
    environments.flatMap(({ inPart, outPart }, environment): MeasuredSet[] => {
      const indices = part === "in" ? evenly(inPart, testImages) : outPart;
      if (indices.length === 0) return [];
      return [{ column: accuracyColumn(environment, part), environment, part, indices }];
    }),
  );
  if (groups.length === 0) return { sets: parts, empty: [] };
  const grouping = groupingOf(dataset, groups);
  const all = parts.flatMap(({ environment, part, indices }) => {
    const members = grouping.values.map((): number[] => []);
    for (const index of indices) members[grouping.code(index)]!.push(index);
    return grouping.values.map(
      ({ group, words }, code): MeasuredSet => ({
        column: groupColumn(environment, part, words),
        environment,
        part,
        group,
        indices: Uint32Array.from(members[code]!),
      }),
    );
  });
  return {
    sets: [...parts, ...all.filter(({ indices }) => indices.length > 0)],
    empty: all.filter(({ indices }) => indices.length === 0),
  };
}

/** The attributes in the dataset's order, so that equal choices are one pool. The class, which is always part, may be named. */
export function groupAttributes(dataset: Columns, given: readonly string[]): string[] {
  const names = given.filter((name) => name !== "class" || Object.hasOwn(dataset.attributes, name));
  if (names.length === 0 && given.length > 0) {
    throw new CuelabError({
      kind: "usage",
      what: "groups of the class alone are not measured: class is part of every group",
      expected: `some of: ${Object.keys(dataset.attributes).join(", ")}`,
      todo: "name attributes as well after --groups",
    });
  }
  for (const [i, name] of names.entries()) {
    attributeNamed(dataset, name);
    if (names.indexOf(name) === i) continue;
    throw new CuelabError({
      kind: "usage",
      what: `attribute "${name}" is named twice`,
      got: names.join(", "),
    });
  }
  return Object.keys(dataset.attributes).filter((name) => names.includes(name));
}

interface Grouping {
  /** Every combination, the last attribute varying fastest; `words` fit into a column's name. */
  values: { group: Record<string, string>; words: Record<string, string> }[];
  code: (index: number) => number;
}

export function groupingOf(dataset: Columns, names: readonly string[]): Grouping {
  checkColumnNames(names, "groups", {
    where: dataset.name,
    todo: "rename that column in your table; the class itself is part of every group",
  });
  const columns = [
    { name: "class", codes: dataset.labels, valueNames: dataset.classNames },
    ...names.map((name) => {
      const { values, valueNames } = attributeNamed(dataset, name);
      return { name, codes: values, valueNames };
    }),
  ];
  const count = columns.reduce((product, { valueNames }) => product * valueNames.length, 1);
  if (count > mostGroups) {
    throw new CuelabError({
      kind: "usage",
      what: `there are ${count.toLocaleString("en")} groups`,
      where: dataset.name,
      expected: `at most ${mostGroups}`,
      got: columns.map(({ name, valueNames }) => `${name} (${valueNames.length})`).join(" × "),
      todo: "name fewer attributes after --groups",
    });
  }
  const titles = columnWords(columns.map(({ name }) => name));
  const words = columns.map(({ valueNames }) => columnWords(valueNames));
  const values = Array.from({ length: count }, (_, combination) => {
    let rest = combination;
    const codes = columns
      .map(({ valueNames: { length } }) => length)
      .reverse()
      .map((length) => {
        const code = rest % length;
        rest = Math.floor(rest / length);
        return code;
      })
      .reverse();
    return {
      group: Object.fromEntries(columns.map(({ name, valueNames }, i) => [name, valueNames[codes[i]!]!])),
      words: Object.fromEntries(codes.map((code, i) => [titles[i]!, words[i]![code]!])),
    };
  });
  return {
    values,
    code: (index) =>
      columns.reduce((code, { codes, valueNames }) => code * valueNames.length + codes[index]!, 0),
  };
}

/** As many as there may be, evenly taken. */
function evenly(indices: Uint32Array, most: number): Uint32Array {
  const taken = Math.min(indices.length, most);
  return Uint32Array.from({ length: taken }, (_, i) => indices[Math.floor((i * indices.length) / taken)]!);
}
