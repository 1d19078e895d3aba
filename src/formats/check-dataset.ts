/** Looks a dataset over: are all images readable, is it what its manifest says, how do its cues go with the label? */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { attributeRecord } from "../core/attribute-record.ts";
import { ContentHasher, digestLength } from "../core/content-hash.ts";
import {
  type CueStatistic,
  cuesOf,
  type GroupCounts,
  groupCounts,
  majorityOf,
  unknownAttribute,
} from "../core/cue-statistics.ts";
import type { Dataset, ImageShape, SkippedImage } from "../core/dataset.ts";
import { classWord } from "../core/group-axes.ts";
import type { MajorityValue } from "../core/majority-values.ts";
import { isUnlabelled } from "../core/no-label.ts";
import { takenNames } from "../core/own-columns.ts";
import { valueText } from "../core/words.ts";
import { forbidden } from "../disk/forbidden.ts";
import { streamPlain } from "../disk/plain-file.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import type { UnreadFiles } from "../sources/list-images.ts";
import { boxesName } from "./boxes.ts";
import { type CheckedCue, checkedCues, groupsByCue, inTrainingParts } from "./checked-cues.ts";
import { splitSizes } from "./format.ts";
import type { Manifest } from "./manifest.ts";
import { openDataset } from "./open-dataset.ts";
import { processImages } from "./process-images.ts";
import { changedSides, SideHasher } from "./side-images.ts";

export interface CheckOptions {
  mapping: ColumnMapping;
  /** Attribute by which statistics are told apart, beside the splits. */
  by?: string | undefined;
  workers: number;
  signal?: AbortSignal | undefined;
  onOpened?: ((count: number) => void) | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

export interface CheckReport {
  /** No broken images, and everything as the manifest says. */
  ok: boolean;
  path: string;
  name: string;
  format: string;
  count: number;
  splits: Record<string, number>;
  classNames: readonly string[];
  imageSizes: (ImageShape & { count: number })[];
  hash: string;
  /** Images that were turned upright by their EXIF orientation. */
  turned: number;
  /** Images that were laid on white, since some of each is transparent. */
  transparent: number;
  /** Images whose colours were converted to sRGB, from CMYK or by a profile of their own. */
  recoloured: number;
  /** What dataset.json declares. */
  declaredHash?: string;
  /** Of class × all cues; many numbers are in the parts in which they are judged. */
  groups: GroupCounts;
  /** The same by class and one cue at a time. */
  byCue: GroupCounts[];
  /** Of cues that go with the class most first; each on every slice. */
  cues: CheckedCue[];
  /** Names of pictures and of boxes that go with each image. */
  sideImages: string[];
  boxes: string[];
  duplicates: Duplicates;
  broken: SkippedImage[];
  ignoredColumns: { name: string; reason: string }[];
  /** Files among the images that were not read, by kind. */
  unread: readonly UnreadFiles[];
  /** What makes the dataset unfit. */
  problems: string[];
  /** What a careful person would want to know. */
  warnings: string[];
}

interface Duplicates {
  /** Images that appear with equal pixels in more than one split. */
  acrossSplits: number;
  /** Images that appear more than once within one split. */
  withinSplits: number;
  examples: string[][];
  /** The same of one split. */
  within: string[][];
  /** Images that appear with equal pixels and different classes, in whatever splits. */
  acrossClasses: number;
  differing: string[][];
}

export async function checkDataset(path: string, options: CheckOptions): Promise<CheckReport> {
  const opened = await openDataset(path, { labels: "if-any", ...said(options.mapping) }, { unchecked: true });
  const { dataset, manifest, format, ignoredColumns, warnings, unread } = opened;
  const { images, splits, attributes } = dataset;
  const by = options.by ?? dataset.provenance.statisticsBy;
  try {
    if (options.by !== undefined && !Object.hasOwn(attributes, options.by)) {
      throw unknownAttribute(options.by, Object.keys(attributes), path);
    }
    options.onOpened?.(images.count);
    const hasher = new ContentHasher(asWritten(dataset, manifest));
    const survey = new Survey(images.count);
    const { workers, signal, onProgress } = options;
    const sideHasher = new SideHasher(dataset);
    const work = { encoding: "none", sides: true, workers, signal, onProgress } as const;
    const notes = { turned: 0, transparent: 0, recoloured: 0 };
    for await (const chunk of processImages(dataset, work)) {
      for (const note of Object.keys(notes) as (keyof typeof notes)[]) notes[note] += chunk.notes[note];
      hasher.update(chunk.digests);
      sideHasher.update(chunk.sideDigests);
      survey.add(chunk.start, chunk.digests, chunk.shapes);
      for (const { index, reason } of chunk.broken)
        survey.broken.set(index, { image: images.describe(index), reason });
    }
    const hash = hasher.digest();
    const counted = inTrainingParts(dataset);
    const report = {
      path,
      name: dataset.name,
      format,
      count: images.count,
      splits: splitSizes(splits),
      classNames: dataset.classNames,
      imageSizes: survey.sizes(),
      hash,
      ...(manifest ? { declaredHash: manifest.hash } : {}),
      ...notes,
      groups: groupCounts(counted),
      byCue: groupsByCue(counted),
      cues: checkedCues(dataset, by),
      sideImages: Object.keys(dataset.sideImages ?? {}),
      boxes: Object.keys(dataset.boxes ?? {}),
      duplicates: survey.duplicates(dataset),
      broken: [...survey.broken.values()],
      ignoredColumns,
      unread,
    };
    const problems = problemsOf(report);
    if (manifest) {
      for (const name of changedSides(manifest, sideHasher.digests()))
        problems.push(`side images "${name}" are not what dataset.json says`);
    }
    for (const file of [...(manifest?.files ?? []), ...boxFile(manifest)]) {
      const digest = await sha256(join(path, file.path));
      if (digest === undefined) problems.push(`${file.path} is missing`);
      else if (digest !== file.sha256) problems.push(`${file.path} has changed since it was written`);
    }
    const all = [
      ...warningsOf(report),
      ...nameWarning(Object.keys(attributes)),
      ...classWarning(Object.keys(attributes)),
      ...untrainedWarning(dataset, report.cues),
      ...majorityWarnings(counted),
      ...warnings,
    ];
    return { ok: problems.length === 0, ...report, problems, warnings: all };
  } finally {
    await images.close?.();
  }
}

/** What is not said leaves what is usual. */
function said(mapping: ColumnMapping): ColumnMapping {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== undefined));
}

function boxFile(manifest: Manifest | undefined): { path: string; sha256: string }[] {
  return manifest?.boxes ? [{ path: boxesName, sha256: manifest.boxes.sha256 }] : [];
}

/** With the roles of the manifest: which cues are looked at now is no part of what the dataset is. */
function asWritten(dataset: Dataset, manifest: Manifest | undefined): Dataset {
  if (manifest === undefined) return dataset;
  const attributes = manifest.attributes.map(({ name, role }) => {
    return [name, { ...dataset.attributes[name]!, role }] as const;
  });
  return { ...dataset, attributes: attributeRecord(attributes) };
}

/** What can be checked and converted, but not trained on. */
function nameWarning(attributes: readonly string[]): string[] {
  const taken = takenNames(attributes, "features");
  if (taken.length === 0) return [];
  return [
    `rename ${taken.join(", ")} before training or extracting features: tables of predictions or features use such names themselves`,
  ];
}

function classWarning(attributes: readonly string[]): string[] {
  if (!attributes.includes(classWord)) return [];
  return [
    `"${classWord}" makes no groups, since the label goes by that name: rename the column to group by it`,
  ];
}

/** Which value goes with a class is learnt from its training images. */
function untrainedWarning({ labels, splits, classNames }: Dataset, cues: readonly CueStatistic[]): string[] {
  if (cues.every(({ agreementRule }) => agreementRule !== "majority")) return [];
  const train = splits.names.indexOf("train");
  const trained = new Set(labels.filter((_, i) => splits.values[i] === train));
  const without = classNames.filter((_, label) => !trained.has(label));
  if (without.length === 0) return [];
  if (without.length === classNames.length) return ["no training images: P(agrees) unknown"];
  const some = without.slice(0, 3).join(", ") + (without.length > 3 ? ", …" : "");
  return [`classes with no training images: P(agrees) unknown for ${some}`];
}

/** Classes for which training does not tell one value of a cue, or another one than the dataset declares. */
function majorityWarnings(dataset: Dataset): string[] {
  return cuesOf(dataset).flatMap(([cue, attribute]) => {
    const majority = majorityOf(dataset, attribute);
    const some = (why: MajorityValue["why"]) => {
      const names = dataset.classNames.filter((_, label) => majority[label]!.why === why);
      return names.length > 3 ? `${names.slice(0, 3).join(", ")}, … (${names.length})` : names.join(", ");
    };
    const [tied, contradicted] = [some("tie"), some("contradicted")];
    return [
      ...(tied === ""
        ? []
        : [`${cue}: two values are equally frequent in training for ${tied}; P(agrees) leaves them out`]),
      ...(contradicted === ""
        ? []
        : [`${cue}: training mostly shows another value than the one declared for ${contradicted}`]),
    ];
  });
}

type Findings = Omit<CheckReport, "ok" | "problems" | "warnings">;

function problemsOf({ count, broken, hash, declaredHash }: Findings): string[] {
  const problems: string[] = [];
  if (count === 0) problems.push("there are no images");
  if (broken.length > 0) {
    problems.push(
      `${broken.length} of ${count} images cannot be read (convert --skip-broken leaves them out)`,
    );
  }
  if (declaredHash !== undefined && declaredHash !== hash) {
    problems.push(`the content is not what dataset.json says: expected ${declaredHash}, got ${hash}`);
  }
  return problems;
}

/** Pairs of equal images that are named. */
const mostExamples = 5;

/** Where there is no table to take cues from. */
const withoutColumns = ["class-folders", "domain-folders", "images"];

function warningsOf(report: Findings): string[] {
  const { splits, groups, duplicates, imageSizes, cues, classNames, format } = report;
  const warnings: string[] = [];
  for (const [name, count] of Object.entries(splits))
    if (count === 0) warnings.push(`split ${name} is empty`);
  if (isUnlabelled(report)) {
    const columns = [...cues.map(({ cue }) => cue), ...report.ignoredColumns.map(({ name }) => name)];
    const how =
      columns.length === 0
        ? ""
        : `; if one of the columns ${[...new Set(columns)].join(", ")} has the class, name it with --label-column`;
    warnings.push(`nobody has labelled the images: nothing can go with the class${how}`);
  } else if (classNames.length < 2) warnings.push("there is only one class");
  if (cues.length === 0) {
    const how = withoutColumns.includes(format)
      ? "folders have no columns: write what you know of each image into a metadata.csv, or let 'cuelab data discover' look for more"
      : "name their columns with --cue-columns";
    warnings.push(`no cues are known; ${how}`);
  }
  if (groups.empty.length > 0) {
    const some = groups.empty
      .slice(0, 3)
      .map(({ label, values }) => [label, ...values.map(valueText)].join(" / "));
    warnings.push(`${groups.empty.length} of ${groups.nominal} groups are empty, such as ${some.join("; ")}`);
  } else if (groups.occupied < groups.nominal) {
    // Of so many that numbers skip some, a difference would be the number itself.
    const empty = Number.isSafeInteger(groups.nominal)
      ? `${groups.nominal - groups.occupied} of ${groups.nominal}`
      : `all but ${groups.occupied} of ${groups.nominal.toPrecision(2)}`;
    warnings.push(`${empty} groups are empty`);
  }
  if (duplicates.acrossSplits > 0) {
    warnings.push(
      `${duplicates.acrossSplits} images appear in more than one split, such as ${duplicates.examples[0]!.join(" = ")}`,
    );
  }
  if (duplicates.acrossClasses > 0) {
    warnings.push(
      `${duplicates.acrossClasses} images are there with more than one class, such as ${duplicates.differing[0]!.join(" = ")}`,
    );
  }
  if (imageSizes.length > 1) warnings.push(`images come in ${imageSizes.length} sizes`);
  return warnings;
}

/** What is gathered while images pass: sixteen bytes each, whatever their size. */
class Survey {
  readonly broken = new Map<number, SkippedImage>();
  readonly #digests: BigUint64Array;
  readonly #sizes = new Map<string, ImageShape & { count: number }>();

  constructor(count: number) {
    this.#digests = new BigUint64Array(count);
  }

  add(start: number, digests: Uint8Array, shapes: Uint32Array): void {
    const view = new DataView(digests.buffer, digests.byteOffset, digests.byteLength);
    for (let i = 0; i * digestLength < digests.length; i++) {
      // 64 bits of the digest: among a million images a chance meeting has probability 3e-8.
      this.#digests[start + i] = view.getBigUint64(i * digestLength);
      const [height, width, channels] = shapes.subarray(3 * i, 3 * i + 3) as unknown as [
        number,
        number,
        number,
      ];
      if (height === 0) continue;
      const key = `${height}×${width}×${channels}`;
      const size = this.#sizes.get(key) ?? { height, width, channels, count: 0 };
      size.count++;
      this.#sizes.set(key, size);
    }
  }

  sizes(): (ImageShape & { count: number })[] {
    return [...this.#sizes.values()].sort((a, b) => b.count - a.count);
  }

  duplicates({ images: described, splits: { values: splits }, labels }: Dataset): Duplicates {
    const repeated = new Set<bigint>();
    const sorted = this.#digests.slice().sort();
    for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) repeated.add(sorted[i]!);
    const copies = new Map<bigint, number[]>();
    for (let i = 0; i < splits.length; i++) {
      const digest = this.#digests[i]!;
      if (!repeated.has(digest) || this.broken.has(i)) continue;
      const same = copies.get(digest);
      if (same) same.push(i);
      else copies.set(digest, [i]);
    }
    const crossing = [...copies.values()].filter((same) => new Set(same.map((i) => splits[i])).size > 1);
    const within = [...copies.values()].filter(
      (same) => new Set(same.map((i) => splits[i])).size < same.length,
    );
    const inOneSplit = (same: number[]) => {
      const second = same.findIndex((i, at) => same.slice(0, at).some((j) => splits[j] === splits[i]));
      return same.filter((i) => splits[i] === splits[same[second]!]);
    };
    const differing = [...copies.values()].flatMap((same) => {
      const other = same.find((i) => labels[i] !== labels[same[0]!]);
      return other === undefined ? [] : [{ same, pair: [same[0]!, other] }];
    });
    const images = (lists: number[][]) => lists.reduce((sum, same) => sum + same.length, 0);
    const named = (pair: number[]) => pair.slice(0, 2).map((index) => described.describe(index));
    return {
      acrossSplits: images(crossing),
      withinSplits: images(within),
      examples: crossing.slice(0, mostExamples).map(named),
      within: within.slice(0, mostExamples).map((same) => named(inOneSplit(same))),
      acrossClasses: images(differing.map(({ same }) => same)),
      differing: differing.slice(0, mostExamples).map(({ pair }) => named(pair)),
    };
  }
}

async function sha256(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(await streamPlain(path), hash);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw forbidden(cause, path);
  }
  return hash.digest("hex");
}
