/**
 * Which value of each cue goes with each class: said, told by a column, declared by the dataset unless training
 * contradicts, or most frequent.
 */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { someOf } from "../../formats/predictions/codebook.ts";
import { cellsOf, type PredictionCounts } from "../../metrics/counts.ts";
import { frequentValues, type MajorityRule } from "../../metrics/cue-halves.ts";

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
  /** Classes with the declared value that training contradicts: another is more frequent there. */
  contradicted?: readonly { label: string; declared: string; frequent: string }[];
}

export interface MajoritySources {
  said: readonly MajorityChoice[];
  columns: ReadonlyMap<string, string>;
  dataset: Dataset | undefined;
}

/** The rule of a cue, or undefined where nothing tells. */
export function majorityRule(
  counts: PredictionCounts,
  cue: string,
  { said, columns, dataset }: MajoritySources,
): CueRule | undefined {
  const choices = said.filter((choice) => choice.cue === cue);
  if (choices.length > 0) {
    return {
      name: cue,
      majority: { by: "values", values: saidValues(counts, cue, choices) },
      origin: "said",
    };
  }
  const column = columns.get(cue);
  if (column !== undefined) return { name: cue, majority: { by: "column", column }, origin: "column" };
  const trained = cellsOf(counts, [cue]).some(({ train }) => train !== null);
  const frequent = trained ? frequentValues(counts, cue) : undefined;
  const declared = declaredValues(counts, cue, dataset);
  if (declared) return declaredRule(counts, cue, declared, frequent ?? []);
  if (!frequent) return undefined;
  return { name: cue, majority: { by: "values", values: frequent }, origin: "most frequent in training" };
}

/**
 * A declaration tells which value agrees with a class; a dataset can be made so that training mostly shows the other,
 * and a model that leans on the cue then does well on that one.
 */
function declaredRule(
  { classNames }: PredictionCounts,
  cue: string,
  declared: readonly (string | undefined)[],
  frequent: readonly (string | undefined)[],
): CueRule {
  const values = declared.map((value, label) =>
    value === undefined ? undefined : (frequent[label] ?? value),
  );
  const contradicted = classNames.flatMap((label, i) =>
    values[i] === declared[i] ? [] : [{ label, declared: declared[i]!, frequent: values[i]! }],
  );
  return contradicted.length === 0
    ? { name: cue, majority: { by: "values", values }, origin: "declared by the dataset" }
    : { name: cue, majority: { by: "values", values }, origin: "most frequent in training", contradicted };
}

/** Where a majority is not what the dataset declares. */
export function majorityRemarks(rules: readonly CueRule[]): string[] {
  return rules.flatMap(({ name, contradicted = [] }) => {
    if (contradicted.length === 0) return [];
    const classes = contradicted.map(
      ({ label, declared, frequent }) => `${frequent} and not ${declared} for class ${label}`,
    );
    return [
      `${name}: the majority is what training shows most, not what the dataset declares: ${someOf(classes, 4)}`,
    ];
  });
}

function saidValues(
  { classNames, valueNames: names }: PredictionCounts,
  cue: string,
  choices: readonly MajorityChoice[],
): (string | undefined)[] {
  const valueNames = names.get(cue)!;
  for (const { label, value } of choices) {
    refuseUnknown(label, classNames, "class", cue);
    refuseUnknown(value, valueNames, `value of ${cue}`, cue);
  }
  return classNames.map((name) => choices.find(({ label }) => label === name)?.value);
}

function declaredValues(
  { classNames }: PredictionCounts,
  cue: string,
  dataset: Dataset | undefined,
): (string | undefined)[] | undefined {
  const attribute = dataset && Object.hasOwn(dataset.attributes, cue) ? dataset.attributes[cue] : undefined;
  const { classValues, valueNames } = attribute ?? {};
  if (!dataset || !classValues || !valueNames) return undefined;
  return classNames.map((name) => valueNames[classValues[dataset.classNames.indexOf(name)] ?? -1]);
}

function refuseUnknown(name: string, names: readonly string[], what: string, cue: string): void {
  if (names.includes(name)) return;
  throw new CuelabError({
    kind: "usage",
    what: `there is no ${what} "${name}"`,
    where: `--majority ${cue}:…`,
    expected: `one of: ${someOf(names)}`,
  });
}
