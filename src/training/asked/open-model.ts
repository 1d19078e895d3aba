/** The one way from words to a model that can be asked: the folder of a run, or an ONNX file of anybody's. */

import { stat } from "node:fs/promises";
import { CuelabError } from "../../core/errors.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import type { AskedModel } from "./asked-model.ts";
import { type ClassWords, withChosenClasses } from "./chosen-classes.ts";
import { modelOfOnnx, type OnnxWords } from "./onnx-file.ts";
import { modelOfRun } from "./run-model.ts";
import { isZeroShot, modelOfTowers, type TextHooks, type TextWords } from "./zero-shot/towers.ts";

export interface ModelWords extends OnnxWords, ClassWords, TextWords {
  /** The folder of a run, the beginning of its id, or an ONNX file. */
  model: string;
}

export async function openModel(
  { model, classes, subset, superclasses, ...words }: ModelWords,
  hooks: TextHooks = {},
): Promise<AskedModel> {
  const place = perhapsRun(model);
  const found = await stat(place).catch(() => undefined);
  const chosen = { classes, subset, superclasses };
  if (found?.isDirectory()) {
    refuseIdle({ classes, ...words }, place);
    return withChosenClasses(await modelOfRun(place), chosen);
  }
  if (found?.isFile() && place.toLowerCase().endsWith(".onnx")) {
    const isTexts = isZeroShot(words);
    if (!isTexts) refuseScale(words, place);
    const opened = isTexts ? await modelOfTowers(place, words, hooks) : await modelOfOnnx(place, words);
    return withChosenClasses(opened, chosen);
  }
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "there is no such model" : "this is no model",
    where: place,
    expected: "the folder of a finished run, or an .onnx file",
    got: found === undefined ? "no such file or folder" : "another kind of file",
  });
}

function refuseScale({ logitScale }: TextWords, where: string): void {
  if (logitScale === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: "--logit-scale is for models of images and texts",
    where,
    todo: "say what their classes are with --prompts or --text-embeddings",
  });
}

/** A run has all that in itself. */
function refuseIdle(words: OnnxWords & TextWords & Pick<ClassWords, "classes">, where: string): void {
  const idle = Object.entries(words).find(([, value]) => value !== undefined);
  if (idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `--${optionOf(idle[0])} has no effect with a run, whose model takes images as it was trained`,
    where,
    todo: `leave --${optionOf(idle[0])} away, or give the run's model.onnx itself`,
  });
}

/** As the command line calls it. */
const optionOf = (word: string) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
