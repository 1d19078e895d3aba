/** A dataset's copy in which some or all images carry a watermark, in any format, with everything else as it was. */

import { attributeRecord } from "../core/attribute-record.ts";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { randomStream } from "../core/random.ts";
import { withSteps } from "../images/change-dataset.ts";
import type { ImageStep } from "../images/steps.ts";
import { fontSource } from "../images/watermark/fonts.ts";
import { randomSources } from "../images/watermark/random-watermark.ts";
import { checkImage, checkWatermark, cutShare, type Watermark } from "../images/watermark/watermark.ts";
import type { StoredEncoding } from "./format.ts";
import type { Manifest } from "./manifest.ts";
import { surveyed } from "./select-images.ts";
import { type WriteOptions, writeDataset } from "./write-dataset.ts";

export interface WatermarkChoice {
  /** Undefined for random ones, of random place, size and content. */
  watermark: Watermark | undefined;
  alpha: number;
  /** Classes whose images get it; all where there are none. */
  classes: readonly string[];
  /** How many of these images do. */
  probability: number;
  resize?: number | undefined;
  crop?: number | undefined;
  seed: number;
}

export interface WatermarkOptions extends Omit<WriteOptions, "encoding" | "expect"> {
  encoding?: StoredEncoding | undefined;
  skipBroken: boolean;
  /** Told the number of images once it is known, for progress. */
  onOpened?: ((count: number, task: string) => void) | undefined;
  /** Told what people would want to know. */
  onRemark?: ((text: string) => void) | undefined;
}

/** The name of the attribute that says which images carry it. */
const attributeName = "watermark";

export async function writeWatermarked(
  original: Dataset,
  choice: WatermarkChoice,
  { skipBroken, onOpened, onRemark, ...options }: WatermarkOptions,
): Promise<{ manifest: Manifest; marked: number }> {
  checkChoice(choice, original);
  let dataset = original;
  if (skipBroken || (original.images.shape === null && choice.crop === undefined)) {
    onOpened?.(original.images.count, "surveying");
    dataset = await surveyed(original, { ...options, skipBroken, sides: true });
  }
  const copy = watermarked(dataset, choice);
  for (const remark of remarksOn(copy, dataset, choice)) onRemark?.(remark);
  onOpened?.(copy.images.count, "watermarking");
  const encoding = options.encoding ?? options.format.encodings[0]!;
  const manifest = await writeDataset(copy, { ...options, encoding });
  return { manifest, marked: copy.attributes[attributeName]!.values.filter((value) => value === 1).length };
}

/** The same dataset with watermarks: images are changed when they are asked for. */
export function watermarked(dataset: Dataset, choice: WatermarkChoice): Dataset {
  checkChoice(choice, dataset);
  const on = chosenImages(dataset, choice);
  const changed = withSteps(dataset, stepsOf(choice, on));
  if (changed.images.shape !== null) checkImage(changed.images.shape);
  return {
    ...changed,
    name: `${dataset.name}-watermark`,
    // First, so that pictures of the dataset show this cue.
    attributes: attributeRecord([
      [attributeName, attributeOf(dataset, choice, on)],
      ...Object.entries(dataset.attributes),
    ]),
    provenance: provenanceOf(dataset, choice),
  };
}

function checkChoice({ watermark, alpha, classes, probability }: WatermarkChoice, dataset: Dataset): void {
  checkWatermark(watermark ?? { x: 0, y: 0, alpha });
  if (!(probability >= 0 && probability <= 1)) {
    throw new CuelabError({
      kind: "usage",
      what: "a probability is out of range",
      expected: "from 0 to 1",
      got: String(probability),
    });
  }
  for (const name of classes) {
    if (dataset.classNames.includes(name)) continue;
    const close = nearest(name, dataset.classNames);
    throw new CuelabError({
      kind: "usage",
      what: `the dataset has no class "${name}"`,
      where: dataset.name,
      expected: `one of: ${dataset.classNames.slice(0, 20).join(", ")}${dataset.classNames.length > 20 ? ", …" : ""}`,
      ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
    });
  }
  if (attributeName in dataset.attributes) {
    throw new CuelabError({
      kind: "input",
      what: `the dataset has an attribute "${attributeName}" already`,
      where: dataset.name,
      todo: "watermark the one that it was made from",
    });
  }
}

/** One byte an image. */
function chosenImages({ labels, classNames }: Dataset, choice: WatermarkChoice): Uint8Array {
  const chosen = new Set(choice.classes.map((name) => classNames.indexOf(name)));
  const stream = randomStream(choice.seed, "watermark/chosen");
  const on = new Uint8Array(new SharedArrayBuffer(labels.length));
  for (let i = 0; i < labels.length; i++) {
    const candidate = chosen.size === 0 || chosen.has(labels[i]!);
    on[i] = candidate && stream.at(i).boolean(choice.probability) ? 1 : 0;
  }
  return on;
}

function stepsOf({ watermark, alpha, resize, crop, seed }: WatermarkChoice, on: Uint8Array): ImageStep[] {
  return [
    ...(resize !== undefined || crop !== undefined ? [{ kind: "preprocess" as const, resize, crop }] : []),
    watermark ? { kind: "watermark", watermark, on } : { kind: "random-watermark", alpha, seed, on },
  ];
}

function attributeOf({ classNames }: Dataset, { classes }: WatermarkChoice, on: Uint8Array): Attribute {
  return {
    values: Uint16Array.from(on),
    valueNames: ["no", "yes"],
    role: "cue",
    description: "whether the image carries a watermark",
    ...(classes.length > 0 && { classValues: classNames.map((name) => (classes.includes(name) ? 1 : 0)) }),
  };
}

function provenanceOf(dataset: Dataset, choice: WatermarkChoice): Dataset["provenance"] {
  const { watermark, alpha, classes, probability, resize, crop, seed } = choice;
  const { provenance } = dataset;
  const { generator, settings, seed: originalSeed } = provenance;
  const kind = watermark ? `“${watermark.text}”` : "of random place, size and content";
  const which = classes.length === 0 ? "Images" : `Images of ${classes.join(", ")}`;
  const share = probability === 1 ? "carry" : `carry, with probability ${probability},`;
  return {
    ...provenance,
    title: `${provenance.title}, watermarked`,
    description: `${provenance.description} ${which} ${share} a watermark ${kind}.`,
    generator: { name: "watermark", version: 1 },
    settings: {
      ...(watermark ?? { random: true, alpha }),
      ...(classes.length > 0 && { classes }),
      probability,
      ...(resize !== undefined && { resize }),
      ...(crop !== undefined && { crop }),
      of: { name: dataset.name, generator, settings, seed: originalSeed },
    },
    seed,
    sources: [
      ...provenance.sources,
      ...(watermark ? [fontSource(watermark.typeface, watermark.text)] : randomSources()),
    ],
  };
}

function remarksOn(copy: Dataset, original: Dataset, choice: WatermarkChoice): string[] {
  const { shape } = copy.images;
  const cut = shape !== null && choice.watermark ? cutShare(shape, choice.watermark) : 0;
  const remarks = cut > 0 ? [`the images' border cuts off ${(100 * cut).toFixed(0)}% of the text's ink`] : [];
  const hasSides = ({ sideImages, boxes }: Dataset) => sideImages !== undefined || boxes !== undefined;
  if (hasSides(original) && !hasSides(copy)) {
    remarks.push("masks, backgrounds and boxes were left out, since they belong to images of another size");
  }
  return remarks;
}
