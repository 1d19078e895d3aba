/** What an audit looks at, opened from the names and paths that people give. */

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import type { PredictionsOrigin } from "../core/predictions-about.ts";
import { temporaryFolder } from "../disk/make-folder.ts";
import { classTitles, openBoxedPhotos } from "../layouts/boxed-photos.ts";
import { perhapsRun } from "../runs/find-run.ts";
import { aboutRun, imagesOfTable } from "../training/about-run.ts";
import { howItIsAsked } from "../training/asked/asked-model.ts";
import type { ModelWords } from "../training/asked/open-model.ts";
import type { ThingWords } from "../training/asked/things/things.ts";
import {
  type DataReading,
  dataWordsOf,
  type NamedDataOptions,
  namedDataset,
} from "../training/named-data.ts";
import type { AuditedFeatures, AuditHooks, AuditSubject, AuditSubjects } from "./audit.ts";
import type { ComparedImage } from "./data-bias/agreement.ts";
import { chooseThing, datasetObjects } from "./data-bias/dataset-objects.ts";

export interface SubjectOptions extends AuditHooks {
  /** Of a dataset by name. */
  set?: readonly string[] | undefined;
  dataSeed?: number | undefined;
  /** Of a dataset by path. */
  reading?: DataReading | undefined;
  /** Columns by which images belong together. */
  together?: readonly string[] | undefined;
  /** Of predictions: what the model was trained on, and those of a standard model. Of a model: the images that it is asked about. */
  data?: string | undefined;
  baselines?: readonly string[] | undefined;
  /** Of a model: how it is opened. */
  model?: Omit<ModelWords, "model"> | undefined;
  /** Of a model: a file that tells which of its classes each of the data's is. */
  labelMap?: string | undefined;
  /** Of a model: where the main thing of each image is. */
  things?: ThingWords | undefined;
  /** Of objects: whose boxes, and of which split … */
  thing?: string | undefined;
  split?: string | undefined;
  /** … or where boxes of a folder of photographs lie, and what their classes are called. */
  boxes?: string | undefined;
  synsets?: string | undefined;
  /** … and another set of boxes of the same photographs. */
  compare?: string | undefined;
  /** Told what people would want to know of how a model of theirs is asked. */
  onRemark?: ((text: string) => void) | undefined;
}

export interface OpenedSubject<Of extends AuditSubject> {
  subject: AuditSubjects[Of];
  readonly close: () => Promise<void>;
}

const nothingToClose = async () => {};

type Openers = {
  [Of in AuditSubject]: (things: readonly string[], options: SubjectOptions) => Promise<OpenedSubject<Of>>;
};

const openers: Openers = {
  predictions: async (tables, options) => {
    const { data, baselines = [] } = options;
    const dataset = data === undefined ? undefined : await namedDataset(data, dataOptions(options));
    const opened = dataset === undefined ? [] : [dataset];
    const imagesOfRun = async (origin: PredictionsOrigin, table: string) => {
      if (origin.spec.kind === "last-layer") return undefined;
      const shown = await imagesOfTable(origin, table);
      opened.push(shown);
      return shown;
    };
    return {
      subject: {
        tables: tables.map(perhapsRun),
        baselines: baselines.map(perhapsRun),
        dataset,
        aboutRun,
        imagesOfRun,
      },
      close: async () => {
        for (const { images } of opened) await images.close?.();
      },
    };
  },
  dataset: async (things, options) => {
    const { together } = options;
    const dataset = await namedDataset(one(things, "a dataset"), dataOptions(options), { together });
    return { subject: dataset, close: async () => dataset.images.close?.() };
  },
  objects: async (things, options) => {
    const name = one(things, "a dataset, or a folder of photographs");
    if (options.boxes !== undefined) return photographs(name, options.boxes, options);
    const dataset = await namedDataset(name, dataOptions(options));
    const { split, signal, onProgress } = options;
    const { count } = dataset.images;
    const images = datasetObjects(dataset, {
      thing: chooseThing(dataset, options.thing),
      split,
      onProgress: (done) => {
        signal?.throwIfAborted();
        onProgress?.(`looking at ${name}`, done, count, "images");
      },
    });
    return {
      subject: { title: dataset.provenance.title, images },
      close: async () => dataset.images.close?.(),
    };
  },
  accuracies: async (tables) => ({ subject: { tables }, close: nothingToClose }),
  features: async (things, options) => {
    const path = one(things, "a folder of features, or a run");
    return { subject: await featuresOf(path, options), close: nothingToClose };
  },
  model: async (things, options) => {
    const { model, data } = options;
    const name = one(things, "the folder of a run, or an .onnx file");
    if (data === undefined)
      throw new CuelabError({
        kind: "usage",
        what: "a model is asked about images, and none are named",
        where: name,
        todo: "name a dataset, or a folder of photographs, with --data",
      });
    const { openModelWithData } = await import("../training/asked/model-with-data.ts");
    const { close, remarks, ...subject } = await openModelWithData(
      { model: name, ...model },
      dataWordsOf(data, dataOptions(options)),
      {
        things: options.things,
        labelMap: options.labelMap,
        onTexts: (done, total) => options.onProgress?.("text embeddings", done, total, "prompts"),
      },
    );
    for (const remark of [...howItIsAsked(subject.model), ...remarks]) options.onRemark?.(remark);
    return { subject, close };
  },
  pool: async (things) => {
    const { openPool } = await import("../pools/open-pool.ts");
    return { subject: await openPool(one(things, "a pool's folder")), close: nothingToClose };
  },
};

/** Whoever opens it closes it. */
export async function openSubject<Of extends AuditSubject>(
  of: Of,
  things: readonly string[],
  options: SubjectOptions = {},
): Promise<OpenedSubject<Of>> {
  refuseIdle(of, options);
  refuseIdleModelWords(of, options);
  return openers[of](things, options);
}

function one(things: readonly string[], what: string): string {
  const [first, ...others] = things;
  if (first !== undefined && others.length === 0) return first;
  throw new CuelabError({
    kind: "usage",
    what: "this audit looks at one thing",
    expected: what,
    got: things.join(", ") || "none",
  });
}

function dataOptions({ set = [], dataSeed, reading }: SubjectOptions): NamedDataOptions {
  return { set, dataSeed, ...reading };
}

/** What is said of a dataset has an effect where one is opened. */
function refuseIdle(of: AuditSubject, { data, set = [], reading = {} }: SubjectOptions): void {
  const opens =
    of === "dataset" || of === "objects" || of === "model" || (of === "predictions" && data !== undefined);
  if (opens || (set.length === 0 && Object.keys(reading).length === 0)) return;
  throw new CuelabError({
    kind: "usage",
    what: "options about a dataset have no effect here: none is opened",
    ...(of === "predictions"
      ? { todo: "name the dataset that the model was trained on with --data" }
      : { todo: "leave them away" }),
  });
}

function refuseIdleModelWords(of: AuditSubject, { model = {}, things = {}, labelMap }: SubjectOptions): void {
  const words = Object.keys({
    ...model,
    ...things,
    ...(labelMap !== undefined && { "label-map": labelMap }),
  });
  if (of === "model" || words.length === 0) return;
  throw new CuelabError({
    kind: "usage",
    what: "options about a model have no effect here: none is opened",
    got: words.map((word) => `--${word}`).join(", "),
    todo: "leave them away",
  });
}

/** Boxes alone are read; of images whose size is not told, also their heads. */
async function photographs(
  images: string,
  boxes: string,
  { synsets, compare }: Pick<SubjectOptions, "synsets" | "compare">,
): Promise<OpenedSubject<"objects">> {
  const found = await openBoxedPhotos({ images, boxes, synsets });
  const titles = classTitles(found.classNames, found.title);
  const objects = found.photos.map(({ className, width, height, boxes }, index) => ({
    className: lookUp(titles, className),
    width,
    height,
    boxes,
    describe: found.path(index),
  }));
  const compared = compare === undefined ? undefined : await comparedImages(images, compare, found, titles);
  return {
    subject: { title: basename(resolve(images)), images: objects, ...(compared && { compared }) },
    close: nothingToClose,
  };
}

/** By file and class, whether a class goes by its id or by its words. */
async function comparedImages(
  images: string,
  compare: string,
  { photos }: Awaited<ReturnType<typeof openBoxedPhotos>>,
  titles: ReadonlyMap<string, string>,
): Promise<ComparedImage[]> {
  const other = await openBoxedPhotos({ images, boxes: compare });
  const key = (file: string, className: string) => `${file}\n${className}`;
  const byImage = new Map(other.photos.map(({ file, className, boxes }) => [key(file, className), boxes]));
  return photos.map(({ file, className, boxes }) => ({
    className: lookUp(titles, className),
    own: boxes,
    other: byImage.get(key(file, className)) ?? byImage.get(key(file, lookUp(titles, className))) ?? [],
  }));
}

/** A folder of features as it is; a run's are made for the occasion. */
export async function featuresOf(
  path: string,
  { signal, onProgress }: SubjectOptions,
): Promise<AuditedFeatures> {
  const { readFeatureHead, readFeatures } = await import("../runs/feature-folder.ts");
  const withHead = async (folder: string): Promise<AuditedFeatures> => {
    const set = await readFeatures(folder);
    return { title: path, ...set, head: await readFeatureHead(folder, set) };
  };
  const isRun = !existsSync(join(path, "features.json")) && existsSync(join(path, "spec.json"));
  if (!isRun) return withHead(path);
  const { extractFeatures } = await import("../training/features/extract-features.ts");
  const { extractionOfRun } = await import("../training/features/extraction-words.ts");
  const folder = await temporaryFolder("embed");
  try {
    const out = join(folder.path, "features");
    let total = 0;
    await extractFeatures(await extractionOfRun(path, signal), {
      out,
      force: false,
      ...(signal && { signal }),
      onOpened: (count) => {
        total = count;
      },
      onProgress: (done) => onProgress?.("features of the run", done, total, "images"),
    });
    return await withHead(out);
  } finally {
    await folder.remove();
  }
}
