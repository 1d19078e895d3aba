/** What a run says of the groups that its method inferred, by labels that the method was not told: a part of its results. */

import { z } from "zod";

const share = z.number().nullable();

const judgedCue = z.object({
  cue: z.string(),
  /** Scored images of classes with a known common value, and those of them that lack it: the minority. */
  images: z.number(),
  minority: z.number(),
  /** How often a minority image scores above another one, with its 95% interval over images; 0.5 is chance. */
  area: share,
  low: share,
  high: share,
  /** Share of the taken images that are of the minority, and of the minority that is taken. */
  precision: share,
  recall: share,
  /** What taking as many images at random would give: the minority's share, and the share that is taken. */
  chancePrecision: share,
  chanceRecall: share,
});

export const judgedInference = z.object({
  stage: z.string(),
  /** What the method calls it. */
  name: z.string(),
  /** Above it the method takes an image for one that a shortcut misleads. */
  threshold: z.number(),
  /** Images that have a score, and those of them that it takes. */
  images: z.number(),
  taken: z.number(),
  cues: z.array(judgedCue),
});

export type JudgedCue = z.output<typeof judgedCue>;
export type JudgedInference = z.output<typeof judgedInference>;
