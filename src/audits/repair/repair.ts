/**
 * Somebody's network with another last layer: its features are kept once, heads are fitted, tuned and chosen on three parts of the
 * images, and what the best one changes is told of a fourth, of the very file that is handed back.
 */

import { join } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { groupsOf, spelled } from "../../core/grouping.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { methods } from "../../methods/index.ts";
import { supervisionOf } from "../../methods/method.ts";
import { encodePredictions, type Predictions, predictedClasses } from "../../runs/predictions.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { howItIsAsked } from "../../training/asked/asked-model.ts";
import { type ModelWords, openModel } from "../../training/asked/open-model.ts";
import { inSizeOf } from "../../training/asked/preparation.ts";
import { DataBook, type DataWords } from "../../training/data-book.ts";
import { askedSource } from "../../training/features/asked-source.ts";
import { extractFrom } from "../../training/features/extract-features.ts";
import type { AskedView } from "../../training/features/view-parts.ts";
import { asTrained } from "../../training/named-data.ts";
import { predictedParts } from "../../training/predict.ts";
import { ofOneShape } from "../../training/training-data.ts";
import { evaluatePredictions } from "../predictions/evaluate-predictions.ts";
import type { LayerRepair } from "./answer.ts";
import { bestOf } from "./best-head.ts";
import { candidatesOf, type HeadCandidate } from "./candidates.ts";
import { changesOf, judged } from "./changes.ts";
import { fitHead, isBetter, scoreOn } from "./fit-head.ts";
import { fileWith } from "./new-head.ts";
import { parted, partSplits, partWords, type RepairSplit } from "./parts.ts";
import { clustersOf, groupsAsked, lastLayerOf, openedModel, otherClasses, unlabelled } from "./subject.ts";

export interface RepairAsked {
  /** A run's folder, or an ONNX file, and how pictures are made ready for it. */
  model: ModelWords;
  data: Omit<DataWords, "environments">;
  /** Attributes that make groups with the class; all cues unless told. */
  groups?: readonly string[] | undefined;
  methods: readonly string[];
  methodSet?: readonly string[] | undefined;
  views?: readonly AskedView[] | undefined;
  copies?: number | undefined;
  /** Images with one value of it stay in one part. */
  cluster?: string | undefined;
  shares?: readonly number[] | undefined;
  seed?: number | undefined;
  batchSize?: number | undefined;
  threads?: number | undefined;
  /** For features and candidates: empty, and whoever made it removes it. */
  work: string;
  /** Points within which gaps are equal; 3 unless told. */
  margin?: number | undefined;
  signal?: AbortSignal | undefined;
  onRemark?: ((text: string) => void) | undefined;
  onProgress?: ((doing: string, done: number, total: number, unit: string) => void) | undefined;
}

export interface Repaired {
  answer: LayerRepair;
  /** The network's file with the chosen head. */
  file: Uint8Array;
}

/** What a logit may differ by between the file and what was fitted, beside the largest of all: other orders of sums, no other layer. */
const mostFileError = 1e-3;

export async function repair(asked: RepairAsked): Promise<Repaired> {
  const { seed = 0, batchSize = 64, threads = 2, signal, onRemark, onProgress, work } = asked;
  const remarks: string[] = [];
  const remark = (text: string) => {
    remarks.push(text);
    onRemark?.(text);
  };
  const tried = asked.methods.flatMap((name) => candidatesOf(name, asked.methodSet ?? []));
  const { model, words } = await openedModel(asked.model);
  const { bytes, head: found } = await lastLayerOf(model);
  const book = new DataBook();
  const { handle, dataset: whole } = await book.open(asTrained(asked.data, words), signal);
  try {
    for (const text of [...book.remarks, ...howItIsAsked(model)]) remark(text);
    const shaped = await ofOneShape(inSizeOf(model, whole));
    if (isUnlabelled(shaped)) throw unlabelled(shaped);
    const groups = groupsAsked(shaped, asked.groups);
    const clusters = await clustersOf(shaped, asked);
    const split = parted(shaped, { groups, clusters, shares: asked.shares, seed });
    const source = await askedSource(model, split, {
      identity: handle.data.identity,
      where: asked.data.path ?? shaped.name,
      layer: undefined,
      batchSize,
      threads,
      seed,
      onRemark: remark,
    });
    const { dataset } = source;
    if (dataset.classNames.length !== found.classes) throw otherClasses(model, dataset, found.classes);
    const features = join(work, "features");
    let [rows, name] = [0, `features of ${model.name}`];
    const { head } = await extractFrom(source, {
      out: features,
      force: false,
      views: asked.views,
      copies: asked.copies,
      signal,
      onOpened: (total) => {
        rows = total;
      },
      onProgress: (done) => onProgress?.(name, done, rows, "images"),
    });
    if (!head) throw otherClasses(model, dataset, found.classes);
    const made = groupsOf(dataset, { by: ["class", ...groups] });
    const places = (part: RepairSplit) =>
      [...dataset.labels.keys()].filter((i) => dataset.splits.values[i] === partSplits.indexOf(part));
    const score = (part: RepairSplit, predicted: (image: number) => number) =>
      scoreOn(places(part), made.codes, dataset.labels, predicted);

    name = `what ${model.name} says`;
    const asks = (which: AskedModel, indices: readonly number[], doing: string) =>
      saidBy(which, dataset, Uint32Array.from(indices), { batchSize, threads, signal, doing, onProgress });
    const chooseBefore = await asks(model, places("choose"), name);
    const before = score("choose", lookUpIn(chooseBefore));
    const best = await bestOf(tried, {
      score,
      fit: (candidate, number) => {
        onProgress?.("last layers", number, tried.length, "candidates");
        return fitHead(candidate, number, {
          features,
          work,
          layer: { name: found.name, shape: found },
          explicit: groups,
          takesGroups: takesGroups(candidate),
          seed,
          threads,
          signal,
          onNote: () => {},
        });
      },
    });
    onProgress?.("last layers", tried.length, tried.length, "candidates");
    const file = fileWith(bytes, found, best.fitted.head);
    const path = join(work, "repaired.onnx");
    await writeWhole(path, file, { overwrite: false });
    const repaired = await openModel({ ...asked.model, model: path });
    const reported = places("test");
    const [was, is] = [
      await asks(model, reported, name),
      await asks(repaired, reported, "what the repaired file says"),
    ];
    const fileError = differenceTo(is, best.fitted.said);
    if (!(fileError <= mostFileError)) throw otherFile(fileError);
    const changes = changesOf(dataset, made, reported, was, is);
    const [beforeTable, afterTable] = [join(work, "before.parquet"), join(work, "after.parquet")];
    await writeWhole(beforeTable, await encodePredictions(dataset, was, null), { overwrite: false });
    await writeWhole(afterTable, await encodePredictions(dataset, is, null), { overwrite: false });
    const { moles, remarks: ofEvaluation } = await evaluatePredictions({
      tables: [afterTable],
      baselines: [beforeTable],
      split: "test",
      cues: [...groups],
      groups: ["class", ...groups],
      alphas: [],
      margin: asked.margin,
      signal,
    });
    if (moles === undefined) for (const text of ofEvaluation) if (!remarks.includes(text)) remarks.push(text);
    const worst = spelled(made.group(before.group), "words");
    return {
      file,
      answer: {
        model: model.name,
        modelDigest: model.digest,
        data: handle.data.identity,
        groups,
        parts: Object.fromEntries(partSplits.map((part) => [partWords[part], places(part).length])),
        clusters: { images: dataset.images.count, units: new Set(clusters).size },
        tried: best.tried,
        before,
        chosen: {
          method: best.candidate.method,
          words: best.candidate.words,
          kind: best.fitted.head.kind,
          toldGroups: takesGroups(best.candidate),
          heads: best.fitted.head.kind === "ensemble" ? best.fitted.head.heads.length : 1,
        },
        notes: best.fitted.notes,
        ...changes,
        worst,
        ...judged(changes.changes, {
          worst,
          moles,
          isChosen: isBetter(best.score, before),
          chance: 1 / found.classes,
        }),
        moles: moles ?? null,
        fileError,
        remarks,
      },
    };
  } finally {
    await whole.images.close?.();
  }
}

function takesGroups({ method: name, settings }: HeadCandidate): boolean {
  const method = methods.get(name);
  return (supervisionOf(method, method.settings.parse(settings)).groups ?? []).length > 0;
}

async function saidBy(
  model: AskedModel,
  dataset: Dataset,
  indices: Uint32Array,
  {
    batchSize,
    threads,
    signal,
    doing,
    onProgress,
  }: Pick<RepairAsked, "signal" | "onProgress"> & { batchSize: number; threads: number; doing: string },
): Promise<Predictions> {
  const classes = dataset.classNames.length;
  const logits = new Float32Array(indices.length * classes);
  let done = 0;
  for await (const part of predictedParts(model, dataset, indices, { batchSize, threads })) {
    signal?.throwIfAborted();
    logits.set(part.logits, done * classes);
    done += part.indices.length;
    onProgress?.(doing, done, indices.length, "images");
  }
  return { indices, logits };
}

function lookUpIn(said: Predictions): (image: number) => number {
  const classes = predictedClasses(said);
  const found = new Map(Array.from(said.indices, (image, row) => [image, classes[row]!]));
  return (image) => found.get(image)!;
}

/** Largest difference, as a share of the largest logit. */
function differenceTo(file: Predictions, fitted: Predictions): number {
  const classes = file.logits.length / file.indices.length;
  const rows = new Map(Array.from(fitted.indices, (image, row) => [image, row]));
  let [most, largest] = [0, 1e-6];
  for (const [row, image] of file.indices.entries())
    for (let k = 0; k < classes; k++) {
      const [one, other] = [file.logits[row * classes + k]!, fitted.logits[rows.get(image)! * classes + k]!];
      most = Math.max(most, Math.abs(one - other));
      largest = Math.max(largest, Math.abs(other));
    }
  return most / largest;
}

function otherFile(error: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "the repaired file does not say what the fitted head says",
    expected: `logits within ${mostFileError} of the largest`,
    got: error.toPrecision(2),
    todo: "tell us of this network: nothing was handed back",
  });
}
