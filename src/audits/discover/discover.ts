/** Shortcuts that nobody wrote down: every property of every image measured, and asked whether it goes with a class. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { AuditHooks } from "../audit.ts";
import type { DiscoverAnswer, Discovery, ExampleLists, ShownImages } from "./answer.ts";
import { folds, tinyClassifier } from "./classifiers/tiny-classifiers.ts";
import { tinyInputs } from "./classifiers/tiny-inputs.ts";
import { examplesOf } from "./examples.ts";
import {
  type Belonging,
  burstsOf,
  columnGroups,
  daysOf,
  namedGroupsOf,
  personalColumns,
} from "./grouping/belonging.ts";
import { leakOf, lookAlikesOf, nameOf } from "./grouping/leaks.ts";
import { nearDuplicates } from "./grouping/near-duplicates.ts";
import { clustersBy, foldsOf, type Units, unitsOf } from "./grouping/units.ts";
import { drawImages, type MeasuredProperties, measureImages } from "./measuring/measure-images.ts";
import type { Removal } from "./measuring/removal.ts";
import { properties } from "./properties/index.ts";
import { findShortcuts, type ShortcutsFound, type Thresholds } from "./testing/find-shortcuts.ts";
import { cutProperty } from "./testing/parts.ts";

export interface DiscoverQuestion extends Thresholds {
  split?: string | undefined;
  clusterBy: readonly string[];
  without: readonly Removal[];
  workers: number;
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
    question,
  };
  const { discovery, found, shown } = await judged(subject, measured, measured.digests, hooks);
  const changed =
    question.without.length === 0
      ? undefined
      : await measure(question.without, `again without ${question.without.join(", ")}`);
  const without = changed && (await judged(subject, changed, measured.digests, hooks)).discovery;
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
    thresholds: { effect: question.effect, rate: question.rate, by: "Benjamini–Yekutieli" },
    visible: found.visible ?? null,
    properties: properties.map(({ name, of, description, kind }) => ({ name, of, description, kind })),
    ...discovery,
    lookAlikes,
    leaks: leaksOf(dataset, measured, belonging),
    without: without ? { removed: [...question.without], ...without } : null,
    broken: [...measured.broken.values()],
    shown: { images: dataset.images, examples: shown, lookAlikes: shownAlike },
  };
}

interface DiscoverSubject {
  dataset: Dataset;
  rows: readonly number[];
  clusters: Uint32Array;
  units: Units;
  question: DiscoverQuestion;
}

/** Digests of the images as they are, so that halves and folds stay what they were when something is taken away. */
async function judged(
  { dataset, rows, clusters, units, question }: DiscoverSubject,
  measured: MeasuredProperties,
  digests: Uint32Array,
  { signal, onProgress }: AuditHooks,
): Promise<{ discovery: Discovery; found: ShortcutsFound; shown: ShownImages["examples"] }> {
  const labels = Uint16Array.from(units.images, (index) => dataset.labels[index]!);
  const cuts = properties.flatMap((property, p) => {
    const cut = cutProperty(property, measured.columns[p]!, units.images, units.chosen);
    return cut ?? [];
  });
  const search = {
    cuts,
    labels,
    chosen: units.chosen,
    classes: dataset.classNames.length,
    thresholds: question,
  };
  const found = await findShortcuts(search);
  const examples = found.found.map((each) => examplesOf(each, cuts, units, labels));
  const name = (index: number) => nameOf(dataset.images, index);
  const drawn = rows.filter((index) => measured.drawn[index]! >= 0);
  const task = {
    labels: drawn.map((index) => dataset.labels[index]!),
    classes: dataset.classNames.length,
    folds: foldsOf(drawn, clusters, digests, folds),
    clusters: drawn.map((index) => clusters[index]!),
  };
  const inputs = tinyInputs(measured, drawn);
  const classifiers = [];
  for (const [i, input] of inputs.entries()) {
    onProgress?.("tiny classifiers", i, inputs.length, "classifiers");
    classifiers.push(await tinyClassifier(input, task, signal));
  }
  onProgress?.("tiny classifiers", inputs.length, inputs.length, "classifiers");
  return {
    found,
    shown: examples,
    discovery: {
      tests: found.tests,
      findings: found.found.map((each, i) => ({
        property: cuts[each.cut]!.property.name,
        of: cuts[each.cut]!.property.of,
        class: dataset.classNames[each.label]!,
        statement: each.words,
        effect: each.effect,
        low: each.low,
        high: each.high,
        pValue: each.pValue,
        adjusted: each.adjusted,
        share: each.share,
        elsewhere: each.elsewhere,
        images: each.own,
        others: each.others,
        explainedBy:
          each.explainedBy === undefined ? null : cuts[found.found[each.explainedBy]!.cut]!.property.name,
        examples: mapLists(examples[i]!, name),
      })),
      classifiers: classifiers.filter((each) => each !== undefined),
      leftOut: [
        ...(measured.hasNames ? [] : [{ of: "name" as const, why: "the images have no files of their own" }]),
        ...(measured.hasFiles ? [] : [{ of: "file" as const, why: "no file holds the images as they are" }]),
      ],
    },
  };
}

function mapLists(
  { having, lacking, othersHaving, othersLacking }: ExampleLists<number>,
  name: (index: number) => string,
): ExampleLists<string> {
  return {
    having: having.map(name),
    lacking: lacking.map(name),
    othersHaving: othersHaving.map(name),
    othersLacking: othersLacking.map(name),
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
