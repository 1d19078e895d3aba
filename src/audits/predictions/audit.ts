/** The audit of predictions: every bias metric, of one table or of several seeds of one model. */

import { z } from "zod";
import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import { defineAudit } from "../audit.ts";
import { evaluatePredictions } from "./evaluate-predictions.ts";
import type { EvaluationReport } from "./evaluation-report.ts";
import { evaluationInShort } from "./in-short.ts";
import { originsOf, showCurves, showOrigins, showPictures } from "./made-by.ts";
import { mistakesOf, type SeenMistakes, showMistakes, type UnseenMistakes } from "./mistakes.ts";
import { showEvaluation } from "./show.ts";

export interface PredictionsAnswer {
  report: EvaluationReport;
  /** Where they were asked for, and there are images to show. */
  mistakes: SeenMistakes | UnseenMistakes | undefined;
  /** The runs that made the tables, for pages. */
  origins: readonly PredictionsOrigin[];
}

const names = z.array(z.string());
const numbers = z.array(z.number());

export const predictionsAudit = defineAudit({
  name: "predictions",
  title: "Where is a model right, and what does it lose where a cue is uncommon?",
  description: "accuracy of groups, majority and minority of each cue, gaps, and differences to a baseline",
  of: "predictions",
  question: z.strictObject({
    split: z.string().optional().describe("which rows; test unless told"),
    cues: names.optional().describe("attributes that may serve as shortcuts"),
    groups: names.optional().describe("attributes that make a group, and class for the class"),
    overlapping: names.optional().describe("attributes of yes and no; each yes makes a group by class"),
    localGroup: z.string().optional().describe("within each value of it, answers are cut into head and tail"),
    classes: names.optional().describe("names of the classes in order; others are refused"),
    labels: names.optional().describe("tables of classes and attributes, for files of predictions alone"),
    trainCounts: z.string().optional().describe("a table of training images, or of their counts"),
    majority: z
      .array(z.strictObject({ cue: z.string(), label: z.string(), value: z.string() }))
      .optional()
      .describe("that a value of a cue goes with a class"),
    alphas: numbers.optional().describe("powers of the training priors in Acc(α)"),
    betas: numbers.optional().describe("sizes of the tail"),
    referenceErrors: z
      .string()
      .optional()
      .describe("a table of another network's error in each group, such as AlexNet's: for mDE and mCE"),
    margin: z
      .number()
      .positive()
      .optional()
      .describe("points within which the gaps of method and baseline are equal; 3 unless told"),
    mistakes: z
      .number()
      .int()
      .min(0)
      .default(0)
      .describe("of runs: so many of the worst group's most confident mistakes, as pictures"),
    mapping: z
      .strictObject({
        id: z.string().optional().describe("the column of ids"),
        label: z.string().optional().describe("the column of true classes"),
        prediction: z.string().optional().describe("the column of predicted classes"),
        split: z.string().optional().describe("the column of splits"),
      })
      .optional()
      .describe("columns by other names"),
  }),
  ask: async (
    { mistakes: most, ...question },
    { imagesOfRun, ...subject },
    { signal, onProgress },
  ): Promise<PredictionsAnswer> => {
    const report = await evaluatePredictions({
      ...question,
      ...subject,
      signal,
      onRows: onProgress && ((rows, total) => onProgress("reading", rows, total, "rows")),
    });
    const wanted = most > 0 && imagesOfRun !== undefined;
    return {
      report,
      mistakes: wanted ? await mistakesOf(report, most, imagesOfRun) : undefined,
      origins: most > 0 ? await originsOf(subject.tables) : [],
    };
  },
  inShort: ({ report }) => evaluationInShort(report),
  show: ({ report, mistakes, origins }) => [
    ...showEvaluation(report),
    ...(mistakes === undefined ? [] : [showMistakes(mistakes)]),
    ...(origins.length === 0
      ? []
      : [...showPictures(report.files), ...showCurves(report.files), ...showOrigins(origins)]),
  ],
  data: ({ report, mistakes }) => {
    if (mistakes === undefined) return report;
    const { group, table, wrong, shown } = mistakes;
    return { ...report, mistakes: { group, table, wrong, shown } };
  },
});
