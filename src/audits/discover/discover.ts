/** Shortcuts that nobody wrote down: every property of every image measured, and asked whether it goes with a class. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { AuditedFeatures, AuditHooks } from "../audit.ts";
import type { DiscoverAnswer } from "./answer.ts";
import {
  type Belonging,
  burstsOf,
  columnGroups,
  daysOf,
  namedGroupsOf,
  personalColumns,
} from "./grouping/belonging.ts";
import { leakOf, lookAlikesOf } from "./grouping/leaks.ts";
import { nearDuplicates } from "./grouping/near-duplicates.ts";
import { clustersBy, unitsOf } from "./grouping/units.ts";
import { judged } from "./judge.ts";
import { featureColumns } from "./measuring/feature-columns.ts";
import { drawImages, type MeasuredProperties, measureImages } from "./measuring/measure-images.ts";
import type { Removal } from "./measuring/removal.ts";
import { properties } from "./properties/index.ts";
import type { ShortcutsFound, Thresholds } from "./testing/find-shortcuts.ts";

export interface DiscoverQuestion extends Thresholds {
  split?: string | undefined;
  clusterBy: readonly string[];
  without: readonly Removal[];
  workers: number;
  /** Of these images, in their order. */
  features?: AuditedFeatures | undefined;
}

/** Images that tiny classifiers learn from at most. */
const mostDrawn = 10_000;

export async function discover(
  dataset: Dataset,
  question: DiscoverQuestion,
  hooks: AuditHooks = {},
): Promise<DiscoverAnswer> {
  const { split, rows } = wantedImages(dataset, question.split);
  const named = question.clusterBy.map((name) => columnGroups(dataset, name));
  const measure = async (without: readonly Removal[], doing: string) => {
    const drawn = drawImages(dataset.images.count, rows, mostDrawn);
    const { signal, onProgress } = hooks;
    const progress = (done: number) => onProgress?.(doing, done, dataset.images.count, "images");
    return measureImages(dataset, {
      without,
      workers: question.workers,
      drawn,
      signal,
      onProgress: progress,
    });
  };
  const features = question.features ? featureColumns(dataset, question.features) : [];
  const measured = await measure([], "looking at images");
  const whole = rows.filter((index) => !measured.broken.has(index));
  refuseTooFew(dataset, whole);
  const alike = await nearDuplicates(measured, hooks.signal);
  const bursts = burstsOf(measured);
  const belonging = [...(bursts ? [bursts] : []), ...namedGroupsOf(dataset), ...named];
  const clusters = clustersBy(dataset.images.count, [{ codes: alike }, ...belonging]);
  const subject = {
    dataset,
    rows: whole,
    clusters,
    units: unitsOf(whole, clusters, measured.digests),
    thresholds: { effect: question.effect, rate: question.rate },
    digests: measured.digests,
  };
  const { discovery, found, shown } = await judged(subject, measured, features, hooks);
  const changed =
    question.without.length === 0
      ? undefined
      : await measure(question.without, `again without ${question.without.join(", ")}`);
  const without = changed && (await judged(subject, changed, [], hooks)).discovery;
  const { shown: shownAlike, ...lookAlikes } = lookAlikesOf(alike, dataset);
  return {
    title: dataset.provenance.title,
    split,
    images: whole.length,
    classes: classesOf(dataset, whole, found),
    untested: found.untested
      .filter((label) => whole.some((i) => dataset.labels[i] === label))
      .map((label) => dataset.classNames[label]!),
    clusters: { count: subject.units.images.length, by: ["looks", ...belonging.map(({ by }) => by)] },
    thresholds: { ...subject.thresholds, by: "Benjamini–Yekutieli" },
    visible: found.visible ?? null,
    properties: [
      ...properties.map(({ name, of, description, kind }) => ({ name, of, description, kind })),
      ...features.map(({ property: { name, of, description } }) => ({
        name,
        of,
        description,
        kind: "number" as const,
      })),
    ],
    ...discovery,
    lookAlikes,
    leaks: leaksOf(dataset, measured, belonging),
    without: without ? { removed: [...question.without], ...without } : null,
    broken: [...measured.broken.values()],
    shown: { images: dataset.images, examples: shown, lookAlikes: shownAlike },
  };
}

/** Findings are about what a model would learn from: training, where there is any. */
function wantedImages(
  { splits, images, name }: Dataset,
  wanted: string | undefined,
): { split: string; rows: number[] } {
  const all = Array.from({ length: images.count }, (_, i) => i);
  const within = (split: string) => all.filter((i) => splits.names[splits.values[i]!] === split);
  if (wanted === "all") return { split: "all", rows: all };
  if (wanted !== undefined && !splits.names.includes(wanted)) {
    throw new CuelabError({
      kind: "usage",
      what: `the dataset has no split "${wanted}"`,
      where: name,
      expected: `all, or one of: ${splits.names.join(", ")}`,
      ...didYouMean(wanted, ["all", ...splits.names]),
    });
  }
  const rows = within(wanted ?? "train");
  return rows.length === 0 && wanted === undefined
    ? { split: "all", rows: all }
    : { split: wanted ?? "train", rows };
}

function refuseTooFew({ labels, name }: Dataset, rows: readonly number[]): void {
  const classes = new Set(rows.map((index) => labels[index])).size;
  if (classes >= 2) return;
  throw new CuelabError({
    kind: "input",
    what:
      rows.length === 0
        ? "there is no image to look at"
        : "all images have one class, so that nothing can go with it",
    where: name,
    expected: "images of at least two classes",
    todo: "give a folder with a folder for each class, or another --split",
  });
}

function classesOf(
  { classNames, labels }: Dataset,
  rows: readonly number[],
  { heldOut }: ShortcutsFound,
): DiscoverAnswer["classes"] {
  const counts = new Uint32Array(classNames.length);
  for (const index of rows) counts[labels[index]!]!++;
  return classNames.flatMap((name, label) =>
    counts[label] === 0 ? [] : [{ class: name, images: counts[label]!, heldOut: heldOut[label]! }],
  );
}

function leaksOf(
  dataset: Dataset,
  measured: MeasuredProperties,
  belonging: readonly Belonging[],
): DiscoverAnswer["leaks"] {
  const days = daysOf(measured);
  const personal = personalColumns(dataset).filter(({ by }) => belonging.every((each) => each.by !== by));
  return [...belonging, ...personal, ...(days ? [days] : [])]
    .map((each) => leakOf(each, dataset))
    .filter(({ crossing }) => crossing > 0);
}
