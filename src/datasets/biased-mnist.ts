/**
 * Biased MNIST: a digit in one cell of a 3×3 grid, and seven things besides that go with it to a chosen degree: colour
 * and cell of the digit, shape and colour of the distractors, kind and colour of the texture, colour of the background.
 * After Shrestha, Kafle and Kanan 2022, section 4.1. Differences from the published images: docs/biased-mnist.md.
 */

import { z } from "zod";
import { type Attribute, type Dataset, standardSplits } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { allOrEach } from "../core/settings.ts";
import type { IdxImages } from "../sources/idx.ts";
import { mnist } from "../sources/mnist.ts";
import {
  cellNames,
  drawEntries,
  entries,
  entryCells,
  type Variable,
  variables,
} from "./biased-mnist/factors.ts";
import { glyphs } from "./biased-mnist/glyphs.ts";
import { colorNames, namedColors, type Palette, paletteOf } from "./biased-mnist/palette.ts";
import { createRenderer } from "./biased-mnist/renderer.ts";
import { shapes } from "./biased-mnist/shapes.ts";
import { defineDataset } from "./definition.ts";

const chance = z.number().min(0).max(1);
/** How MNIST's 60,000 training and 10,000 test digits are shared out. */
const available = { train: 50_000, val: 10_000, test: 10_000 };
const count = (split: keyof typeof available, described: string) =>
  z.number().int().min(1).max(available[split]).default(available[split]).describe(described);

const settings = z.object({
  pBias: allOrEach(variables, chance, 0.7).describe(
    "in training, the probability of the class's own value; 0.1 is no bias",
  ),
  pBiasVal: allOrEach(variables, chance, 0.1).describe("the same in validation"),
  pBiasTest: allOrEach(variables, chance, 0.1).describe("the same in test"),
  count: z
    .strictObject({
      train: count("train", "training images; smaller sets are the first of larger ones"),
      val: count("val", "validation images"),
      test: count("test", "test images"),
    })
    .prefault({}),
  scale: z
    .union([z.literal(96), z.literal(64), z.literal(48)])
    .default(96)
    .describe("height and width; the smaller canvases are drawn anew, not shrunk"),
  colors: z
    .union([z.enum(Object.keys(namedColors) as (keyof typeof namedColors)[]), z.array(z.string())])
    .default("paper")
    .describe("digit colours of classes 0 to 9 as #rrggbb, or a palette's name; the other colours follow"),
});

type BiasedMnistSettings = z.output<typeof settings>;

export const biasedMnist = defineDataset({
  name: "biased-mnist",
  title: "Biased MNIST",
  description:
    "Handwritten digits in one cell of a 3×3 grid; the label is the digit. Seven other things go with it: background " +
    "colour, digit colour, the digit's cell, the shape and colour of the distractors in the other cells, and the kind " +
    "and colour of a texture over all of them. Each takes its class's own value with a probability of its own, " +
    "independently given the class, and else any of the other nine; at 0.1 it tells nothing.",
  paper: "Shrestha et al. 2022",
  version: 1,
  settings,
  examples: ["pBias=0.7", "pBias.digitColor=0.9", "count.train=2000", "scale=48"],
  small: ["count.train=240", "count.val=60", "count.test=60"],
  build: async (chosen, seed) => {
    const digits = { train: await mnist("train"), test: await mnist("test") };
    return assemble(chosen, seed, digits, paletteOf(chosen.colors));
  },
});

interface Digits {
  train: IdxImages;
  test: IdxImages;
}

function assemble(chosen: BiasedMnistSettings, seed: number, digits: Digits, palette: Palette): Dataset {
  const parts = shareOut(chosen, seed, digits);
  const total = parts.reduce((sum, { pick }) => sum + pick.length, 0);
  const labels = new Uint16Array(total);
  const split = new Uint8Array(total);
  const digit = new Uint32Array(total);
  const columns = Object.fromEntries(
    variables.map((variable) => [variable, new Uint16Array(total)]),
  ) as Record<Variable, Uint16Array>;
  let next = 0;
  for (const [part, { source, pick, chances, name }] of parts.entries()) {
    // Draws belong to the place in the split, so that counts change none of them.
    const draws = randomStream(seed, `biased-mnist/factors/${name}`);
    for (let i = 0; i < pick.length; i++) {
      const index = next++;
      const label = source.labels[pick[i]!]!;
      const drawn = drawEntries(draws.at(i), label, chances);
      labels[index] = label;
      split[index] = part;
      digit[index] = pick[i]!;
      variables.forEach((variable, v) => {
        columns[variable][index] = variable === "digitPosition" ? entryCells[drawn[v]!]! : drawn[v]!;
      });
    }
  }

  const render = createRenderer(chosen.scale, palette);
  const shape = { height: chosen.scale, width: chosen.scale, channels: 3 };
  return {
    name: "biased-mnist",
    images: {
      count: total,
      shape,
      describe: (index) => `biased-mnist image ${index}`,
      pixels: (index) => ({
        data: render(parts[split[index]!]!.source.image(digit[index]!), {
          backgroundColor: columns.backgroundColor[index]!,
          digitColor: columns.digitColor[index]!,
          digitPosition: columns.digitPosition[index]!,
          distractorShape: columns.distractorShape[index]!,
          distractorColor: columns.distractorColor[index]!,
          texture: columns.texture[index]!,
          textureColor: columns.textureColor[index]!,
        }),
        ...shape,
      }),
    },
    labels,
    classNames: Array.from({ length: entries }, (_, digit) => String(digit)),
    attributes: { ...cueAttributes(columns, palette), ...majorityAttributes(columns, labels) },
    splits: { names: standardSplits, values: split },
    provenance: {
      title: biasedMnist.title,
      description: biasedMnistText(chosen),
      generator: { name: biasedMnist.name, version: biasedMnist.version },
      settings: chosen,
      seed,
      sources: [digits.train.source, digits.test.source],
      citation: biasedMnist.paper,
      license: "CC BY-SA 3.0",
      skipped: [],
      shiftedSplits: shiftedSplits(chosen),
    },
  };
}

/** Splits in which some variable goes with the class more or less closely than in training. */
function shiftedSplits({ pBias, pBiasVal, pBiasTest }: BiasedMnistSettings): string[] {
  const differs = (other: typeof pBias) => variables.some((variable) => other[variable] !== pBias[variable]);
  return [...(differs(pBiasVal) ? ["val"] : []), ...(differs(pBiasTest) ? ["test"] : [])];
}

/**
 * Which digits each split shows, in an order of the seed's. Test digits are shuffled too: the first half of MNIST's
 * test file is easier than the second, and a smaller count should be a fair sample.
 */
function shareOut(
  { count, pBias, pBiasVal, pBiasTest }: BiasedMnistSettings,
  seed: number,
  { train, test }: Digits,
) {
  const order = randomStream(seed, "biased-mnist/digits");
  const training = order.at(0).permutation(train.count);
  const testing = order.at(1).permutation(test.count);
  const from = available.train;
  return [
    { name: "train", source: train, pick: training.subarray(0, count.train), chances: pBias },
    { name: "val", source: train, pick: training.subarray(from, from + count.val), chances: pBiasVal },
    { name: "test", source: test, pick: testing.subarray(0, count.test), chances: pBiasTest },
  ];
}

function cueAttributes(columns: Record<Variable, Uint16Array>, palette: Palette): Record<string, Attribute> {
  const cue = (
    variable: Variable,
    valueNames: readonly string[],
    description: string,
  ): [string, Attribute] => [
    variable,
    { values: columns[variable], valueNames, role: "cue", classValues: classValues(variable), description },
  ];
  return Object.fromEntries([
    cue("backgroundColor", colorNames(palette.background), "colour behind everything"),
    cue("digitColor", colorNames(palette.digit), "colour of the digit"),
    cue("digitPosition", cellNames, "cell of the digit; classes 4 and 9 share the centre"),
    cue(
      "distractorShape",
      shapes.map(({ name }) => name),
      "shape in the eight cells without the digit",
    ),
    cue("distractorColor", colorNames(palette.distractor), "colour of those shapes"),
    cue(
      "texture",
      glyphs.map(({ name }) => name),
      "glyph repeated over background and distractors",
    ),
    cue("textureColor", colorNames(palette.texture), "colour of that glyph"),
  ]);
}

/** The value that goes with each class. */
function classValues(variable: Variable): number[] {
  return Array.from({ length: entries }, (_, label) =>
    variable === "digitPosition" ? entryCells[label]! : label,
  );
}

/** For each variable, whether an image has its class's own value, however it came by it. */
function majorityAttributes(
  columns: Record<Variable, Uint16Array>,
  labels: Uint16Array,
): Record<string, Attribute> {
  return Object.fromEntries(
    variables.map((variable) => {
      const own = classValues(variable);
      return [
        `${variable}Majority`,
        {
          values: columns[variable].map((value, i) => (value === own[labels[i]!] ? 1 : 0)),
          valueNames: ["no", "yes"],
          role: "other",
          description: `whether ${variable} has the value that goes with the class`,
        },
      ];
    }),
  );
}

/** What this very dataset is, in numbers. */
function biasedMnistText({ pBias, pBiasVal, pBiasTest }: BiasedMnistSettings): string {
  const rates = (chances: Record<Variable, number>) =>
    new Set(Object.values(chances)).size === 1
      ? String(chances.texture)
      : variables.map((variable) => `${variable} ${chances[variable]}`).join(", ");
  return (
    `${biasedMnist.description} Here the probabilities are, in training: ${rates(pBias)}; ` +
    `in validation: ${rates(pBiasVal)}; in test: ${rates(pBiasTest)}.`
  );
}
