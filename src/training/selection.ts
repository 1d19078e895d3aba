/** How one epoch or one run is preferred to another, and which labels that takes. */

import { z } from "zod";
import type { DataColumns } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { classWord, namedAttributes } from "../core/group-axes.ts";
import { accAlpha } from "../metrics/acc-alpha.ts";
import { countRows } from "../metrics/count-rows.ts";
import { evaluationOf, marginsFor } from "../metrics/evaluation.ts";
import { meanPerGroup } from "../metrics/mean-per-group.ts";
import { worstGroup } from "../metrics/worst-group.ts";
import { type Predictions, predictedClasses } from "../runs/predictions.ts";
import { scoresOf } from "./evaluate.ts";
import { labelledRows } from "./labelled-rows.ts";
import { indicesOf } from "./splits.ts";

/** Rules that look at groups of class and cue values. */
const groupRules = ["val-unbiased", "val-worst-group", "val-alpha"] as const;

export const selectionRules = ["val-loss", "val-accuracy", "val-worst-class", ...groupRules] as const;

export const selectionSchema = z.strictObject({
  by: z.enum(selectionRules),
  /** Attributes that make the groups, beside the class. */
  groups: z.array(z.string()).default([]),
  /** For val-alpha: the power of the training priors. */
  alpha: z.number().optional(),
});

export type Selection = z.output<typeof selectionSchema>;

const usesGroups = ({ by }: Selection) => groupRules.some((rule) => rule === by);

/** Throws where the rule and its options do not fit each other or the dataset. */
export function checkSelection(selection: Selection, dataset: DataColumns): void {
  const { by, groups, alpha } = selection;
  const fail = (what: string, todo: string, expected?: string) =>
    new CuelabError({ kind: "usage", what, todo, ...(expected === undefined ? {} : { expected }) });
  if ((by === "val-alpha") !== (alpha !== undefined)) {
    throw by === "val-alpha"
      ? fail(
          "selection by val-alpha needs an α",
          "give one, such as 0.5 (--select-alpha, or alpha in a sweep)",
        )
      : fail(`α has no effect on selection by ${by}`, "use val-alpha, or leave it away");
  }
  if (groups.length > 0 && !usesGroups(selection))
    throw fail(`groups have no effect on selection by ${by}`, `use one of: ${groupRules.join(", ")}`);
  groupAttributes(selection, dataset);
  if (indicesOf(dataset, "val").length > 0) return;
  throw new CuelabError({
    kind: "input",
    what: `cannot select by ${by}: there are no validation images`,
    where: dataset.name,
    todo: "use --select last, or give some images the split val",
  });
}

/** What makes the groups beside the class, which may be named. */
function groupAttributes({ groups }: Selection, dataset: DataColumns): string[] {
  return namedAttributes(dataset, groups, { where: "--select-groups" });
}

/** What is said where nothing is selected. */
export const lastEpoch = { rule: "the last epoch", labels: "none" };

/** In words, for every table that shows what was selected. */
export function describeSelection(selection: Selection): { rule: string; labels: string } {
  const { by, alpha } = selection;
  const groups = selection.groups.filter((name) => name !== classWord);
  const groupNames = [classWord, ...groups].join(" × ");
  const rules: Record<typeof by, string> = {
    "val-loss": "validation loss",
    "val-accuracy": "validation accuracy over images",
    "val-worst-class": "validation accuracy of the worst class",
    "val-unbiased": `mean validation accuracy of groups (${groupNames})`,
    "val-worst-group": `validation accuracy of the worst group (${groupNames})`,
    "val-alpha": `validation accuracy under training priors to the power ${alpha} (${groupNames})`,
  };
  const labels = [classWord, ...(usesGroups(selection) ? groups : [])].map((name) => `${name} on validation`);
  if (by === "val-alpha") labels.push(...groups.map((name) => `${name} on training`));
  return { rule: rules[by], labels: labels.join(", ") };
}

/** How good predictions of the validation images are; higher is better. */
export function scoreOf(selection: Selection, dataset: DataColumns, predictions: Predictions): number {
  const { by, alpha } = selection;
  if (by === "val-loss") return -scoresOf(predictions.logits, predictions.indices, dataset).loss!;
  const attributes = groupAttributes(selection, dataset);
  const grouping = { by: [classWord, ...attributes] };
  const training = labelledRows(dataset, indicesOf(dataset, "train"), attributes);
  const counts = countRows(
    {
      ...labelledRows(dataset, predictions.indices, attributes),
      classNames: dataset.classNames,
      predicted: predictedClasses(predictions),
      training,
    },
    marginsFor({ grouping, cues: [] }),
  );
  const evaluation = evaluationOf(counts, {
    grouping,
    cues: [],
    alphas: alpha === undefined ? [] : [alpha],
    betas: [],
  });
  if (by === "val-accuracy") return evaluation.all.correct / evaluation.all.count;
  const metric = {
    "val-unbiased": meanPerGroup,
    "val-worst-class": worstGroup,
    "val-worst-group": worstGroup,
    "val-alpha": accAlpha,
  }[by];
  const value = metric.of(evaluation)[0]!.value;
  if (value !== null) return value;
  throw new CuelabError({
    kind: "input",
    what: `cannot select by ${describeSelection(selection).rule}`,
    where: dataset.name,
    got: "validation groups that training does not have",
    todo: "choose fewer --select-groups, or an α of 0 or more",
  });
}
