/** Which value of each cue goes with each class: said, told by a column, declared by the dataset, or most frequent. */

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
  const declared = declaredValues(counts, cue, dataset);
  if (declared) {
    return { name: cue, majority: { by: "values", values: declared }, origin: "declared by the dataset" };
  }
  if (!cellsOf(counts, [cue]).some(({ train }) => train !== null)) return undefined;
  return {
    name: cue,
    majority: { by: "values", values: frequentValues(counts, cue) },
    origin: "most frequent in training",
  };
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
