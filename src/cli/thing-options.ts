/** Options that say where the main thing of each image is, which audits of models have. */

import type { Command } from "commander";
import { type InpainterWords, inpainterRanges } from "../training/asked/things/inpainter.ts";
import type { ThingWords } from "../training/asked/things/things.ts";
import { choice, given, list, number, wholeNumber } from "./options.ts";

export interface ThingOptions {
  masks?: string;
  boxes?: string;
  segmenter?: string;
  segmenterPreparation?: string;
  segmenterClasses?: number[];
  segmenterOutput?: string;
  detector?: string;
  detectorClasses?: number[];
  detectorScore?: number;
  inpainter?: string;
  inpainterRange?: NonNullable<InpainterWords["inpainterRange"]>;
  inpainterMask?: NonNullable<InpainterWords["inpainterMask"]>;
}

export function addThingOptions(command: Command): Command {
  const numbers = (text: string) => list(text).map(wholeNumber(0, 1e6));
  return command
    .option("--masks <folder>", "of a model: masks of the main thing, by the images' names")
    .option(
      "--boxes <file>",
      "… or its boxes: VOC's XML files, CSV or COCO's JSON; the largest of each image",
    )
    .option("--segmenter <file>", "… or an ONNX file that finds it: a map of classes, or of the thing alone")
    .option("--segmenter-preparation <file>", "… how its pixels are made ready, as --preparation")
    .option(
      "--segmenter-classes <numbers>",
      "… which of its classes are the thing (default: all but 0)",
      numbers,
    )
    .option("--segmenter-output <name>", "… which of several outputs (default: the first map)")
    .option("--detector <file>", "… or an ONNX file that gives boxes, labels and scores; the surest box")
    .option("--detector-classes <numbers>", "… of these labels alone", numbers)
    .option("--detector-score <share>", "… how sure it must be (default: 0.5)", number)
    .option("--inpainter <file>", "of a model: an ONNX file that fills the holes behind things, such as LaMa")
    .addOption(
      choice("--inpainter-range <name>", "… what it takes for pictures (default: unit)", inpainterRanges),
    )
    .addOption(
      choice("--inpainter-mask <name>", "… what its mask is 1 for (default: hole)", ["hole", "known"]),
    );
}

/** What these options say, without those that were not given. */
export function thingWordsOf(options: ThingOptions): ThingWords {
  const { masks, boxes, segmenter, segmenterPreparation, segmenterClasses, segmenterOutput } = options;
  const { detector, detectorClasses, detectorScore } = options;
  const { inpainter, inpainterRange, inpainterMask } = options;
  return given({
    masks,
    boxes,
    segmenter,
    segmenterPreparation,
    segmenterClasses,
    segmenterOutput,
    detector,
    detectorClasses,
    detectorScore,
    inpainter,
    inpainterRange,
    inpainterMask,
  });
}
