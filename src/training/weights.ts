/** Weights from a file into a run, and of a run into a file. */

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { readPlain } from "../disk/plain-file.ts";
import { fileDigest } from "../disk/vouched.ts";
import { models } from "../models/index.ts";
import { type PixelStatistics, tellPixels } from "../models/pixels.ts";
import { wantedTensors } from "../models/weights/network-shape.ts";
import type { WeightFile } from "../models/weights/take-weights.ts";
import { perhapsRun } from "../runs/find-run.ts";
import { finishedFile } from "../runs/finished-file.ts";
import { runFiles } from "../runs/run-folder.ts";
import { decodeSafetensors, encodeSafetensors, listSafetensors } from "../runs/safetensors.ts";
import type { RunSpec } from "./run-spec.ts";
import { isOwn } from "./stages/own-parts.ts";
import { type NetworkAbout, networkAboutOf } from "./weights-about.ts";

/** What ImageNet's networks were trained with, unless they say otherwise. */
const imagenetPixels: PixelStatistics = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
const halfPixels: PixelStatistics = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };

export const pixelChoices = ["data", "imagenet", "half"] as const;

/** Of the training images (undefined), or of others. */
export function chosenPixels(choice: (typeof pixelChoices)[number]): PixelStatistics | undefined {
  return { data: undefined, imagenet: imagenetPixels, half: halfPixels }[choice];
}

export interface DescribedWeights {
  path: string;
  digest: string;
  /** Ours say how their pixels are standardised, where they are; others mean ImageNet's way. */
  pixels: PixelStatistics;
}

/** The file's digest, for the run's id. A finished run's folder stands for its weights. */
export async function describeWeights(given: string): Promise<DescribedWeights> {
  const path = await weightsPath(given);
  try {
    const { metadata } = await listSafetensors(path);
    const about = networkAboutOf(metadata, path);
    const { mean, deviation } = about?.pixels ?? imagenetPixels;
    return { path, digest: await fileDigest(path), pixels: { mean, deviation } };
  } catch (cause) {
    throw unreadableWeights(cause, path);
  }
}

export async function weightsPath(given: string): Promise<string> {
  const named = perhapsRun(given);
  const isRun = statSync(named, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isRun ? finishedFile(named, runFiles.weights) : named;
}

/** The file, after the file was found to be the one that the spec means. */
export async function readWeights({
  path = "",
  digest,
}: NonNullable<RunSpec["weights"]>): Promise<WeightFile> {
  const bytes = await readPlain(path).catch((cause: unknown) => {
    throw unreadableWeights(cause, path);
  });
  const got = createHash("sha256").update(bytes).digest("hex");
  if (got !== digest) {
    throw new CuelabError({
      kind: "input",
      what: "the weights are not those that this run began with",
      where: path,
      expected: `SHA-256 ${digest}`,
      got,
    });
  }
  const { tensors, metadata } = decodeSafetensors(bytes, path);
  const of = networkAboutOf(metadata, path);
  if (of === undefined) return { tensors };
  // Heads of a method's own are no part of the network that others begin with.
  return { tensors: new Map([...tensors].filter(([name]) => !isOwn(name))), of };
}

/**
 * A trained network as safetensors: its own names, which are torchvision's for torchvision's networks; heads of the method's
 * own that the model predicts with have theirs.
 */
export function encodeWeights(
  { model: { name, options } }: Pick<RunSpec, "model">,
  { classNames, images }: Pick<Dataset, "classNames"> & { images: Pick<Dataset["images"], "shape"> },
  weights: ReadonlyMap<string, Float32Array>,
  statistics: PixelStatistics | undefined,
  own: readonly { name: string; shape: readonly number[] }[] = [],
): Uint8Array {
  const [model, image] = [models.get(name), images.shape!];
  const pixels = tellPixels(model.pixels, image.channels, statistics);
  const about = { model: name, options, classNames: [...classNames], image, pixels } satisfies NetworkAbout;
  // A method with heads of its own has trained no head of the network's.
  const wanted = wantedTensors(model, { options, classes: classNames.length, image }).filter(
    ({ name: key }) => weights.has(key),
  );
  return encodeSafetensors({
    tensors: new Map(
      [...wanted, ...own].map(({ name: key, shape }) => [key, { shape, data: lookUp(weights, key) }]),
    ),
    metadata: { format: "pt", cuelab: JSON.stringify(about) },
  });
}

/** The same error, where the file is not there to be read. */
export function unreadableWeights(cause: unknown, path: string): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "EISDIR" && code !== "EACCES") return cause;
  const ofRun = path.endsWith(runFiles.weights);
  return new CuelabError({
    kind: "input",
    what: "cannot read the weights",
    where: path,
    expected: "a safetensors file, or the folder of a finished run",
    got: code === "ENOENT" ? "no such file" : (cause as Error).message,
    ...(ofRun ? { todo: "finish that run first: the same command goes on with it" } : {}),
    cause,
  });
}
