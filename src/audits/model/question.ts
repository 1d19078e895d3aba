/** What can be said with an audit of a model. */

import { z } from "zod";
import { severities } from "../../images/corruptions/severity.ts";
import { contentNames } from "../../images/watermark/contents.ts";
import { markPlaces } from "./interventions/intervention.ts";

const severity = z.union(severities.map((step) => z.literal(step)));

export const modelQuestion = z.strictObject({
  interventions: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe("which of them, by name; all that the images allow"),
  images: z.number().int().min(2).max(1e6).default(500).describe("images at most, a sample by the seed"),
  split: z.string().optional().describe("images of this split alone; all"),
  mask: z.string().optional().describe("side image that is the main thing's mask; mask, if there is one"),
  box: z.string().optional().describe("box of the main thing, where there are no masks"),
  class: z
    .string()
    .optional()
    .describe("also what each watermark does to this class, as the paper's Table 1"),
  contents: z
    .array(z.enum(contentNames))
    .min(1)
    .default([...contentNames])
    .describe("what watermarks say"),
  places: z
    .array(z.enum(markPlaces))
    .min(1)
    .default([...markPlaces])
    .describe("where watermarks are"),
  sizes: z
    .array(z.number().gt(0).max(1))
    .min(1)
    .default([0.25, 0.375, 0.5])
    .describe("longest sides of moved things, as parts of the shorter side"),
  patches: z
    .array(z.number().int().min(2).max(64))
    .min(1)
    .default([4])
    .describe("squares on a side, shuffled"),
  qualities: z.array(z.number().int().min(1).max(100)).min(1).default([25, 10]).describe("of JPEG"),
  severities: z.array(severity).min(1).default([3]).describe("of common corruptions, 1 to 5"),
  margin: z.number().gt(0).lt(1).default(0.03).describe("a loss of accuracy that is as good as none"),
  threshold: z
    .number()
    .gt(0)
    .lt(1)
    .optional()
    .describe(
      "what a watermark must add to a class's probability beyond its control; 0.4 of what a class has by chance, at most 0.1",
    ),
  alpha: z.number().gt(0).lt(0.5).default(0.05).describe("level of the whole audit"),
  flips: z
    .number()
    .int()
    .min(99)
    .max(1e5)
    .default(4999)
    .describe("rearrangements of plain and marked images"),
  batch: z.number().int().min(1).max(4096).default(32).describe("pictures that the model is shown at once"),
  seed: z.number().int().min(0).default(0).describe("same seed, same images and changes"),
});
