/** Asks a model about every image once, and with every watermark on it, and keeps sums alone: a million images need no more memory. */

import type { Dataset } from "../../core/dataset.ts";
import { groupsOf } from "../../core/grouping.ts";
import { addWatermark, contentOf, imageNetW } from "../../images/watermark/watermark.ts";
import type { AskedModel, ModelSession } from "../../training/asked/asked-model.ts";
import { imageBatches } from "../../training/predict.ts";
import { changedBy } from "./changed-images.ts";
import type { ClassMap } from "./class-maps.ts";
import { PredictionSums } from "./prediction-sums.ts";
import type { AnsweredImages, MarkContent, PredictionsJob } from "./predictions-job.ts";
import { type ImageVerdict, verdicts } from "./verdicts.ts";

/** A model with what its numbers mean for these data. */
export interface Respondent extends Pick<ClassMap, "classNames" | "countsFor"> {
  model: AskedModel;
}

export interface ImagesQuestion extends Pick<PredictionsJob, "by" | "marks" | "changes"> {
  /** Of the dataset, whose images have the size of these models. */
  indices: Uint32Array;
  /** Of all images, in the models' classes. */
  labels: Int32Array;
  threads: number;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const mostAtOnce = 32;

/** Images are made once for all models, whose classes are called alike. */
export async function answerImages(
  respondents: readonly Respondent[],
  dataset: Dataset,
  { by = [], marks = [], changes = [], indices, labels, threads, signal, onProgress }: ImagesQuestion,
): Promise<AnsweredImages[]> {
  const groups = by.length === 0 ? undefined : groupsOf(dataset, { by }, indices);
  const sums = respondents.map(
    ({ classNames }) =>
      new PredictionSums(classNames.length, marks.length, groups?.sizes.length ?? 1, changes.length),
  );
  const size = Math.min(mostAtOnce, indices.length);
  const changed = changes.length === 0 ? undefined : changedBy(changes, dataset, indices, labels);
  const sessions: ModelSession[] = [];
  const batches = imageBatches(dataset, indices, size);
  try {
    for (const { model } of respondents) sessions.push(await model.open({ threads }));
    let done = 0;
    for await (const images of batches) {
      signal.throwIfAborted();
      const used = Math.min(size, indices.length - done);
      const pictures = [images, ...marks.map((mark) => withMark(images, dataset, mark))];
      if (changed !== undefined) pictures.push(...(await changed(images, done, used)));
      for (const [m, { countsFor, classNames }] of respondents.entries()) {
        const said: ImageVerdict[][] = [];
        for (const bytes of pictures)
          said.push(verdicts(await sessions[m]!.logits(bytes, size), size, countsFor, classNames.length));
        for (let i = 0; i < used; i++) {
          const [plain, ...others] = said.map((each) => each[i]!) as [ImageVerdict, ...ImageVerdict[]];
          const pairs = changes.map((_, c): [ImageVerdict, ImageVerdict] => [
            others[marks.length + 2 * c]!,
            others[marks.length + 2 * c + 1]!,
          ]);
          const group = groups?.codes[done + i] ?? 0;
          sums[m]!.add(labels[indices[done + i]!]!, group, plain, others.slice(0, marks.length), pairs);
        }
      }
      done += used;
      onProgress(done, indices.length);
    }
  } finally {
    await batches.return(undefined);
    for (const session of sessions) await session.close();
  }
  const values = groups === undefined ? [] : Array.from(groups.sizes, (_, code) => groups.group(code).values);
  return respondents.map(({ classNames }, m) =>
    sums[m]!.answer({ classNames, marks, changes, groups: values }),
  );
}

function withMark(images: Uint8Array, { images: { shape } }: Dataset, mark: MarkContent): Uint8Array {
  const { height, width, channels } = shape!;
  const size = height * width * channels;
  const marked = new Uint8Array(images.length);
  for (let at = 0; at < images.length; at += size) {
    const data = images.subarray(at, at + size);
    marked.set(
      addWatermark({ data, height, width, channels }, { ...imageNetW, ...contentOf(mark) }).data,
      at,
    );
  }
  return marked;
}
