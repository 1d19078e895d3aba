/** `features.json`: what stored features are of, and the digests of the files beside it. */

import { z } from "zod";
import type { Attribute, Provenance } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { sealFits } from "../disk/vouched.ts";
import type { ResolvedUse } from "../views/view.ts";

export const featuresVersion = 2;

/** What made the features. */
export interface FeatureOrigin {
  model: string;
  options: Readonly<Record<string, number | string>>;
  /** Name of the head that the features go into. */
  head: string;
  /** SHA-256 of the weights; null for random ones. */
  weights: string | null;
  /** Of random weights. */
  seed?: number;
  /** How the network saw pixels. Features that were extracted before this was kept do not say. */
  pixels?: SeenPixels;
  /** What the data was, as runs tell it. */
  data: string;
  /** Of an ONNX file: where it lay, the value that its last layer takes, and how pictures were made ready for it, in words. */
  file?: string;
  layer?: string;
  prepared?: readonly string[];
}

/** How numbers lie in `features.npy` and in those of views. */
export type FeatureType = "float32" | "float16";

/** Features of changed images: of each training image so many, each in its own way. */
export interface ViewAbout {
  /** In the names of its files: `view-<name>.npy`, `view-<name>.rows.npy`, `view-<name>.shares.npy`. */
  name: string;
  chain: readonly ResolvedUse[];
  copies: number;
  /** Rows of each copy: training images. */
  images: number;
  sha256: { features: string; rows: string; shares: string };
}

/** The network's own last layer, in `head.safetensors`, for the classes that the labels number. */
export interface HeadAbout {
  name: string;
  sha256: string;
}

/** Bytes as they are, divided by 255, or standardised: by whose mean and deviation, and by which. */
export type SeenPixels =
  | { mode: "raw" | "unit" }
  | {
      mode: "data" | "imagenet" | "half" | "weights";
      mean: readonly number[];
      deviation: readonly number[];
    };

export interface FeaturesAbout {
  cuelabFeatures: typeof featuresVersion;
  count: number;
  width: number;
  /** SHA-256 of features.npy. */
  sha256: string;
  /** SHA-256 of examples.parquet. */
  examplesSha256: string;
  source: FeatureOrigin;
  /** Left out for float32. */
  type?: FeatureType;
  views?: readonly ViewAbout[];
  head?: HeadAbout;
  name: string;
  classNames: readonly string[];
  splitNames: readonly string[];
  attributes: Record<string, Omit<Attribute, "values">>;
  provenance: Provenance;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256");
const names = z.array(z.string());

const numbers = z.array(z.number()).min(1);

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
    seed: z.int().min(0).optional(),
    pixels: z
      .union([
        z.object({ mode: z.enum(["raw", "unit"]) }),
        z.object({
          mode: z.enum(["data", "imagenet", "half", "weights"]),
          mean: numbers,
          deviation: numbers,
        }),
      ])
      .optional(),
    data: z.string(),
    file: z.string().optional(),
    layer: z.string().optional(),
    prepared: names.optional(),
  }),
  type: z.enum(["float32", "float16"]).optional(),
  views: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z0-9-]+$/, "expected a name in small letters"),
        chain: z.array(
          z.object({ view: z.string(), version: z.number(), with: z.record(z.string(), z.unknown()) }),
        ),
        copies: z.int().min(1),
        images: z.int().min(1),
        sha256: z.object({ features: digest, rows: digest, shares: digest }),
      }),
    )
    .optional(),
  head: z.object({ name: z.string(), sha256: digest }).optional(),
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
  checkVersion(json, where);
  if (!sealFits(json)) throw damagedFeatures(where, "other content than was sealed");
  const result = aboutSchema.safeParse(json);
  // What is optional is left out where it is not given, which the schema's type cannot say.
  if (result.success) return result.data as unknown as FeaturesAbout;
  const issue = result.error.issues[0]!;
  throw damagedFeatures(where, `${issue.path.join(".") || "the whole file"}: ${issue.message}`);
}

/** Told first: of another version everything else may differ too. */
function checkVersion(json: unknown, where: string): void {
  const found = (json as { cuelabFeatures?: unknown } | null)?.cuelabFeatures;
  if (found === featuresVersion) return;
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "this describes no features" : "these features are of another version",
    where,
    expected: `"cuelabFeatures": ${featuresVersion}, as 'cuelab features extract' writes it`,
    got: found === undefined ? "no cuelabFeatures" : `"cuelabFeatures": ${JSON.stringify(found)}`,
    todo: "extract them again",
  });
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
