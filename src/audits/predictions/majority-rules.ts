/**
 * Which value of each cue goes with each class: said, told by a column, or by the one rule of `core/majority-values.ts`
 * from what the dataset declares and what training shows.
 */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { type MajorityValue, majorityValues } from "../../core/majority-values.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { PredictionsAbout } from "../../core/predictions-about.ts";
import { cellsOf, type PredictionCounts } from "../../metrics/counts.ts";
import { type MajorityRule, trainingTable } from "../../metrics/cue-halves.ts";
import { attributeText, someOf } from "../../predictions/codebook.ts";

/** That a cue's value goes with a class. */
export interface MajorityChoice {
  cue: string;
  label: string;
  value: string;
}

export interface CueRule {
  name: string;
  majority: MajorityRule;
  /** In words, for reports. */
  origin: "said" | "column" | "declared by the dataset" | "most frequent in training";
  /** Of each class: its value and why it is that one; empty where it is said or told by a column. */
  classes: readonly ClassMajority[];
}

interface ClassMajority {
  class: string;
  value: string | null;
  why: MajorityValue["why"];
  /** What the dataset declares, where it does. */
  declared: string | null;
}

export interface MajoritySources {
  said: readonly MajorityChoice[];
  columns: ReadonlyMap<string, string>;
  about: PredictionsAbout | undefined;
}

/** The rule of a cue, or undefined where nothing tells. */
export function majorityRule(
  counts: PredictionCounts,
  cue: string,
  { said, columns, about }: MajoritySources,
): CueRule | undefined {
  const choices = said.filter((choice) => choice.cue === cue);
  if (choices.length > 0) {
    const values = saidValues(counts, cue, choices);
    return { name: cue, majority: { by: "values", values }, origin: "said", classes: [] };
  }
  const column = columns.get(cue);
  if (column !== undefined)
    return { name: cue, majority: { by: "column", column }, origin: "column", classes: [] };
  const declared = declaredValues(counts, cue, about);
  const trained = cellsOf(counts, [cue]).some(({ train }) => train !== null);
  if (declared === undefined && !trained) return undefined;
  const valueNames = lookUp(counts.valueNames, cue);
  const nameOf = (value: number | undefined) => (value === undefined ? undefined : valueNames[value]);
  const majority = majorityValues(trainingTable(counts, cue), declared);
  const classes = majority.map(({ value, why }, label) => ({
    class: counts.classNames[label]!,
    value: nameOf(value) ?? null,
    why,
    declared: nameOf(declared?.[label]) ?? null,
  }));
  return {
    name: cue,
    majority: { by: "values", values: majority.map(({ value }) => nameOf(value)) },
    origin:
      declared && classes.every(({ why }) => why !== "contradicted")
        ? "declared by the dataset"
        : "most frequent in training",
    classes,
  };
}

/** Where a majority is not what the dataset declares, or cannot be told. */
export function majorityRemarks(rules: readonly CueRule[]): string[] {
  return rules.flatMap(({ name, classes }) => {
    const of = (why: MajorityValue["why"]) => classes.filter((each) => each.why === why);
    const [contradicted, tied] = [of("contradicted"), of("tie")];
    return [
      ...(contradicted.length === 0
        ? []
        : [
            `${name}: the majority is what training shows most, not what the dataset declares: ${someOf(
              contradicted.map((each) => `${each.value} and not ${each.declared} for class ${each.class}`),
              4,
            )}`,
          ]),
      ...(tied.length === 0
        ? []
        : [
            `${name}: two values are equally frequent in training for class ${someOf(
              tied.map((each) => each.class),
              4,
            )}`,
          ]),
    ];
  });
}

function saidValues(
  { classNames, valueNames: names }: PredictionCounts,
  cue: string,
  choices: readonly MajorityChoice[],
): (string | undefined)[] {
  const valueNames = lookUp(names, cue);
  for (const { label, value } of choices) {
    refuseUnknown(label, classNames, "class", cue);
    refuseUnknown(value, valueNames, `value of ${cue}`, cue);
  }
  return classNames.map((name) => choices.find(({ label }) => label === name)?.value);
}

/** As places among the counted values, by class; a value that nothing was counted of is a value all the same. */
function declaredValues(
  { classNames, valueNames }: PredictionCounts,
  cue: string,
  about: PredictionsAbout | undefined,
): (number | undefined)[] | undefined {
  const { classValues, valueNames: declared } = about?.attributes.get(cue) ?? {};
  if (!about || !classValues || !declared) return undefined;
  const counted = lookUp(valueNames, cue);
  return classNames.map((name) => {
    const value = declared[classValues[about.classNames.indexOf(name)] ?? -1];
    const place = value === undefined ? -1 : counted.indexOf(attributeText(value));
    return place < 0 ? undefined : place;
  });
}

function refuseUnknown(name: string, names: readonly string[], what: string, cue: string): void {
  if (names.includes(name)) return;
  throw new CuelabError({
    kind: "usage",
    what: `there is no ${what} "${name}"`,
    where: `--majority ${cue}:…`,
    expected: `one of: ${someOf(names)}`,
    ...didYouMean(name, names),
  });
}
