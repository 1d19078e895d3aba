/** `features.json`: what stored features are of, and the digests of the files beside it. */

import { z } from "zod";
import type { Attribute, Provenance } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";

export const featuresVersion = 2;

/** What made the features. */
export interface FeatureSource {
  model: string;
  options: Readonly<Record<string, number | string>>;
  /** Name of the head that the features go into. */
  head: string;
  /** SHA-256 of the weights; null for random ones. */
  weights: string | null;
  /** What the data was, as runs tell it. */
  data: string;
}

export interface FeaturesAbout {
  cuelabFeatures: typeof featuresVersion;
  count: number;
  width: number;
  /** SHA-256 of features.npy. */
  sha256: string;
  /** SHA-256 of examples.parquet. */
  examplesSha256: string;
  source: FeatureSource;
  name: string;
  classNames: readonly string[];
  splitNames: readonly string[];
  attributes: Record<string, Omit<Attribute, "values">>;
  provenance: Provenance;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256");
const names = z.array(z.string());

const aboutSchema = z.object({
  cuelabFeatures: z.literal(featuresVersion),
  count: z.int().min(1),
  width: z.int().min(1),
  sha256: digest,
  examplesSha256: digest,
  source: z.object({
    model: z.string(),
    options: z.record(z.string(), z.union([z.number(), z.string()])),
    head: z.string(),
    weights: z.string().nullable(),
    data: z.string(),
  }),
  name: z.string(),
  classNames: names.min(1),
  splitNames: names.min(1),
  attributes: z.record(
    z.string(),
    z.object({
      valueNames: names,
      role: z.enum(["cue", "core", "other"]),
      description: z.string().optional(),
      classValues: z.array(z.int().min(0)).optional(),
    }),
  ),
  // Further keys of it only describe, and are kept as they are.
  provenance: z.looseObject({
    title: z.string(),
    description: z.string(),
    generator: z.object({ name: z.string(), version: z.number() }),
    settings: z.record(z.string(), z.unknown()),
    seed: z.number(),
    license: z.string(),
    shiftedSplits: names.optional(),
  }),
});

export function parseAbout(text: string, where: string): FeaturesAbout {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw damagedFeatures(where, (cause as Error).message, cause);
  }
  const result = aboutSchema.safeParse(json);
  // What is optional is left out where it is not given, which the schema's type cannot say.
  if (result.success) return result.data as unknown as FeaturesAbout;
  const issue = result.error.issues[0]!;
  throw damagedFeatures(where, `${issue.path.join(".") || "the whole file"}: ${issue.message}`);
}

export function damagedFeatures(where: string, got: string, cause?: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "these features are damaged",
    where,
    got,
    todo: "extract them again",
    cause,
  });
}
