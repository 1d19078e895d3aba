/** A dataset's copy in which every image is painted in the style of another picture, by AdaIN with weights that people bring. */

import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Dataset, Pixels, SourceRecord } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type Random, randomStream } from "../core/random.ts";
import { readPlain } from "../disk/plain-file.ts";
import { Executable } from "../engine/executable.ts";
import type { Manifest } from "../formats/manifest.ts";
import { type WriteOptions, writeDataset } from "../formats/write-dataset.ts";
import { imageExtensions } from "../images/file-kind.ts";
import { inColour } from "../images/fit.ts";
import { centreCrop, resizeShorter } from "../images/resize.ts";
import { adain, adainMultiple } from "../models/adain.ts";
import { decodeSafetensors } from "../runs/safetensors.ts";
import { readPhoto } from "../sources/photo-files.ts";

export interface StyliseChoice {
  /** Folder of pictures, one of which is drawn for each image. */
  styles: string;
  /** Files of weights (safetensors). */
  encoder: string;
  decoder: string;
  strength: number;
  seed: number;
}

export async function writeStylised(
  dataset: Dataset,
  choice: StyliseChoice,
  options: WriteOptions,
): Promise<Manifest> {
  const shape = checkedShape(dataset);
  const styles = await stylesIn(choice.styles);
  const [encoder, decoder] = await Promise.all([choice.encoder, choice.decoder].map(readWeights));
  const { strength, seed } = choice;
  const given = { encoder: encoder!.tensors, decoder: decoder!.tensors };
  const program = await Executable.compile({ outputs: { image: adain(given, { ...shape, strength }) } });
  const stream = randomStream(seed, "stylise");
  const pixels = async (index: number): Promise<Pixels> => {
    const random = stream.at(index);
    const style = styleFor(await readPhoto(styles[random.integer(styles.length)]!), shape, random);
    const content = inColour(await dataset.images.pixels(index));
    const painted = (await program.run({ content: content.data, style: style.data })).image!;
    const data = Uint8Array.from(painted as ArrayLike<number>, (value) =>
      Math.round(Math.min(255, Math.max(0, value))),
    );
    return { data, ...shape, channels: 3 };
  };
  const sources = [encoder!.source, decoder!.source];
  const images = { ...dataset.images, shape: { ...shape, channels: 3 }, costly: true, pixels };
  try {
    const copy = { ...dataset, name: `${dataset.name}-stylised`, images };
    return await writeDataset({ ...copy, provenance: provenanceOf(dataset, choice, sources) }, options);
  } finally {
    await program.close();
  }
}

/** Scaled until it covers the image, and cut to it: mirrored in half of the cases, so that few pictures go further. */
function styleFor(
  picture: Pixels,
  { height, width }: { height: number; width: number },
  random: Random,
): Pixels {
  const shorter = Math.min(picture.height, picture.width);
  const scale = Math.max(height / picture.height, width / picture.width);
  const style = centreCrop(resizeShorter(inColour(picture), Math.ceil(scale * shorter)), height, width);
  if (!random.boolean(0.5)) return style;
  const data = style.data.map((_, at) => {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const column = pixel % width;
    return style.data[(pixel - column + width - 1 - column) * 3 + channel]!;
  });
  return { ...style, data };
}

function checkedShape({ name, images: { shape } }: Dataset): { height: number; width: number } {
  const whole = (length: number) => length % adainMultiple === 0;
  if (shape !== null && whole(shape.height) && whole(shape.width))
    return { height: shape.height, width: shape.width };
  throw new CuelabError({
    kind: "input",
    what: "these images cannot be stylised",
    where: name,
    expected: `one size for all, both sides a multiple of ${adainMultiple}`,
    got: shape === null ? "several sizes" : `${shape.width} × ${shape.height}`,
    todo: "pass --size, such as --size 224",
  });
}

async function stylesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const isImage = (name: string) =>
    imageExtensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  const styles = names.filter(isImage).sort();
  if (styles.length > 0) return styles.map((name) => join(folder, name));
  throw new CuelabError({
    kind: "input",
    what: "there are no pictures to take styles from",
    where: folder,
    expected: `a folder of files ending in ${imageExtensions.join(", ")}`,
  });
}

async function readWeights(path: string) {
  const bytes = await readPlain(path).catch((cause: unknown) => {
    throw new CuelabError({ kind: "input", what: "cannot read the weights", where: path, cause });
  });
  const sha256 = { [basename(path)]: createHash("sha256").update(bytes).digest("hex") };
  const source: SourceRecord = { name: `weights ${basename(path)}`, license: "as its owner says", sha256 };
  return { tensors: decodeSafetensors(bytes, path).tensors, source };
}

function provenanceOf(
  { name, provenance }: Dataset,
  { strength, seed }: StyliseChoice,
  sources: readonly SourceRecord[],
): Dataset["provenance"] {
  const { generator, settings, seed: originalSeed } = provenance;
  return {
    ...provenance,
    title: `${provenance.title}, stylised`,
    description: `${provenance.description} Each image is painted in the style of another picture.`,
    generator: { name: "stylise", version: 1 },
    settings: { strength, of: { name, generator, settings, seed: originalSeed } },
    seed,
    sources: [...provenance.sources, ...sources],
  };
}
