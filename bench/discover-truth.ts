/**
 * Whether `data discover` finds shortcuts that were planted, and how much it finds besides: thresholds are fitted on two generators
 * and judged on three others; and how often anything is found once labels are shuffled. Prints the tables of docs/discover.md.
 *
 *   npm run bench:discover-truth            about three minutes on two cores of its own
 *
 * A finding belongs to the cue whose value it goes with most among images of one class: the Mantel–Haenszel difference of shares,
 * if that is at least a fifth. What belongs to no planted cue is about the object itself, or false.
 */

import { cpus } from "node:os";
import { nearDuplicates } from "../src/audits/discover/grouping/near-duplicates.ts";
import { unitsOf } from "../src/audits/discover/grouping/units.ts";
import { drawImages, measureImages } from "../src/audits/discover/measuring/measure-images.ts";
import { properties } from "../src/audits/discover/properties/index.ts";
import { type FoundShortcut, findShortcuts } from "../src/audits/discover/testing/find-shortcuts.ts";
import { type CutProperty, cutProperty } from "../src/audits/discover/testing/parts.ts";
import { unitHolds } from "../src/audits/discover/testing/statement.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { randomStream } from "../src/core/random.ts";
import { datasets } from "../src/datasets/index.ts";
import { subset } from "../src/images/change-dataset.ts";

/** A world with some of its cues planted. */
interface PlantedWorld {
  dataset: string;
  settings: Readonly<Record<string, unknown>>;
  /** Attributes that could go with the class, and those that do. */
  cues: readonly string[];
  planted: readonly string[];
  /** How strongly, where that differs. */
  note?: string;
  /** Cues that are planted for one class alone. */
  ofOneClass?: Readonly<Record<string, string>>;
}

const images = 2000;
const rate = 0.05;
const grid = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4];
/** What `data discover` asks for unless told. */
const chosen = 0.2;

const biasedCues = [
  "backgroundColor",
  "digitColor",
  "digitPosition",
  "distractorShape",
  "distractorColor",
  "texture",
  "textureColor",
];

function biasedMnist(planted: readonly string[]): PlantedWorld {
  const pBias = Object.fromEntries(biasedCues.map((cue) => [cue, planted.includes(cue) ? 0.7 : 0.1]));
  return {
    dataset: "biased-mnist",
    settings: { pBias, count: { train: images, val: 1, test: 1 }, scale: 48 },
    cues: biasedCues,
    planted,
  };
}

function coloredMnist(agrees: number | undefined): PlantedWorld {
  const flips = agrees === undefined ? 0.5 : 1 - agrees;
  return {
    dataset: "colored-mnist",
    settings: {
      environments: [flips, flips],
      testEnvironments: [1],
      trainPerEnvironment: images,
      repeatDigits: true,
    },
    cues: ["color"],
    planted: agrees === undefined ? [] : ["color"],
    ...(agrees !== undefined && { note: `agrees in ${Math.round(100 * agrees)}%` }),
  };
}

function urbanCars(planted: readonly string[]): PlantedWorld {
  const correlation = (cue: string) => (planted.includes(cue) ? 0.95 : 0.5);
  return {
    dataset: "urban-cars",
    settings: {
      size: 128,
      count: { train: images, val: 0, test: 0 },
      bgCorrelation: correlation("background"),
      coObjCorrelation: correlation("coObject"),
      ...(planted.includes("watermark") && { watermarkClass: "urban" }),
    },
    cues: ["background", "coObject", ...(planted.includes("watermark") ? ["watermark"] : [])],
    planted,
    ofOneClass: { watermark: "urban" },
  };
}

/** Own backgrounds in nearly all images, or in half of them: a quarter would tell nothing, and cannot be asked for. */
function hardSpurious(how: "nearly all" | "half", planted: readonly string[]): PlantedWorld {
  const own = how === "nearly all";
  return {
    dataset: "hard-spurious",
    settings: {
      size: 96,
      classes: ["cow", "horse", "sedan", "pickup"],
      inpaint: "tiled",
      // Easy groups have the object's own background, hard ones another's.
      count: {
        train: own ? { easy: 80, medium: 5, hard: 5 } : { easy: 40, medium: 40, hard: 40 },
        val: 0,
        test: 0,
      },
      ...(planted.includes("watermark") && { watermarkClass: "cow" }),
    },
    cues: ["backgroundClass", ...(planted.includes("watermark") ? ["watermark"] : [])],
    planted,
    note: `own background in ${how}`,
    ofOneClass: { watermark: "cow" },
  };
}

function diagvib(planted: readonly string[]): PlantedWorld {
  const cues = ["hue", "lightness", "position", "scale", "texture"];
  const settings = { size: 64, count: { train: images, val: 1, test: 1, testId: 1 } };
  return {
    dataset: "diagvib-study",
    settings: {
      ...settings,
      predict: ["shape"],
      cue: planted.length === 0 ? ["hue"] : planted,
      study: planted.length === 0 ? "ZSO" : "FGO-10",
    },
    cues,
    planted,
  };
}

const fitted: PlantedWorld[] = [
  biasedMnist([]),
  ...biasedCues.map((cue) => biasedMnist([cue])),
  biasedMnist(["backgroundColor", "digitPosition"]),
  biasedMnist(["texture", "distractorShape"]),
  biasedMnist(["digitColor", "textureColor"]),
  biasedMnist(["backgroundColor", "digitPosition", "texture"]),
  biasedMnist(["digitColor", "distractorShape", "textureColor"]),
  coloredMnist(undefined),
  coloredMnist(0.9),
  coloredMnist(0.7),
];

const judged: PlantedWorld[] = [
  urbanCars([]),
  urbanCars(["background"]),
  urbanCars(["coObject"]),
  urbanCars(["watermark"]),
  urbanCars(["background", "coObject"]),
  urbanCars(["background", "watermark"]),
  urbanCars(["background", "coObject", "watermark"]),
  hardSpurious("nearly all", ["backgroundClass"]),
  hardSpurious("half", ["backgroundClass"]),
  hardSpurious("nearly all", ["backgroundClass", "watermark"]),
  hardSpurious("half", ["backgroundClass", "watermark"]),
  diagvib([]),
  ...["hue", "lightness", "position", "scale", "texture"].map((cue) => diagvib([cue])),
  diagvib(["hue", "position"]),
  diagvib(["lightness", "texture"]),
  diagvib(["scale", "hue"]),
  diagvib(["hue", "position", "scale"]),
  diagvib(["lightness", "texture", "position"]),
];

interface MeasuredWorld {
  world: PlantedWorld;
  dataset: Dataset;
  units: Uint32Array;
  halves: Uint8Array;
  labels: Uint16Array;
  cuts: CutProperty[];
}

/** Pixels are measured once; thresholds and shuffled labels cost little then. */
async function measure(world: PlantedWorld): Promise<MeasuredWorld> {
  const whole = await datasets.get(world.dataset).build(world.settings, 0);
  const train = [...whole.labels.keys()].filter(
    (i) => whole.splits.names[whole.splits.values[i]!] === "train",
  );
  const dataset = subset(whole, train);
  const rows = [...dataset.labels.keys()];
  const measured = await measureImages(dataset, {
    without: [],
    workers: 2,
    drawn: drawImages(rows.length, [], 0),
  });
  const alike = await nearDuplicates(measured);
  const { images: units, chosen: halves } = unitsOf(rows, alike, measured.digests);
  const labels = Uint16Array.from(units, (index) => dataset.labels[index]!);
  const cuts = properties.flatMap(
    (property, p) => cutProperty(property, measured.columns[p]!, units, halves) ?? [],
  );
  return { world, dataset, units, halves, labels, cuts };
}

interface TruthOutcome {
  /** Pairs of a planted cue and a class, and those with a finding that belongs to the cue. */
  pairs: number;
  found: number;
  /** Findings that no stronger one explains: which belong to planted cues, to others, and to none. */
  ofPlanted: number;
  ofUnplanted: number;
  ofObject: number;
  classes: number;
  /** Planted cues of which no class was found. */
  missed: string[];
}

async function outcomeAt(measured: MeasuredWorld, effect: number): Promise<TruthOutcome> {
  const { world, dataset, labels, halves, cuts } = measured;
  const classes = dataset.classNames.length;
  const { found } = await findShortcuts({
    cuts,
    labels,
    chosen: halves,
    classes,
    thresholds: { effect, rate },
  });
  const owners = found.map((each) => ownerOf(measured, each));
  const pairs = world.planted.flatMap((cue) =>
    [...dataset.classNames.keys()]
      .filter((label) => [undefined, dataset.classNames[label]].includes(world.ofOneClass?.[cue]))
      .map((label) => ({ cue, found: found.some((each, i) => each.label === label && owners[i] === cue) })),
  );
  const own = owners.filter((_, i) => found[i]!.explainedBy === undefined);
  return {
    pairs: pairs.length,
    found: pairs.filter((pair) => pair.found).length,
    ofPlanted: own.filter((owner) => owner !== undefined && world.planted.includes(owner)).length,
    ofUnplanted: own.filter((owner) => owner !== undefined && !world.planted.includes(owner)).length,
    ofObject: own.filter((owner) => owner === undefined).length,
    classes,
    missed: world.planted.filter((cue) => !pairs.some((pair) => pair.cue === cue && pair.found)),
  };
}

/** The cue whose value for the class goes with the statement most, within classes. */
function ownerOf(
  { world, dataset, units, labels, cuts }: MeasuredWorld,
  { cut, statement, label }: FoundShortcut,
): string | undefined {
  const strengths = world.cues.map((cue) => {
    const { values, classValues, valueNames } = dataset.attributes[cue]!;
    const wanted = classValues?.[label] ?? valueNames.length - 1;
    const counts = dataset.classNames.map(() => ({ with: 0, withHolds: 0, without: 0, withoutHolds: 0 }));
    for (let unit = 0; unit < units.length; unit++) {
      const own = counts[labels[unit]!]!;
      const holds = unitHolds(cuts[cut]!, statement, unit) ? 1 : 0;
      const has = values[units[unit]!] === wanted;
      own[has ? "with" : "without"]++;
      own[has ? "withHolds" : "withoutHolds"] += holds;
    }
    let [difference, weight] = [0, 0];
    for (const own of counts) {
      const all = own.with + own.without;
      if (all === 0) continue;
      difference += (own.withHolds * own.without - own.withoutHolds * own.with) / all;
      weight += (own.with * own.without) / all;
    }
    return weight === 0 ? 0 : Math.abs(difference / weight);
  });
  const most = Math.max(...strengths);
  return most < 0.2 ? undefined : world.cues[strengths.indexOf(most)];
}

function sum(outcomes: readonly TruthOutcome[], of: keyof Omit<TruthOutcome, "missed">): number {
  return outcomes.reduce((total, each) => total + each[of], 0);
}

const percent = (share: number) => `${(100 * share).toFixed(0)}%`;

/** Of findings that nothing explains, and of planted pairs. */
function balance(outcomes: readonly TruthOutcome[]): { recall: number; precision: number; f: number } {
  const recall = sum(outcomes, "found") / sum(outcomes, "pairs");
  const all = sum(outcomes, "ofPlanted") + sum(outcomes, "ofUnplanted") + sum(outcomes, "ofObject");
  const precision = all === 0 ? 1 : sum(outcomes, "ofPlanted") / all;
  return { recall, precision, f: (2 * recall * precision) / (recall + precision) };
}

console.log(
  `${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}\n`,
);

console.log(
  "| least difference | recall | of findings, about planted cues | both (F) |\n| --- | --- | --- | --- |",
);
const home = [];
for (const world of fitted) home.push(await measure(world));
for (const effect of grid) {
  const { recall, precision, f } = balance(await Promise.all(home.map((each) => outcomeAt(each, effect))));
  console.log(`| ${effect} | ${percent(recall)} | ${percent(precision)} | ${f.toFixed(2)} |`);
}

console.log(
  `\n| dataset | planted | recall (cue × class) | findings: planted, other cues, object | per class besides | missed whole |\n| --- | --- | --- | --- | --- | --- |`,
);
const away: MeasuredWorld[] = [];
for (const world of judged) away.push(await measure(world));
const rows = await Promise.all(
  [...home, ...away].map(async (measured) => ({ measured, outcome: await outcomeAt(measured, chosen) })),
);
for (const { measured, outcome } of rows) {
  const { world } = measured;
  const besides = (outcome.ofUnplanted + outcome.ofObject) / outcome.classes;
  console.log(
    `| ${world.dataset} | ${world.planted.join(", ") || "none"}${world.note === undefined ? "" : ` (${world.note})`} | ${outcome.pairs === 0 ? "–" : `${outcome.found} of ${outcome.pairs}`} | ${outcome.ofPlanted}, ${outcome.ofUnplanted}, ${outcome.ofObject} | ${besides.toFixed(1)} | ${outcome.missed.join(", ") || "–"} |`,
  );
}

console.log("\n| judged on | one cue | two | three |\n| --- | --- | --- | --- |");
for (const name of ["urban-cars", "hard-spurious", "diagvib-study"]) {
  const cells = [1, 2, 3].map((many) => {
    const own = rows
      .filter(({ measured: { world } }) => world.dataset === name && world.planted.length === many)
      .map(({ outcome }) => outcome);
    return own.length === 0
      ? "–"
      : `${sum(own, "found")} of ${sum(own, "pairs")} (${percent(balance(own).recall)})`;
  });
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

console.log(
  "\n| labels shuffled 200 times | draws with a finding | with no threshold but the rate |\n| --- | --- | --- |",
);
for (const measured of [home[0]!, home.at(-3)!, away[0]!, away[11]!]) {
  const random = randomStream(0, "discover-truth/shuffled").at(0);
  const { cuts, halves, dataset, world } = measured;
  const labels = measured.labels.slice();
  const thresholds = { effect: chosen, rate };
  let [draws, plain] = [0, 0];
  for (let draw = 0; draw < 200; draw++) {
    random.shuffle(labels);
    const search = { cuts, labels, chosen: halves, classes: dataset.classNames.length };
    const { found } = await findShortcuts({ ...search, thresholds: { effect: 0, rate } });
    if (found.length > 0) plain++;
    if (found.some(({ measured }) => measured.effect >= thresholds.effect)) draws++;
  }
  console.log(`| ${world.dataset} | ${draws} | ${plain} |`);
}
