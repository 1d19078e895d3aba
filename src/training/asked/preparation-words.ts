/** How a network wants its pictures: as options say, else a file or torchvision's name, else the network itself; the rest is assumed. */

import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { readPlain } from "../../disk/plain-file.ts";
import type { StoredModel } from "../../engine/onnx/decode-model.ts";
import type { PictureSteps } from "../../images/model-picture.ts";
import type { OnnxInput } from "../../models/onnx/image-input.ts";
import { chosenPixels } from "../weights.ts";
import { saidByGraph } from "./graph-preparation.ts";
import {
  assumed,
  bytesAsTheyAre,
  type InputPixels,
  type ModelPreparation,
  type SaidPart,
} from "./preparation.ts";
import { filtersByName, type StatedPreparation, statedIn } from "./stated-preparation.ts";
import { torchvisionPictures } from "./torchvision-pictures.ts";

export interface PreparationWords {
  /** A file of transformers or timm, `torchvision:<name>`, or `none`: nothing but what options say. By default files beside. */
  preparation?: string | undefined;
  /** Pictures come as squares of so many pixels, and are taken as they are. */
  size?: number | undefined;
  /** The shorter side. */
  resize?: number | undefined;
  crop?: number | undefined;
  filter?: string | undefined;
  /** What the network takes for bytes from 0 to 255. */
  range?: InputRange | undefined;
  mean?: readonly number[] | undefined;
  deviation?: readonly number[] | undefined;
  order?: "rgb" | "bgr" | undefined;
  axes?: OnnxInput["layout"] | undefined;
}

export const inputRanges = ["imagenet", "half", "unit", "bytes"] as const;
export type InputRange = (typeof inputRanges)[number];

export interface PreparedOnnx {
  path: string;
  input: OnnxInput;
  model: StoredModel;
}

interface StatedSource {
  from: string;
  stated: StatedPreparation;
}

const usualSide = 224;
const filesBeside = ["preprocessor_config.json", "config.json"];

/** The file's folder; and the one above, where networks lie in a folder `onnx` within the model's. */
export function foldersOf(path: string): string[] {
  const own = dirname(path);
  return basename(resolve(own)) === "onnx" ? [own, join(own, "..")] : [own];
}

export async function preparationFor(
  { path, input, model }: PreparedOnnx,
  words: PreparationWords,
): Promise<{ image: ImageShape; preparation: ModelPreparation }> {
  const source = await sourceOf(path, words);
  const { stated } = source ?? {};
  const image = {
    height: input.height ?? words.size ?? words.crop ?? stated?.side?.height ?? usualSide,
    width: input.width ?? words.size ?? words.crop ?? stated?.side?.width ?? usualSide,
    channels: input.channels ?? 3,
  };
  checkSide(stated?.side, image, source?.from, path);
  const { picture, ...size } = pictureFor(image, words, source);
  const { pixels, ...range } = pixelsFor({ path, input, model }, image, words, source);
  const order = words.order ?? stated?.order ?? saidByGraph(model, input.name).order;
  const isColour = image.channels === 3;
  const channels: SaidPart[] =
    isColour && order === "bgr"
      ? [
          {
            part: "channels",
            how: "blue first",
            from: words.order ? "options" : (source?.from ?? "the file"),
          },
        ]
      : [];
  return {
    image,
    preparation: {
      picture: picture && { ...picture, grey: image.channels === 1 },
      pixels: { order: isColour ? (order ?? "rgb") : "grey", ...pixels },
      said: [{ part: "size", ...size }, { part: "pixels", ...range }, ...channels],
    },
  };
}

function pictureFor(
  { height, width }: ImageShape,
  { size, resize, crop, filter: named }: PreparationWords,
  source: StatedSource | undefined,
): { picture: PictureSteps | undefined; how: string; from: string } {
  const filter = named === undefined ? undefined : filtersByName[named]!;
  if (size !== undefined)
    return { picture: undefined, how: `${height} × ${width}, as they come`, from: "options" };
  const stated = source?.stated.picture;
  const base: PictureSteps = stated ?? {
    resize: height === width ? { shorter: Math.floor(height / 0.875) } : { height, width },
    filter: "triangle",
    crop: height === width ? { height, width } : undefined,
    middle: "even",
  };
  const picture = {
    ...base,
    ...(resize !== undefined && { resize: { shorter: resize } }),
    // Who says one of both does not mean what somebody assumes of the other.
    ...(resize !== undefined && { crop: { height, width } }),
    ...(crop !== undefined && { crop: { height: crop, width: crop } }),
    ...(filter !== undefined && { filter }),
  };
  const isSaid = resize !== undefined || crop !== undefined;
  return { picture, how: pictureText(picture), from: isSaid ? "options" : (source?.from ?? assumed) };
}

function pictureText({ resize, filter, crop }: PictureSteps): string {
  const name = filter === "triangle" ? "bilinear" : filter;
  const resized =
    resize === undefined
      ? []
      : [
          "height" in resize
            ? `resized to ${resize.height} × ${resize.width}`
            : `shorter side to ${resize.shorter}`,
          name,
        ];
  return (
    [...resized, ...(crop ? [`middle of ${crop.height} × ${crop.width}`] : [])].join(", ") || "as they come"
  );
}

function pixelsFor(
  { input, model }: PreparedOnnx,
  { channels }: ImageShape,
  { range, mean, deviation, preparation }: PreparationWords,
  source: StatedSource | undefined,
): { pixels: Omit<InputPixels, "order">; how: string; from: string } {
  const said = (pixels: Omit<InputPixels, "order">, from: string) => ({
    pixels,
    how: pixelText(pixels),
    from,
  });
  const chosen = range && rangePixels(range, channels);
  if (mean !== undefined || deviation !== undefined) {
    const base = chosen ?? rangePixels("unit", channels);
    return said(
      { factor: base.factor, mean: mean ?? base.mean, deviation: deviation ?? base.deviation },
      "options",
    );
  }
  if (chosen !== undefined) return said(chosen, "options");
  if (input.kind === "bytes")
    return { ...said(bytesAsTheyAre(channels), "the file"), how: "bytes from 0 to 255" };
  if (source?.stated.pixels?.mean.length === channels) return said(source.stated.pixels, source.from);
  const { range: own, from } = saidByGraph(model, input.name);
  if (own !== undefined) return said(rangePixels(own, channels), from);
  const usual = channels === 3 && preparation !== "none" ? "imagenet" : "unit";
  return said(rangePixels(usual, channels), assumed);
}

function rangePixels(range: InputRange, channels: number): Omit<InputPixels, "order"> {
  const all = (value: number) => Array<number>(channels).fill(value);
  if (range === "bytes") return { factor: 1, mean: all(0), deviation: all(1) };
  if (range === "unit") return { factor: 1 / 255, mean: all(0), deviation: all(1) };
  if (range === "half") return { factor: 1 / 255, mean: all(0.5), deviation: all(0.5) };
  const { mean, deviation } = chosenPixels("imagenet")!;
  if (channels === mean.length) return { factor: 1 / 255, mean, deviation };
  throw new CuelabError({
    kind: "usage",
    what: "ImageNet's mean and deviation are of three channels",
    got: `a network of ${channels}`,
    todo: "give --mean and --deviation, or another --range",
  });
}

function pixelText({ factor, mean, deviation }: Omit<InputPixels, "order">): string {
  const known = inputRanges.find((range) => {
    if (range === "imagenet" && mean.length !== 3) return false;
    const pixels = rangePixels(range, mean.length);
    const isNear = (a: readonly number[], b: readonly number[]) =>
      a.every((value, c) => Math.abs(value - b[c]!) < 1e-6);
    return (
      Math.abs(pixels.factor - factor) < 1e-9 &&
      isNear(mean, pixels.mean) &&
      isNear(deviation, pixels.deviation)
    );
  });
  const names = {
    imagenet: "ImageNet's mean and deviation",
    half: "from -1 to 1",
    unit: "from 0 to 1",
    bytes: "from 0 to 255",
  };
  if (known !== undefined) return names[known];
  const list = (values: readonly number[]) => values.map((value) => Number(value.toPrecision(4))).join(", ");
  const scale =
    factor === 1 ? "bytes" : Math.abs(factor * 255 - 1) < 1e-6 ? "bytes / 255" : `bytes × ${factor}`;
  return `(${scale} - [${list(mean)}]) / [${list(deviation)}]`;
}

async function sourceOf(
  path: string,
  { preparation, size }: PreparationWords,
): Promise<StatedSource | undefined> {
  if (preparation === "none") return undefined;
  if (preparation?.startsWith("torchvision:"))
    return torchvisionSource(preparation.slice("torchvision:".length));
  if (preparation !== undefined) {
    const stated = await statedFile(preparation);
    if (stated !== undefined) return { from: preparation, stated };
    throw new CuelabError({
      kind: "input",
      what: "the file does not say how pictures are made ready",
      where: preparation,
      expected: "transformers' preprocessor_config.json, or timm's config.json with a pretrained_cfg",
      todo: "or name torchvision's weights: torchvision:resnet50.V2",
    });
  }
  const files = foldersOf(path).flatMap((folder) => filesBeside.map((name) => join(folder, name)));
  for (const file of files) {
    const stated = existsSync(file) ? await statedFile(file) : undefined;
    if (stated !== undefined)
      return {
        from: basename(file),
        stated: size === undefined ? stated : { ...stated, side: undefined as never },
      };
  }
  return undefined;
}

/** Undefined where the file is about something else. */
export async function statedFile(path: string): Promise<StatedPreparation | undefined> {
  const text = String(await readPlain(path));
  try {
    return statedIn(JSON.parse(text), path);
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw new CuelabError({
      kind: "input",
      what: "this is no JSON",
      where: path,
      got: (cause as Error).message,
      cause,
    });
  }
}

/** `resnet50` is its default weights; others are named behind a dot, with or without torchvision's long beginning. */
function torchvisionSource(given: string): StatedSource {
  const wanted = given.replace(".IMAGENET1K_", ".");
  const names: string[] = [];
  for (const [shorter, crop, filter, range, list] of torchvisionPictures)
    for (const entry of list.split(/\s+/)) {
      const name = entry.replace("*", "");
      const isDefault = entry.endsWith("*");
      names.push(name);
      if (name !== wanted && !(isDefault && name.split(".")[0] === wanted)) continue;
      const side = { height: crop, width: crop };
      return {
        from: `torchvision's ${name}`,
        stated: {
          picture: { resize: { shorter }, filter: filtersByName[filter]!, crop: side, middle: "even" },
          pixels: rangePixels(range, 3),
          side,
        },
      };
    }
  throw new CuelabError({
    kind: "usage",
    what: `torchvision has no weights "${given}" for ImageNet`,
    expected: "a network's name, such as resnet50, or one of its weights, such as resnet50.V1",
    ...didYouMean(wanted, [...names, ...names.map((name) => name.split(".")[0]!)]),
  });
}

function checkSide(
  side: StatedPreparation["side"],
  { height, width }: ImageShape,
  from: string | undefined,
  where: string,
): void {
  if (side === undefined || (side.height === height && side.width === width)) return;
  throw new CuelabError({
    kind: "input",
    what: `${from} is about pictures of another size than the network takes`,
    where,
    expected: `${height} × ${width}`,
    got: `${side.height} × ${side.width}`,
    todo: "give --preparation none, or another file, and --resize and --crop",
  });
}
