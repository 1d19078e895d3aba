/** What the tables of an evaluation are about: what they say themselves, else what the dataset that is given says. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import {
  aboutPredictions,
  type PredictionsAbout,
  type PredictionsOrigin,
} from "../../core/predictions-about.ts";
import { decidingLeaves, differingLeaves } from "../../core/spec-differences.ts";
import type { PredictionTable } from "../../predictions/table.ts";

export interface Meaning {
  /** One a table; undefined where nothing tells. */
  abouts: readonly (PredictionsAbout | undefined)[];
  remarks: readonly string[];
}

/** Finds what a run was about whose table does not say it: runs of earlier formats tell their spec alone. */
export type AboutRun = (origin: PredictionsOrigin) => Promise<PredictionsAbout>;

/**
 * A table that says what it is about knows best: a run may have been trained on some environments of its dataset, which
 * the dataset by itself does not tell.
 */
export async function meaningOf(
  tables: readonly PredictionTable[],
  dataset: Dataset | undefined,
  aboutRun: AboutRun | undefined,
): Promise<Meaning> {
  const given = dataset && aboutPredictions(dataset, null);
  const remarks: string[] = [];
  const abouts: (PredictionsAbout | undefined)[] = [];
  for (const table of tables) {
    if (table.about !== undefined && given) remarks.push(...contradictions(table, table.about, given));
    abouts.push(table.about ?? given ?? (await ofEarlierRun(table, aboutRun, remarks)));
  }
  return { abouts, remarks };
}

async function ofEarlierRun(
  { path, origin }: PredictionTable,
  aboutRun: AboutRun | undefined,
  remarks: string[],
): Promise<PredictionsAbout | undefined> {
  if (origin === undefined) return undefined;
  const earlier = `${path}: a run of format ${origin.format} does not tell what it was trained on`;
  const todo = "give --data or --train-counts for what needs training counts";
  try {
    const about = await aboutRun?.(origin);
    remarks.push(about ? `${earlier}; its data was made again` : `${earlier}: ${todo}`);
    return about;
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    const { what, where } = cause.parts;
    remarks.push(`${earlier}, and its data cannot be opened (${what}${where ? `, ${where}` : ""}): ${todo}`);
    return undefined;
  }
}

/** Other classes are another dataset; other training counts are told, since the table's own are taken. */
function contradictions({ path }: PredictionTable, own: PredictionsAbout, given: PredictionsAbout): string[] {
  if (own.classNames.join("\n") !== given.classNames.join("\n")) {
    throw new CuelabError({
      kind: "input",
      what: "the dataset is not the one that the predictions are about: it has other classes",
      where: path,
      expected: `classes ${own.classNames.join(", ")}`,
      got: `classes ${given.classNames.join(", ")}`,
      todo: "leave --data away: the table says itself what it is about",
    });
  }
  const names = [...own.attributes.keys()].filter((name) => given.attributes.has(name));
  if ([undefined, ...names].every((name) => sameTraining(own, given, name))) return [];
  return [
    `${path}: was trained on other images than the training split of ${given.data}; what the table itself says of training is used`,
  ];
}

/** By class and, where both know it, an attribute. */
function sameTraining(own: PredictionsAbout, given: PredictionsAbout, name: string | undefined): boolean {
  const [ours, theirs] = [trained(own, name), trained(given, name)];
  if (ours === undefined || theirs === undefined) return true;
  return ours.size === theirs.size && [...ours].every(([key, images]) => theirs.get(key) === images);
}

function trained(
  { training, attributes }: PredictionsAbout,
  name: string | undefined,
): Map<string, number> | undefined {
  if (training === null) return new Map();
  const values = name === undefined ? undefined : training.values[training.attributes.indexOf(name)];
  if (name !== undefined && values === undefined) return undefined;
  const valueNames = name === undefined ? [] : lookUp(attributes, name).valueNames;
  const sums = new Map<string, number>();
  for (const [i, label] of training.labels.entries()) {
    const key = `${label} ${valueNames[values?.[i] ?? -1] ?? ""}`;
    sums.set(key, (sums.get(key) ?? 0) + training.images[i]!);
  }
  return sums;
}

/** Several tables are seeds of one model: one run is one run, and other models have other means. */
export function refuseNoSeeds(tables: readonly PredictionTable[]): void {
  const known = tables.flatMap(({ path, origin }) => (origin ? [{ path, ...origin }] : []));
  const copy = known.findIndex(({ run }, i) => known.findIndex((other) => other.run === run) < i);
  if (copy >= 0) {
    const { run, path } = known[copy]!;
    throw new CuelabError({
      kind: "usage",
      what: `the run ${run} is given twice`,
      where: path,
      expected: "one table or run a seed: a copy is no second one",
      got: `the same run in ${known.find((each) => each.run === run)!.path}`,
    });
  }
  const formats = new Set(known.map(({ format }) => format));
  const differing = [
    ...(formats.size > 1 ? [`format (${[...formats].join(", ")})`] : []),
    ...differences(known),
  ];
  if (differing.length === 0) return;
  throw new CuelabError({
    kind: "usage",
    what: "the runs differ in more than the seed, and have no mean in common",
    where: known.map(({ path }) => path).join(", "),
    got: `other ${differing.join(", ")}`,
    todo: "evaluate each by itself, or give the second as --baseline of the first; 'cuelab runs compare' puts them side by side",
  });
}

function differences(origins: readonly PredictionsOrigin[]): string[] {
  return differingLeaves(origins.map(({ spec }) => decidingLeaves(spec)));
}
