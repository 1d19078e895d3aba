/** The audit of a benchmark by the line: can it reveal shortcuts at all, judged by many models' accuracies? */

import { z } from "zod";
import { type Scale, transforms } from "../../core/accuracy-scale.ts";
import type { AccuracyTable } from "../../predictions/accuracies/column-table.ts";
import { defineAudit } from "../audit.ts";
import { type AuditedSplit, auditLineWithPoints } from "./audit-line.ts";
import { lineInShort } from "./in-short.ts";
import { type PublishedBeside, publishedFits, publishedRemarks } from "./published-fits.ts";
import type { LineReport } from "./report.ts";
import { showLine } from "./show.ts";
import { units } from "./units.ts";

export interface LineAnswer {
  report: LineReport;
  /** With their points, for those who draw them. */
  splits: readonly AuditedSplit[];
  scale: Scale;
  /** The accuracies that were read or counted. */
  table: AccuracyTable;
  /** Of each split what the paper prints, where it was asked for and does. */
  published?: readonly PublishedBeside[] | undefined;
}

const names = z.array(z.string());

export const lineAudit = defineAudit({
  name: "line",
  title: "Is accuracy on the line?",
  description: "whether a benchmark can reveal shortcuts, from many models' accuracies",
  paper: "Salaudeen et al. 2025",
  of: "accuracies",
  question: z.strictObject({
    id: names.optional().describe("columns of in-distribution accuracies: each, and the mean of several"),
    ood: names.optional().describe("columns of out-of-distribution accuracies; * stands for anything"),
    by: names.optional().describe("subgroups to fit as well"),
    weights: z.string().optional().describe("a column: how much each row counts"),
    cluster: z
      .union([names, z.literal(false)])
      .optional()
      .describe("rows with the same values here belong together; told by the columns, false: none"),
    leaveOneOut: names.optional().describe("each environment is OOD in turn, the others are ID"),
    testEnvironment: z
      .string()
      .optional()
      .describe("a column: which environment a row's model was not trained on"),
    environment: z.string().optional().describe("for a row a model and environment: the environment"),
    accuracy: z.string().optional().describe("for such tables with one accuracy: its column"),
    model: names.optional().describe("for such tables: what tells models apart"),
    transform: z.enum(transforms).default("probit").describe("the scale of accuracies"),
    clip: z.tuple([z.number(), z.number()]).optional().describe("limits of accuracies; 0.01 and 0.99"),
    threshold: z.number().default(0.3).describe("weak is below it"),
    confidence: z.number().default(0.95).describe("of the interval of R"),
    interval: z.enum(["fisher", "bootstrap"]).default("fisher").describe("of R"),
    resamples: z.number().int().default(1000).describe("of the bootstrap"),
    seed: z.number().int().default(0).describe("same seed, same draws"),
    unit: z.enum(units).optional().describe("of accuracies; told by the values"),
    classes: z.number().int().optional().describe("how many there are, to know chance"),
    converge: z.boolean().optional().describe("also how many classifiers are enough"),
    groups: names.optional().describe("of predictions: also the OOD accuracy of each group of these"),
    overlapping: names.optional().describe("instead: columns of yes and no; each yes makes a group by class"),
    groupPairs: z.boolean().optional().describe("also each group's OOD accuracy on each group's ID accuracy"),
    labels: z.string().optional().describe("a table of classes and groups, for WILDS' prediction files"),
    labelColumn: z.string().optional().describe("the true class in labels"),
    splitColumn: z.string().optional().describe("the split in labels"),
    published: z.boolean().optional().describe("beside each fit, the one that the paper prints"),
  }),
  ask: async ({ published, ...question }, { tables }, { signal, onProgress }): Promise<LineAnswer> => {
    const audited = await auditLineWithPoints({
      ...question,
      tables,
      signal,
      onRows: onProgress && ((rows) => onProgress("reading", rows, undefined, "rows")),
      onFiles: onProgress && ((done, all) => onProgress("reading", done, all, "files of predictions")),
    });
    return { ...audited, published: published ? publishedFits(audited.report.splits) : undefined };
  },
  inShort: ({ report }) => lineInShort(report),
  show: showLine,
  data: ({ report, published }) =>
    published === undefined
      ? report
      : {
          ...report,
          splits: report.splits.map((split, i) => ({ ...split, published: published[i] ?? null })),
          remarks: [...report.remarks, ...publishedRemarks(published)],
        },
});
