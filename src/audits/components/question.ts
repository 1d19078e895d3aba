/** What can be said when asking what a class's logit is made of. */

import { z } from "zod";

export const componentsQuestion = z.strictObject({
  classes: z.array(z.string()).optional().describe("classes by name; the first ten that have images"),
  components: z.number().int().min(1).max(50).default(4).describe("of each class"),
  fit: z.string().default("train").describe("split whose images components are fitted on"),
  choose: z.string().default("val").describe("split whose labelled images tell which components do harm"),
  report: z
    .string()
    .optional()
    .describe("split that everything is told of; test, or the first that has images"),
  images: z.number().int().min(10).max(100_000).default(2000).describe("of each split at most"),
  region: z.string().optional().describe("mask or box of the object; the first mask, else the first box"),
  remove: z
    .array(z.string())
    .default([])
    .describe("components to take out of the last layer, as class:number; auto for those that do harm"),
  groups: z
    .array(z.string())
    .optional()
    .describe("attributes by which the change is told, beside the class; all cues"),
  shown: z.number().int().min(1).max(50).default(8).describe("most activating images of each component"),
  batch: z.number().int().min(1).max(512).default(32).describe("images at once"),
  seed: z.number().int().min(0).default(0).describe("of which images, and of the shuffles"),
});
