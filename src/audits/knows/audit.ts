/** The audit of what features know against what the head over them uses. */

import { z } from "zod";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { majorityValues } from "../../core/majority-values.ts";
import { randomStream } from "../../core/random.ts";
import { holm } from "../../core/statistics/index.ts";
import { rowsAt } from "../../training/feature-rows.ts";
import { scaledRows } from "../../training/heads/head-rows.ts";
import { type AuditedFeatures, type AuditHooks, defineAudit } from "../audit.ts";
import { partsByGroup } from "../parts-by-group.ts";
import { type CellEstimate, pOf, together } from "./cells.ts";
import { knowsInShort } from "./in-short.ts";
import { type ProbeAnswer, type ProbeParts, type ProbeTarget, probe } from "./probes.ts";
import { showKnows } from "./show.ts";
import { type CueUse, classMoves, type HeadOver, type KnownCue, type KnownRows, useOf } from "./uses.ts";

const question = z.strictObject({
  cues: z.array(z.string()).optional().describe("attributes that are read and asked for; all cues"),
  splits: z
    .array(z.string())
    .optional()
    .describe("images that are looked at; val and test, which the network was not trained on, or all"),
  clusters: z.string().optional().describe("an attribute whose images belong together, such as a person"),
  penalties: z
    .array(z.number().positive())
    .min(1)
    .default([0.001, 0.01, 0.1, 1])
    .describe("l2 of probes, of which the best on images that they were not fitted to is taken"),
  controls: z
    .number()
    .int()
    .min(19)
    .max(999)
    .default(99)
    .describe("probes of shuffled values for each, more where there are many cues; and directions, up to 39"),
  margin: z.number().min(0).max(1).default(0.03).describe("gaps below it do not matter"),
  images: z.number().int().min(100).default(20_000).describe("looked at at most"),
  seed: z.number().int().min(0).default(0).describe("of parts and shuffles"),
  threads: z.number().int().min(1).max(256).default(2).describe("of the runtime"),
});

/** To fit, to tune, to tell of. */
const probeShares = [0.45, 0.15, 0.4];

interface KnownCueAnswer {
  name: string;
  probe: ProbeAnswer;
  /** Holm over class and cues. */
  decodable: { p: number; is: boolean };
  /** Undefined without a head, or where no value goes with a class. */
  use?: (CueUse & { p: number; verdict: "used" | "not used" | "cannot be told" }) | undefined;
}

export interface KnowsAnswer {
  features: string;
  margin: number;
  images: { fit: number; tune: number; report: number };
  className: string;
  class: { probe: ProbeAnswer; decodable: { p: number; is: boolean }; moves?: CellEstimate | undefined };
  cues: readonly KnownCueAnswer[];
  /** Accuracy of the network's own head, combinations counting the same. */
  accuracy?: CellEstimate | undefined;
  remarks: readonly string[];
}

export const knowsAudit = defineAudit({
  name: "knows",
  title: "What do the features know, and what does the head use?",
  description:
    "linear probes of class and cues beside shuffled labels, how far each moves the network's own last layer, and the gap without its direction",
  of: "features",
  question,
  ask,
  inShort: knowsInShort,
  show: showKnows,
});

async function ask(
  asked: z.output<typeof question>,
  { title, features, width, dataset, head }: AuditedFeatures,
  hooks: AuditHooks,
): Promise<KnowsAnswer> {
  const { penalties, controls, margin, seed, threads } = asked;
  const remarks: string[] = [];
  const names = cueNames(dataset, asked.cues);
  const images = chosenImages(dataset, asked, remarks);
  const codesOf = (values: ArrayLike<number>) => Int32Array.from(images, (image) => values[image]!);
  const labels = codesOf(dataset.labels);
  const cues = names.map((name) => cueOf(dataset, name, codesOf, remarks));
  const groups = together(labels, ...cues.map(({ codes }) => codes));
  const clusters =
    asked.clusters === undefined ? undefined : codesOf(attribute(dataset, asked.clusters).values);
  const [fitted, tuned, told] = partsByGroup({
    groups,
    clusters,
    shares: probeShares,
    least: 2,
    random: randomStream(seed, "knows/parts").at(0),
    groupOf: (place) =>
      [
        dataset.classNames[labels[place]!],
        ...names.map((name) => {
          const { values, valueNames } = attribute(dataset, name);
          return `${name}=${valueNames[values[images[place]!]!]}`;
        }),
      ].join(", "),
    todo: "name fewer cues with --set cues=…, or look at splits in which all combinations are frequent (--set splits=…)",
  });
  const parts: ProbeParts = { fit: fitted!, tune: tuned!, report: told! };
  const at = (places: Uint32Array) => places.map((place) => images[place]!);
  const read = async (rows: Uint32Array, into: Float32Array<ArrayBuffer>) =>
    rowsAt(features, width, rows, into);
  const most = Number.POSITIVE_INFINITY;
  const fit = await scaledRows(at(parts.fit), read, { width, most });
  const { scale } = fit;
  const tune = await scaledRows(at(parts.tune), read, { width, most, scale });
  const report = await scaledRows(at(parts.report), read, { width, most, scale });
  const others = (name: string | undefined) =>
    together(
      new Int32Array(images.length),
      ...cues.filter((cue) => cue.name !== name).map(({ codes }) => codes),
    );
  const targets: ProbeTarget[] = [
    { name: "class", codes: labels, values: dataset.classNames.length, within: others(undefined) },
    ...cues.map(({ name, codes, values }) => ({
      name,
      codes,
      values,
      within: together(labels, others(name)),
    })),
  ];
  const used = targets.map((target) => inUse(target));
  hooks.onProgress?.("probes", 0, undefined, "heads");
  // With fewer, nothing could be told from chance once Holm has counted all of them.
  const shuffles = Math.max(controls, 20 * targets.length - 1);
  const probes = await probe(used, {
    parts,
    rows: { fit, tune, report },
    penalties,
    controls: shuffles,
    seed,
    threads,
    shouldStop: () => hooks.signal?.aborted ?? false,
  });
  hooks.signal?.throwIfAborted();
  const ps = holm(probes!.map(({ p }) => p));
  const readable = (i: number) => ({
    p: ps[i]!,
    is: ps[i]! <= 0.05 && probes![i]!.accuracy.value > probes![i]!.chance,
  });
  const sizes = { fit: parts.fit.length, tune: parts.tune.length, report: parts.report.length };
  const common = { features: title, margin, images: sizes, className: "class", remarks };
  const answers: KnownCueAnswer[] = cues.map(({ name }, i) => ({
    name,
    probe: probes![i + 1]!,
    decodable: readable(i + 1),
  }));
  const ofClass = { probe: probes![0]!, decodable: readable(0) };
  if (head === undefined) {
    remarks.push(
      "these features come without their network's own last layer, so that nothing can be told of what it uses",
    );
    return { ...common, class: ofClass, cues: answers };
  }
  const known = Uint32Array.from([...parts.fit, ...parts.tune]).sort();
  const rowsOf = (places: Uint32Array): KnownRows => ({
    features: standardised(features, width, at(places), scale),
    width,
    labels: Int32Array.from(places, (place) => labels[place]!),
    classes: dataset.classNames.length,
  });
  const [knownRows, toldRows] = [rowsOf(known), rowsOf(parts.report)];
  const over = overScaled(head, width, scale);
  const some = (codes: Int32Array, places: Uint32Array) => Int32Array.from(places, (place) => codes[place]!);
  let accuracy: CellEstimate | undefined;
  const uses = cues.map((cue, i) => {
    hooks.signal?.throwIfAborted();
    hooks.onProgress?.("directions", i, cues.length, "cues");
    if (cue.goesWith.every((value) => value === undefined)) return undefined;
    const beside = others(cue.name);
    const found = useOf(
      {
        known: { ...cue, codes: some(cue.codes, known) },
        told: { ...cue, codes: some(cue.codes, parts.report) },
      },
      { known: some(beside, known), told: some(beside, parts.report) },
      {
        known: knownRows,
        told: toldRows,
        head: over,
        controls: Math.min(controls, 39),
        random: randomStream(seed, `knows/use/${cue.name}`).at(0),
      },
    );
    accuracy = found.accuracy;
    return found;
  });
  const tested = uses.flatMap((use, i) => (use === undefined ? [] : [i]));
  const useP = holm(tested.map((i) => pOf(uses[i]!.moves)));
  const withUse = answers.map((answer, i) => {
    const use = uses[i];
    if (use === undefined) return answer;
    const p = useP[tested.indexOf(i)]!;
    return { ...answer, use: { ...use, p, verdict: verdictOf(use, p, margin) } };
  });
  const moves = classMoves(toldRows, over, some(others(undefined), parts.report));
  return { ...common, class: { ...ofClass, moves }, cues: withUse, accuracy };
}

/** Used: it moves the head, images that contradict it are told worse, and less so without its direction, each by more than chance. */
function verdictOf(
  { moves, gap, change, controls }: CueUse,
  p: number,
  margin: number,
): "used" | "not used" | "cannot be told" {
  const falls = change.high < 0 && change.value < controls.least;
  if (p <= 0.05 && moves.value > 0 && gap.low > 0 && gap.value >= margin && falls) return "used";
  if (gap.high < margin && gap.low > -margin) return "not used";
  return "cannot be told";
}

/** Values that occur, numbered from 0. */
function inUse(target: ProbeTarget): ProbeTarget {
  const found = [...new Set(target.codes)].sort((a, b) => a - b);
  if (found.length < 2)
    throw new CuelabError({
      kind: "input",
      what: `${target.name} has one value only among these images, which nobody can read wrong`,
      todo: "choose other splits with --set splits=…, or other cues with --set cues=…",
    });
  return { ...target, codes: target.codes.map((code) => found.indexOf(code)), values: found.length };
}

function cueNames({ attributes, name }: Dataset, asked: readonly string[] | undefined): string[] {
  const names = asked ?? Object.keys(attributes).filter((key) => attributes[key]!.role === "cue");
  if (names.length > 0) return [...names];
  throw new CuelabError({
    kind: "input",
    what: "there are no cues to ask for",
    where: name,
    todo: `name attributes with --set cues=…: ${Object.keys(attributes).join(", ") || "there are none"}`,
  });
}

function attribute({ attributes, name }: Dataset, wanted: string) {
  const found = attributes[wanted];
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "usage",
    what: `there is no attribute "${wanted}"`,
    where: name,
    expected: `one of: ${Object.keys(attributes).join(", ")}`,
  });
}

function chosenImages(
  { splits, name }: Dataset,
  { splits: asked, images: most, seed }: z.output<typeof question>,
  remarks: string[],
): Uint32Array {
  const unknown = asked?.find((split) => !splits.names.includes(split));
  if (unknown !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `there is no split "${unknown}"`,
      where: name,
      expected: `one of: ${splits.names.join(", ")}`,
    });
  const held = splits.names.filter((split) => split === "val" || split === "test");
  const usual = held.length > 0 ? held : splits.names;
  const codes = new Set((asked ?? usual).map((split) => splits.names.indexOf(split)));
  const all = Uint32Array.from(splits.values.keys()).filter((i) => codes.has(splits.values[i]!));
  if (all.length <= most) return all;
  remarks.push(
    `${most.toLocaleString("en")} of ${all.length.toLocaleString("en")} images were looked at (images)`,
  );
  return randomStream(seed, "knows/images").at(0).shuffle(all).slice(0, most).sort();
}

function cueOf(
  dataset: Dataset,
  name: string,
  codesOf: (values: ArrayLike<number>) => Int32Array,
  remarks: string[],
): KnownCue {
  const { values, valueNames, classValues } = attribute(dataset, name);
  const train = dataset.splits.names.indexOf("train");
  const counts = dataset.classNames.map(() => new Uint32Array(valueNames.length));
  for (const [i, split] of dataset.splits.values.entries())
    if (split === train) counts[dataset.labels[i]!]![values[i]!]!++;
  const found = majorityValues(counts, classValues);
  const goesWith = found.map(({ value }) => value);
  const told = goesWith.filter((value) => value !== undefined);
  if (told.length === 0)
    remarks.push(`no value of ${name} goes with a class: what the head does with it is not told`);
  if (new Set(told).size === 1) remarks.push(`the same value of ${name} goes with every class`);
  return { name, codes: codesOf(values), values: valueNames.length, goesWith };
}

function standardised(
  features: Float32Array,
  width: number,
  images: Uint32Array,
  { mean, deviation }: { mean: Float64Array; deviation: Float64Array },
): Float64Array {
  const made = new Float64Array(images.length * width);
  for (const [row, image] of images.entries())
    for (let k = 0; k < width; k++)
      made[row * width + k] = (features[image * width + k]! - mean[k]!) / deviation[k]!;
  return made;
}

/** The same head over standardised features. */
function overScaled(
  { weight, bias }: { weight: Float32Array; bias: Float32Array },
  width: number,
  { mean, deviation }: { mean: Float64Array; deviation: Float64Array },
): HeadOver {
  return {
    weight: Float64Array.from(weight, (value, i) => value * deviation[i % width]!),
    bias: Float64Array.from(bias, (value, c) => {
      let sum = value;
      for (let k = 0; k < width; k++) sum += weight[c * width + k]! * mean[k]!;
      return sum;
    }),
  };
}
