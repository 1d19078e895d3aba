/**
 * The carton effect, made to order: a watermark on the training images of one class and hardly on any other, as ImageNet
 * happens to have it on cartons (Li et al. 2023, Section 2.2). Validation and test images carry it whatever their class,
 * so that accuracy with it and without can be compared. Any dataset takes it over: `watermarkSettings` among its
 * settings, and `withWatermark` around what it builds.
 */

import { z } from "zod";
import type { Dataset, Pixels, SourceRecord } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { randomStream } from "../core/random.ts";
import { contentNames } from "../images/watermark/contents.ts";
import { fontSource } from "../images/watermark/fonts.ts";
import { addRandomWatermark, randomSources } from "../images/watermark/random-watermark.ts";
import { addWatermark, contentOf, imageNetW } from "../images/watermark/watermark.ts";

const share = z.number().min(0).max(1).optional();

const defaults = { pWatermark: 0.95, pWatermarkOther: 0, pWatermarkTest: 0.5 };

/** Marks of random characters, place and size, another on every image. */
const varied = "varied";
const usualMark = "chinese";
const markNames = [...contentNames, varied] as const;
type MarkName = (typeof markNames)[number];

export const watermarkSettings = {
  watermarkClass: z.string().optional().describe("the class whose training images carry a watermark (none)"),
  pWatermark: share.describe(`share of that class's training images that carry it (${defaults.pWatermark})`),
  pWatermarkOther: share.describe(
    `share of the other classes' training images that carry it (${defaults.pWatermarkOther})`,
  ),
  watermarkMarks: z
    .enum(markNames)
    .optional()
    .describe(`what training images carry: one content at one place, or ${varied} ones (${usualMark})`),
  watermarkTestMarks: z
    .enum(markNames)
    .optional()
    .describe(`what validation and test images carry (${usualMark})`),
  pWatermarkTest: share.describe(
    `share of validation and test images that carry it, whatever their class (${defaults.pWatermarkTest})`,
  ),
};

export type WatermarkSettings = z.output<z.ZodObject<typeof watermarkSettings>>;

/** The dataset as it is where no class was chosen; else with a cue `watermark`, and with watermarks on its images. */
export function withWatermark(dataset: Dataset, chosen: WatermarkSettings, seed: number): Dataset {
  if (chosen.watermarkClass === undefined) {
    refuseIdle(chosen);
    return dataset;
  }
  const { images, classNames, provenance } = dataset;
  const marked = classNames.indexOf(chosen.watermarkClass);
  if (marked < 0) throw unknownClass(chosen.watermarkClass, classNames);
  const values = drawValues(dataset, marked, chosen, seed);
  const marks = {
    training: chosen.watermarkMarks ?? usualMark,
    testing: chosen.watermarkTestMarks ?? usualMark,
  };
  const training = dataset.splits.names.indexOf("train");
  const markOf = (index: number) =>
    dataset.splits.values[index] === training ? marks.training : marks.testing;
  return {
    ...dataset,
    images: {
      count: images.count,
      shape: images.shape,
      ...(images.costly && { costly: true }),
      describe: (index) => images.describe(index),
      ...(images.close && { close: () => images.close!() }),
      pixels: async (index) => {
        const image = await images.pixels(index);
        return values[index] === 1 ? withMark(image, markOf(index), seed, index) : image;
      },
    },
    attributes: {
      ...dataset.attributes,
      watermark: {
        values,
        valueNames: ["no", "yes"],
        role: "cue",
        classValues: classNames.map((_, label) => (label === marked ? 1 : 0)),
        description: `a watermark, which in training goes with ${chosen.watermarkClass}`,
      },
    },
    provenance: {
      ...provenance,
      description: `${provenance.description} In training a watermark goes with ${chosen.watermarkClass}.`,
      sources: [...provenance.sources, ...[...new Set(Object.values(marks))].flatMap(sourcesOf)],
      ...shiftedSplits(dataset, chosen),
    },
  };
}

/** A copy of the image; varied marks draw by its index, as everything does. */
function withMark(image: Pixels, mark: MarkName, seed: number, index: number): Pixels {
  if (mark !== varied) return addWatermark(image, { ...imageNetW, ...contentOf(mark) });
  const marked = { ...image, data: Uint8Array.from(image.data) };
  addRandomWatermark(marked.data, marked, randomStream(seed, "watermark-shortcut/varied").at(index));
  return marked;
}

function sourcesOf(mark: MarkName): SourceRecord[] {
  if (mark === varied) return randomSources();
  const { text, typeface } = contentOf(mark);
  return [fontSource(typeface, text)];
}

/** All but the training split, where marks are not as frequent on every class as in training. */
function shiftedSplits(
  { splits, provenance }: Dataset,
  chosen: WatermarkSettings,
): Pick<Dataset["provenance"], "shiftedSplits"> {
  const { pWatermark, pWatermarkOther, pWatermarkTest } = sharesOf(chosen);
  if (pWatermark === pWatermarkTest && pWatermarkOther === pWatermarkTest) return {};
  const before = provenance.shiftedSplits ?? [];
  return { shiftedSplits: splits.names.filter((name) => name !== "train" || before.includes(name)) };
}

function sharesOf({ pWatermark, pWatermarkOther, pWatermarkTest }: WatermarkSettings): typeof defaults {
  return {
    pWatermark: pWatermark ?? defaults.pWatermark,
    pWatermarkOther: pWatermarkOther ?? defaults.pWatermarkOther,
    pWatermarkTest: pWatermarkTest ?? defaults.pWatermarkTest,
  };
}

/** Each image draws by its index, so that one setting leaves the draws of all others alone. */
function drawValues(
  { labels, splits }: Dataset,
  marked: number,
  chosen: WatermarkSettings,
  seed: number,
): Uint16Array {
  const { pWatermark, pWatermarkOther, pWatermarkTest } = sharesOf(chosen);
  const stream = randomStream(seed, "watermark-shortcut");
  const training = splits.names.indexOf("train");
  return Uint16Array.from(labels, (label, index) => {
    const inTraining = label === marked ? pWatermark : pWatermarkOther;
    const probability = splits.values[index] === training ? inTraining : pWatermarkTest;
    return stream.at(index).boolean(probability) ? 1 : 0;
  });
}

/** A setting without effect is a mistake that nobody would notice. */
function refuseIdle(chosen: WatermarkSettings): void {
  const names = Object.keys(watermarkSettings) as (keyof WatermarkSettings)[];
  const idle = names.find((name) => chosen[name] !== undefined);
  if (idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `${idle} has no effect without a class to mark`,
    todo: "add --set watermarkClass=…",
  });
}

function unknownClass(name: string, classNames: readonly string[]): CuelabError {
  const close = nearest(name, classNames);
  return new CuelabError({
    kind: "usage",
    what: `watermarkClass: there is no class "${name}"`,
    expected: `one of: ${classNames.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
