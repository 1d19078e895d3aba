/**
 * Every image plain, then changed and by its control for every variant: one batch of images at a time, and of those one variant at a
 * time, so that memory does not grow with either.
 */

import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { type AskedImages, contextsOf } from "./asked-images.ts";
import { MarkSums } from "./marks.ts";
import type { PlannedVariant } from "./plan.ts";
import { addAnswers, emptyTally, likeliest, softmaxRows, type VariantTally } from "./tally.ts";

/** Logits, a row an image; images lie one after the other, rows first, channels innermost. */
export type AskLogits = (images: Uint8Array, count: number) => Promise<Float32Array>;

export interface AskingOptions {
  classes: number;
  /** Else what the model says of the plain image is what is wanted of it. */
  labelled: boolean;
  batch: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface MeasuredModel {
  /** By place in the sample: what it says of plain images. */
  predicted: Uint16Array;
  /** What was wanted of each. */
  wanted: Uint16Array;
  tallies: readonly VariantTally[];
  /** Of variants that are marks; by class. */
  marks: MarkSums;
}

export async function measureModel(
  ask: AskLogits,
  asked: AskedImages,
  planned: readonly PlannedVariant[],
  { classes, labelled, batch, signal, onProgress }: AskingOptions,
): Promise<MeasuredModel> {
  const { dataset, indices } = asked;
  const total = indices.length * (1 + 2 * planned.length);
  let done = 0;
  const answers = async (pictures: readonly Pixels[]) => {
    signal?.throwIfAborted();
    if (pictures.length === 0) return [];
    const said = await ask(joined(pictures), pictures.length);
    if (said.length !== pictures.length * classes) throw otherWidth(said.length / pictures.length, classes);
    softmaxRows(said, classes);
    return pictures.map((_, i) => said.subarray(i * classes, (i + 1) * classes));
  };
  const progress = (images: number) => {
    done += images;
    onProgress?.(done, total);
  };
  const plain = new Float32Array(indices.length * classes);
  for (let first = 0; first < indices.length; first += batch) {
    const pictures = await picturesOf(asked, first, batch);
    const rows = await answers(pictures);
    for (const [k, row] of rows.entries()) plain.set(row, (first + k) * classes);
    progress(pictures.length);
  }
  const rowOf = (i: number) => plain.subarray(i * classes, (i + 1) * classes);
  const predicted = Uint16Array.from(indices, (_, i) => likeliest(rowOf(i)));
  const wanted = labelled ? Uint16Array.from(indices, (index) => dataset.labels[index]!) : predicted;
  const contextOf = contextsOf(asked, wanted);
  const tallies = planned.map(() => emptyTally(classes));
  const marked = planned.flatMap(({ variant }, v) => (variant.marks ? [v] : []));
  const marks = new MarkSums(indices.length, classes, marked.length);
  for (let first = 0; first < indices.length; first += batch) {
    const pictures = await picturesOf(asked, first, batch);
    const shared = new Map<string, (Pixels | undefined)[]>();
    const sharedAnswers = new Map<string, (Float32Array | undefined)[]>();
    for (const [v, { variant, title }] of planned.entries()) {
      const changed: (Pixels | undefined)[] = [];
      const controls = (variant.shared && shared.get(variant.shared)) || [];
      for (const [k, picture] of pictures.entries()) {
        const made = await variant.change(picture, contextOf(first + k, title));
        changed.push(made);
        if (controls.length > k) continue;
        controls.push(
          made && (await variant.control(picture, contextOf(first + k, `${title}/control`), made)),
        );
      }
      const known = variant.shared === undefined ? undefined : sharedAnswers.get(variant.shared);
      const saidOfControls = known ?? (await ofThose(controls, answers));
      if (variant.shared !== undefined) {
        shared.set(variant.shared, controls);
        sharedAnswers.set(variant.shared, saidOfControls);
      }
      const saidOfChanged = await ofThose(changed, answers);
      for (const k of pictures.keys()) {
        const [after, control] = [saidOfChanged[k], saidOfControls[k]];
        const i = first + k;
        if (after === undefined || control === undefined) {
          tallies[v]!.without++;
          continue;
        }
        const one = { index: indices[i]!, wanted: wanted[i]!, plain: rowOf(i), changed: after, control };
        addAnswers(tallies[v]!, one);
        if (variant.marks) marks.add(i, marked.indexOf(v), one);
      }
      progress(2 * pictures.length);
    }
  }
  return { predicted, wanted, tallies, marks };
}

async function picturesOf(
  { dataset, indices }: AskedImages,
  first: number,
  batch: number,
): Promise<Pixels[]> {
  const pictures: Pixels[] = [];
  for (const index of indices.subarray(first, first + batch))
    pictures.push(await dataset.images.pixels(index));
  return pictures;
}

/** Answers to those that are there, in their places. */
async function ofThose(
  pictures: readonly (Pixels | undefined)[],
  answers: (pictures: readonly Pixels[]) => Promise<Float32Array[]>,
): Promise<(Float32Array | undefined)[]> {
  const rows = await answers(pictures.filter((picture) => picture !== undefined));
  let next = 0;
  return pictures.map((picture) => (picture === undefined ? undefined : rows[next++]));
}

function joined(pictures: readonly Pixels[]): Uint8Array {
  const size = pictures[0]!.data.length;
  const images = new Uint8Array(pictures.length * size);
  for (const [i, { data }] of pictures.entries()) images.set(data, i * size);
  return images;
}

function otherWidth(got: number, expected: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the model tells another number of classes apart than was said",
    expected: `${expected} logits an image`,
    got: String(got),
  });
}
