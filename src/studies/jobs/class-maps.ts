/** What the numbers that a model gives count for, of the classes that data has. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { classFolderNames } from "../../layouts/imagenet-boxes/layout.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { codesOfClasses } from "../../training/asked/chosen-classes.ts";
import { readClassMap } from "../../training/asked/class-file.ts";
import type { PredictionsJob } from "./predictions-job.ts";
import type { CountsFor } from "./verdicts.ts";

export interface ClassMap {
  classNames: readonly string[];
  countsFor: CountsFor;
  /** Of the images, in these classes; -1 of those that are left out. */
  labels: Int32Array;
}

type ClassQuestion = Pick<PredictionsJob, "classesLike" | "amongClassesOf" | "superclasses">;

export async function classMap(
  model: Pick<AskedModel, "name" | "classNames" | "classAliases" | "classes">,
  dataset: Pick<Dataset, "name" | "classNames" | "labels">,
  { classesLike, amongClassesOf, superclasses }: ClassQuestion,
): Promise<ClassMap> {
  const { labels } = dataset;
  if (superclasses !== undefined) {
    const width = model.classes ?? model.classNames?.length;
    const countsFor = await partsOf(superclasses, dataset.classNames.length, width);
    return { classNames: dataset.classNames, countsFor, labels: Int32Array.from(labels) };
  }
  const named = classesLike === undefined ? model.classNames : await classFolderNames(classesLike);
  const names = named ?? dataset.classNames;
  const width = model.classes ?? names.length;
  if (names.length !== width)
    throw new CuelabError({
      kind: "input",
      what: `nobody says what the classes of ${model.name} are called`,
      ...(classesLike !== undefined && { where: classesLike }),
      expected: `${width} names, one for each class that it tells apart`,
      got: `${names.length} classes ${classesLike === undefined ? `of ${dataset.name}` : "with a folder"}`,
    });
  const among = amongClassesOf === undefined ? undefined : new Set(await classFolderNames(amongClassesOf));
  const isAsked = (name: string) => among === undefined || among.has(name);
  const known = codesOfClasses({ ...model, classNames: names }, dataset.classNames);
  const codes = dataset.classNames.map((name, i) => (isAsked(name) ? (known[i] ?? -1) : -1));
  const strange = dataset.classNames.filter((name, i) => isAsked(name) && known[i] === undefined);
  if (strange.length > 0)
    throw new CuelabError({
      kind: "input",
      what: `the data has classes that ${model.name} does not know`,
      where: dataset.name,
      expected: `classes among: ${shown(names)}`,
      got: shown(strange),
      todo: "name the folders of the images as the model's classes are called",
    });
  return {
    classNames: names,
    countsFor: names.map((name, i) => (isAsked(name) ? i : undefined)),
    labels: Int32Array.from(labels, (label) => codes[label]!),
  };
}

/** Of a file such as ImageNet-9's: for each number of a class that of the class it is part of, or -1. */
async function partsOf(path: string, classes: number, width: number | undefined): Promise<(number | null)[]> {
  const parts = [...(await readClassMap(path))].map((pair) => pair.map(Number) as [number, number]);
  const length = width ?? parts.length;
  const isPart = ([number, part]: [number, number]) =>
    isBetween(number, 0, length - 1) && isBetween(part, -1, classes - 1);
  if (parts.length === 0 || !parts.every(isPart))
    throw new CuelabError({
      kind: "input",
      what: "this is no map of classes",
      where: path,
      expected: `JSON such as {"0": -1, "151": 0}: for a class of the model, of ${length}, the number of one of the data's ${classes} classes, or -1`,
    });
  const partOf = new Map(parts);
  return Array.from({ length }, (_, i) => {
    const part = partOf.get(i) ?? -1;
    return part < 0 ? null : part;
  });
}

function isBetween(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}

function shown(names: readonly string[]): string {
  return `${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`;
}
