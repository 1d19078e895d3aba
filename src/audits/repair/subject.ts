/** What is repaired, and for whom: a network whose last layer can be replaced, groups of images, and which of them belong together. */

import { join } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import { runFiles } from "../../runs/run-folder.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { type ModelWords, openModel } from "../../training/asked/open-model.ts";
import { burstsOf } from "../discover/grouping/belonging.ts";
import { nearDuplicates } from "../discover/grouping/near-duplicates.ts";
import { clustersBy } from "../discover/grouping/units.ts";
import { measureImages } from "../discover/measuring/measure-images.ts";
import type { RepairAsked } from "./repair.ts";

/** A run is its own file; pictures are made ready for it as for training. */
export async function openedModel(words: ModelWords) {
  const place = perhapsRun(words.model);
  const opened = await openModel(words);
  if (opened.run === undefined) return { model: opened, words: {} };
  const file = await openModel({ model: join(place, runFiles.model) });
  const { features } = file;
  return { model: { ...opened, ...(features && { features }) }, words: opened.run.spec.data };
}

export async function lastLayerOf(model: AskedModel) {
  const head = model.network === undefined ? undefined : (await model.network()).head;
  if (head !== undefined && model.file !== undefined) return { bytes: await readPlain(model.file), head };
  throw new CuelabError({
    kind: "input",
    what: `${model.name} does not end in a linear layer that can be replaced`,
    expected: "an ONNX file whose logits are a linear layer of its features",
    todo: "export the network with its classifier as its last layer; of a method with heads of its own, repair the run of the standard model",
  });
}

export function groupsAsked(dataset: Dataset, asked: readonly string[] | undefined): readonly string[] {
  const cues = Object.keys(dataset.attributes).filter((name) => dataset.attributes[name]!.role === "cue");
  const groups = asked ?? cues;
  const unknown = groups.find((name) => dataset.attributes[name] === undefined);
  if (groups.length > 0 && unknown === undefined) return groups;
  throw new CuelabError({
    kind: "usage",
    what: unknown === undefined ? "a repair needs groups" : `the data has no attribute "${unknown}"`,
    expected: `--groups with some of: ${Object.keys(dataset.attributes).join(", ") || "none: the data has no attributes"}`,
    todo: "a table beside the images gives them attributes (docs/your-own-images.md)",
  });
}

/** Copies, bursts and what people say belongs together. */
export async function clustersOf(
  dataset: Dataset,
  { cluster, signal, onProgress }: Pick<RepairAsked, "cluster" | "signal" | "onProgress">,
): Promise<Uint32Array> {
  const { count } = dataset.images;
  const named = cluster === undefined ? undefined : dataset.attributes[cluster];
  if (cluster !== undefined && named === undefined)
    throw new CuelabError({
      kind: "usage",
      what: `the data has no attribute "${cluster}" to keep images together by`,
      expected: `one of: ${Object.keys(dataset.attributes).join(", ") || "none, it has no attributes"}`,
    });
  const measured = await measureImages(dataset, {
    without: [],
    workers: 1,
    drawn: new Int32Array(count).fill(-1),
    signal,
    onProgress: (done) => onProgress?.("looking for copies", done, count, "images"),
  });
  const bursts = burstsOf(measured);
  const alike = await nearDuplicates(measured, signal);
  return clustersBy(count, [
    { codes: alike },
    ...(bursts ? [bursts] : []),
    ...(named ? [{ codes: named.values }] : []),
  ]);
}

export function unlabelled({ name }: Dataset): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a last layer is fitted to labels, and nobody has labelled these images",
    where: name,
  });
}

export function otherClasses({ name }: AskedModel, { classNames }: Dataset, classes: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the data's classes are not those of the network's last layer",
    where: name,
    expected: `images of all its ${classes} classes`,
    got: `${classNames.length} classes: ${classNames.slice(0, 10).join(", ")}`,
    todo: "name the file's classes with --classes, in their order; a class without images cannot be fitted",
  });
}
