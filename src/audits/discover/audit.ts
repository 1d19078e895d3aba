/** The audit that looks for shortcuts nobody wrote down. */

import { availableParallelism } from "node:os";
import { z } from "zod";
import { defineAudit } from "../audit.ts";
import type { DiscoverAnswer } from "./answer.ts";
import { discover } from "./discover.ts";
import { removals } from "./measuring/removal.ts";
import { discoverInShort, showDiscovery } from "./show.ts";

export const discoverAudit = defineAudit({
  name: "discover",
  title: "Which properties of files and pixels give the class away?",
  description:
    "properties of names, files and pixels that go with a class, tiny classifiers, near-duplicates and leaks",
  of: "dataset",
  question: z.strictObject({
    split: z
      .string()
      .optional()
      .describe("findings about images of this split; all, or train where there is any"),
    effect: z
      .number()
      .min(0)
      .max(1)
      .default(0.2)
      .describe("least difference between the share of a class and that of all others"),
    rate: z.number().min(0.0001).max(0.5).default(0.05).describe("most expected share of false findings"),
    clusterBy: z
      .array(z.string())
      .default([])
      .describe("columns whose images belong together, such as patient; they count as one"),
    without: z
      .array(z.enum(removals))
      .default([])
      .describe("take this away from all images and measure again: colour, encoding, border"),
    features: z
      .string()
      .optional()
      .describe(
        "a network's features of these images: a folder that 'features extract' wrote, or a run on them",
      ),
    workers: z
      .number()
      .int()
      .min(0)
      .max(256)
      .default(availableParallelism())
      .describe("worker threads; the result does not depend on it"),
  }),
  ask: async ({ features, ...question }, dataset, hooks): Promise<DiscoverAnswer> => {
    const { featuresOf } = await import("../open-subject.ts");
    return discover(
      dataset,
      { ...question, features: features === undefined ? undefined : await featuresOf(features, hooks) },
      hooks,
    );
  },
  inShort: discoverInShort,
  show: showDiscovery,
  data: (answer: DiscoverAnswer) => {
    const { shown: _, ...data } = answer;
    return data;
  },
});
