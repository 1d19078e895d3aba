/** What can be said when asking where a model looks. */

import { z } from "zod";
import { contentNames } from "../../images/watermark/contents.ts";

export const looksQuestion = z.strictObject({
  methods: z
    .array(z.string())
    .optional()
    .describe("grad-cam, integrated-gradients, occlusion, rise; those that the model allows, without rise"),
  class: z.string().default("predicted").describe("whose maps: predicted, label, or a class by its name"),
  split: z.string().optional().describe("of the images; test, or the first that has any"),
  images: z
    .number()
    .int()
    .min(2)
    .max(5000)
    .default(48)
    .describe("how many, of all groups as equally as there are"),
  groups: z.array(z.string()).default([]).describe("attributes to tell apart, and class"),
  regions: z
    .array(z.string())
    .optional()
    .describe("masks and boxes of the dataset by name; its masks, else its boxes"),
  mark: z
    .enum(["none", ...contentNames])
    .default("none")
    .describe(
      "every image also with this watermark: where it then looks, and whether it says something else",
    ),
  beside: z
    .array(z.string())
    .default([])
    .describe("further models that are asked the same: runs or ONNX files"),
  shown: z.number().int().min(0).max(200).default(12).describe("images in the gallery"),
  batch: z.number().int().min(1).max(512).default(16).describe("images at once"),
  seed: z.number().int().min(0).default(0).describe("of which images, which places are hidden, RISE's masks"),
});
