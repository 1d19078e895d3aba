/** The audit of many heads over the same features: methods × penalties × draws, of which the best is told of on images of its own. */

import { z } from "zod";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { groupsOf } from "../../core/grouping.ts";
import { randomStream } from "../../core/random.ts";
import { meanOverSeeds, type SeedMean } from "../../core/statistics/index.ts";
import { methods } from "../../methods/index.ts";
import { supervisionOf } from "../../methods/method.ts";
import { rowsAt } from "../../training/feature-rows.ts";
import { type GroupAccuracy, groupAccuracies } from "../../training/heads/group-accuracies.ts";
import { type ScaledRows, scaledRows } from "../../training/heads/head-rows.ts";
import { methodWeights } from "../../training/heads/method-problem.ts";
import { type HeadProblem, solveHeads } from "../../training/heads/solve-heads.ts";
import { resolveSpec } from "../../training/run-spec.ts";
import { featureModel } from "../../training/train-features.ts";
import { type AuditedFeatures, type AuditHooks, defineAudit } from "../audit.ts";
import { partsByGroup } from "../parts-by-group.ts";
import { headsInShort, showHeads } from "./show.ts";

const partNames = ["fit", "tune", "choose", "report"] as const;

const question = z.strictObject({
  methods: z
    .array(z.string())
    .min(1)
    .default(["erm", "group-upweighting", "subg"])
    .describe("methods whose loss is a sum over images; erm is what others are compared with"),
  explicit: z
    .array(z.string())
    .optional()
    .describe("cues that methods are told, and groups are made of; all cues"),
  penalties: z
    .array(z.number().positive())
    .min(1)
    .default([1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1])
    .describe("l2 beside the mean loss, as of 'features train --solve'"),
  seeds: z.number().int().min(1).max(1000).default(5).describe("draws of methods that draw"),
  splits: z.array(z.string()).optional().describe("images that are parted into four; all"),
  clusters: z.string().optional().describe("an attribute whose images belong together, such as a person"),
  seed: z.number().int().min(0).default(0).describe("of the parts"),
  threads: z.number().int().min(1).max(256).default(2).describe("of the runtime"),
});

interface ReportedHead {
  method: string;
  l2: number;
  seed: number;
  objective: number;
  /** On images that it was not fitted to; those of `report` are told of chosen heads alone. */
  tune: GroupAccuracy;
  choose: GroupAccuracy;
}

interface ChosenMethod {
  method: string;
  l2: number;
  /** Over draws, of the worst group and of all groups alike. */
  choose: SeedMean;
  worst: SeedMean;
  mean: SeedMean;
  /** Of each draw. */
  report: readonly GroupAccuracy[];
}

export interface HeadsAnswer {
  features: string;
  groups: readonly string[];
  images: Readonly<Record<(typeof partNames)[number], number>>;
  heads: readonly ReportedHead[];
  chosen: readonly ChosenMethod[];
  /** By its worst group on `choose`. */
  best: string;
}

export const headsAudit = defineAudit({
  name: "heads",
  title: "Which of many heads over these features tells its worst group best?",
  description:
    "heads by methods, penalties and draws, solved at once: fitted, tuned, chosen and told of on four parts that share no image",
  of: "features",
  question,
  ask,
  inShort: headsInShort,
  show: showHeads,
});

async function ask(
  asked: z.output<typeof question>,
  { title, features, width, dataset }: AuditedFeatures,
  hooks: AuditHooks,
): Promise<HeadsAnswer> {
  const { threads } = asked;
  const explicit = asked.explicit ?? cuesOf(dataset);
  const parted = inFour(dataset, asked, explicit);
  const rows = new Map<string, ScaledRows>();
  const read = async (places: Uint32Array, into: Float32Array<ArrayBuffer>) =>
    rowsAt(features, width, places, into);
  for (const part of partNames) {
    const scale = rows.get("fit")?.scale;
    rows.set(part, await scaledRows(parted.places[part], read, { width, most: 2 ** 31, scale }));
  }
  const labels = Int32Array.from(parted.places.fit, (image) => dataset.labels[image]!);
  const classes = dataset.classNames.length;
  const tried: { method: string; l2: number; seed: number }[] = [];
  const problems: HeadProblem[] = [];
  for (const name of asked.methods) {
    const method = methods.get(name);
    const { groups, trainsOnVal } = supervisionOf(method, {});
    if (trainsOnVal)
      throw new CuelabError({
        kind: "usage",
        what: `method "${name}" trains on validation images, which are for tuning here`,
      });
    let known: Float32Array | undefined;
    for (let draw = 0; draw < asked.seeds; draw++) {
      const { weights, total } = await methodWeights(
        resolveSpec({
          data: { features: true, identity: title },
          model: { name: featureModel },
          method: { name, ...(groups && { explicit: [...explicit] }) },
          seed: draw,
        }),
        parted.dataset,
      );
      // What does not draw has one head a penalty.
      if (draw > 0 && known!.every((value, i) => value === weights[i])) break;
      known = weights;
      for (const l2 of asked.penalties) {
        tried.push({ method: name, l2, seed: draw });
        problems.push({ labels, classes, l2: l2 / total, weights });
      }
    }
  }
  const solved = await solveHeads(rows.get("fit")!, problems, {
    threads,
    shouldStop: () => hooks.signal?.aborted ?? false,
    onProgress: (done, all) => hooks.onProgress?.("heads", done, all, "heads"),
  });
  hooks.signal?.throwIfAborted();
  const accuracies = (part: (typeof partNames)[number], heads = solved!) =>
    groupAccuracies(rows.get(part)!, heads, {
      labels: Int32Array.from(parted.places[part], (image) => dataset.labels[image]!),
      groups: Int32Array.from(parted.places[part], (image) => parted.codes[image]!),
      count: parted.names.length,
      threads,
    });
  const [tune, choose] = [await accuracies("tune"), await accuracies("choose")];
  const heads: ReportedHead[] = tried.map((each, i) => ({
    ...each,
    objective: solved![i]!.objective,
    tune: tune[i]!,
    choose: choose[i]!,
  }));
  const chosen: ChosenMethod[] = [];
  for (const method of asked.methods) {
    const l2 = tunedPenalty(
      heads.filter((head) => head.method === method),
      asked.penalties,
    );
    const own = [...heads.keys()].filter((i) => heads[i]!.method === method && heads[i]!.l2 === l2);
    const report = await accuracies(
      "report",
      own.map((i) => solved![i]!),
    );
    chosen.push({
      method,
      l2,
      choose: meanOverSeeds(own.map((i) => heads[i]!.choose.worst)),
      worst: meanOverSeeds(report.map(({ worst }) => worst)),
      mean: meanOverSeeds(report.map(({ mean }) => mean)),
      report,
    });
  }
  const best = chosen.reduce((a, b) => (b.choose.mean > a.choose.mean ? b : a)).method;
  const images = Object.fromEntries(partNames.map((part) => [part, parted.places[part].length]));
  return {
    features: title,
    groups: parted.names,
    images: images as HeadsAnswer["images"],
    heads,
    chosen,
    best,
  };
}

/** By the worst group, mean over draws; of equals the one that penalises most. */
function tunedPenalty(heads: readonly ReportedHead[], penalties: readonly number[]): number {
  let best = { l2: penalties[0]!, worst: -1 };
  for (const l2 of penalties.toSorted((a, b) => b - a)) {
    const own = heads.filter((head) => head.l2 === l2);
    const worst = own.reduce((sum, head) => sum + head.tune.worst / own.length, 0);
    if (worst > best.worst) best = { l2, worst };
  }
  return best.l2;
}

function cuesOf({ attributes, name }: Dataset): string[] {
  const cues = Object.keys(attributes).filter((key) => attributes[key]!.role === "cue");
  if (cues.length > 0) return cues;
  throw new CuelabError({
    kind: "input",
    what: "there are no cues to make groups of",
    where: name,
    todo: `name attributes with --set explicit=…: ${Object.keys(attributes).join(", ") || "there are none"}`,
  });
}

/** The same rows with four splits of our own: methods learn from the first, and see nothing of the others. */
function inFour(dataset: Dataset, asked: z.output<typeof question>, explicit: readonly string[]) {
  const { splits } = dataset;
  const unknown = asked.splits?.find((split) => !splits.names.includes(split));
  if (unknown !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `there is no split "${unknown}"`,
      where: dataset.name,
      expected: `one of: ${splits.names.join(", ")}`,
    });
  const wanted = new Set((asked.splits ?? splits.names).map((split) => splits.names.indexOf(split)));
  const images = Uint32Array.from(splits.values.keys()).filter((i) => wanted.has(splits.values[i]!));
  const groups = groupsOf(dataset, { by: ["class", ...explicit] });
  const { codes } = groups;
  const clusters = asked.clusters === undefined ? undefined : dataset.attributes[asked.clusters]?.values;
  if (asked.clusters !== undefined && clusters === undefined)
    throw new CuelabError({
      kind: "usage",
      what: `there is no attribute "${asked.clusters}"`,
      where: dataset.name,
    });
  const random = randomStream(asked.seed, "heads/parts").at(0);
  const at = (values: ArrayLike<number>) => Int32Array.from(images, (image) => values[image]!);
  const parts = partsByGroup({
    groups: at(codes),
    clusters: clusters && at(clusters),
    shares: [0.4, 0.2, 0.2, 0.2],
    least: 2,
    random,
    groupOf: (place) => spelledOf(groups, codes[images[place]!]!),
    todo: "name fewer attributes with --set explicit=…, or more splits with --set splits=…",
  });
  const places = Object.fromEntries(
    partNames.map((part, i) => [part, parts[i]!.map((place) => images[place]!)]),
  ) as Record<(typeof partNames)[number], Uint32Array>;
  const names = ["train", "val", "choose", "test", "(unused)"];
  const values = new Uint8Array(dataset.images.count).fill(4);
  for (const [code, part] of partNames.entries()) for (const image of places[part]) values[image] = code;
  return {
    dataset: { ...dataset, splits: { names, values } },
    places,
    codes,
    names: Array.from(groups.sizes, (_, code) => spelledOf(groups, code)),
  };
}

function spelledOf(groups: ReturnType<typeof groupsOf>, code: number): string {
  const { class: own, values } = groups.group(code);
  return [own, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)]
    .filter(Boolean)
    .join(", ");
}
