/** The one way from words to a model that can be asked: the folder of a run, or an ONNX file of anybody's. */

import { stat } from "node:fs/promises";
import { CuelabError } from "../../core/errors.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import type { AskedModel } from "./asked-model.ts";
import { type ClassWords, withChosenClasses } from "./chosen-classes.ts";
import { modelOfOnnx, type OnnxWords } from "./onnx-file.ts";
import { modelOfRun } from "./run-model.ts";

export interface ModelWords extends OnnxWords, ClassWords {
  /** The folder of a run, the beginning of its id, or an ONNX file. */
  model: string;
}

export async function openModel({
  model,
  classes,
  subset,
  superclasses,
  ...words
}: ModelWords): Promise<AskedModel> {
  const place = perhapsRun(model);
  const found = await stat(place).catch(() => undefined);
  const chosen = { classes, subset, superclasses };
  if (found?.isDirectory()) {
    refuseIdle({ classes, ...words }, place);
    return withChosenClasses(await modelOfRun(place), chosen);
  }
  if (found?.isFile() && place.toLowerCase().endsWith(".onnx"))
    return withChosenClasses(await modelOfOnnx(place, words), chosen);
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "there is no such model" : "this is no model",
    where: place,
    expected: "the folder of a finished run, or an .onnx file",
    got: found === undefined ? "no such file or folder" : "another kind of file",
  });
}

/** A run has all that in itself. */
function refuseIdle(words: OnnxWords & Pick<ClassWords, "classes">, where: string): void {
  const idle = Object.entries(words).find(([, value]) => value !== undefined);
  if (idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `--${idle[0]} has no effect with a run, whose model takes images as it was trained`,
    where,
    todo: `leave --${idle[0]} away, or give the run's model.onnx itself`,
  });
}
