/** Options about a model that people bring, which every command that opens one has, and what they say in its words. */

import type { Command } from "commander";
import type { ModelWords } from "../training/asked/open-model.ts";
import { inputRanges, type PreparationWords } from "../training/asked/preparation-words.ts";
import { filterNames } from "../training/asked/stated-preparation.ts";
import { choice, given, list, number, wholeNumber } from "./options.ts";

export interface ModelDoorOptions {
  output?: string;
  prompts?: string;
  textTower?: string;
  tokenizer?: string;
  textEmbeddings?: string;
  logitScale?: number;
  classes?: string;
  subset?: string;
  superclasses?: string;
  preparation?: string;
  resize?: number;
  crop?: number;
  filter?: string;
  range?: NonNullable<PreparationWords["range"]>;
  mean?: number[];
  deviation?: number[];
  order?: "rgb" | "bgr";
  axes?: "NCHW" | "NHWC";
}

export function addModelOptions(command: Command): Command {
  const numbers = (text: string) => list(text).map(number);
  return command
    .option("--classes <file>", "of an ONNX file: names of its classes, in order (txt, json or csv)")
    .option("--subset <file>", "only these classes may be predicted, by name, id or number")
    .option("--superclasses <file>", "groups of classes: the group of the class that wins is predicted")
    .option(
      "--prompts <text or file>",
      'of a model of images and texts: "a photo of a {}." for each class, or a file of such templates, one a line, or JSON',
    )
    .option("--text-tower <file>", "… the ONNX file that embeds texts (default: text_model.onnx beside)")
    .option("--tokenizer <file>", "… its tokenizer.json (default: beside)")
    .option(
      "--text-embeddings <file>",
      "… instead: an embedding a class (npy, safetensors or csv); with prompts: where theirs are kept",
    )
    .option(
      "--logit-scale <number>",
      "… what cosines are multiplied by (default: the model's, else 100)",
      number,
    )
    .option("--output <name>", "of an ONNX file with several outputs: the one with a number for each class")
    .option(
      "--preparation <file>",
      "how pictures are made ready: preprocessor_config.json, timm's config.json, torchvision:<name>, or none (default: such a file beside the model)",
    )
    .option("--resize <pixels>", "… the shorter side", wholeNumber(1, 8192))
    .option("--crop <pixels>", "… the middle that is cut out", wholeNumber(1, 8192))
    .addOption(choice("--filter <name>", "… how they are resized", filterNames))
    .addOption(choice("--range <name>", "… what the network takes for bytes from 0 to 255", inputRanges))
    .option("--mean <numbers>", "… by channel, by commas, in units of 0–1 unless --range bytes", numbers)
    .option("--deviation <numbers>", "… likewise", numbers)
    .addOption(choice("--order <channels>", "… red first or blue first", ["rgb", "bgr"]))
    .addOption(choice("--axes <order>", "… where the file does not tell", ["NCHW", "NHWC"]));
}

/** What these options say, without those that were not given. */
export function modelWordsOf(options: ModelDoorOptions): Omit<ModelWords, "model"> {
  const { output, classes, subset, superclasses, preparation, resize, crop } = options;
  const { prompts, textTower, tokenizer, textEmbeddings, logitScale } = options;
  const { filter, range, mean, deviation, order, axes } = options;
  return given({
    output,
    prompts,
    textTower,
    tokenizer,
    textEmbeddings,
    logitScale,
    classes,
    subset,
    superclasses,
    preparation,
    resize,
    crop,
    filter,
    range,
    mean,
    deviation,
    order,
    axes,
  });
}
