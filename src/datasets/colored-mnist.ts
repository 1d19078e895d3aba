/**
 * ColoredMNIST: is the digit 5 or more? The label is noisy, and colour agrees with it to a degree that differs
 * between environments, so colour pays in training and fails where the correlation turns round.
 * After Arjovsky et al. 2019 as used in "accuracy on the line" studies (Salaudeen et al., Appendix B.1 and C.2).
 */

import { z } from "zod";
import { type Attribute, type Dataset, type Pixels, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { type IdxImages, labelsPathOf, readIdxPair } from "../sources/idx.ts";
import { mnist } from "../sources/mnist.ts";
import { defineDataset } from "./definition.ts";

const settings = z.object({
  environments: z
    .array(z.number().min(0).max(1))
    .min(1)
    .default([0.1, 0.2, 0.9])
    .describe("probability that colour agrees with the label, one an environment"),
  labelNoise: z.number().min(0).max(1).default(0.25).describe("probability that a label is flipped"),
  testEnvironments: z
    .array(z.number().int().min(0))
    .optional()
    .describe("positions of the environments kept for testing (the last one, where there are several)"),
  trainPerEnvironment: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("images in the 'in' part of each environment (all digits, shared out evenly)"),
  outFraction: z
    .number()
    .min(0)
    .lt(1)
    .default(0.2)
    .describe("share of an environment kept for evaluation, its 'out' part"),
  size: z
    .union([z.literal(28), z.literal(14)])
    .default(28)
    .describe("height and width; 14 keeps every second pixel"),
  channels: z
    .union([z.literal(3), z.literal(2)])
    .default(3)
    .describe("3 for RGB, 2 for red and green alone"),
  repeatDigits: z
    .boolean()
    .default(false)
    .describe("allow a digit to appear again, coloured anew, within its part"),
  digits: z
    .string()
    .default("mnist")
    .describe("'mnist', or the path of an IDX images file with its labels file beside it"),
});

type ColoredMnistSettings = z.output<typeof settings>;

/** One environment's digits, as indices into the pool: first the in part, then the out part. */
interface ColourPlan {
  inPart: Uint32Array;
  outPart: Uint32Array;
}

export const coloredMnist = defineDataset({
  name: "colored-mnist",
  title: "ColoredMNIST",
  description:
    "Handwritten digits in red or green. The label says whether the digit is 5 or more, but is wrong for a share of " +
    "the images, which limits what shape alone can reach. Colour agrees with the label at a rate that differs between " +
    "environments: a network that trusts colour beats one that reads digits in training and loses where the rate flips.",
  paper: "Arjovsky et al. 2019; Salaudeen et al. 2025",
  version: 1,
  settings,
  examples: ["environments=0.1,0.2,0.9", "labelNoise=0.25", "trainPerEnvironment=1000"],
  small: ["trainPerEnvironment=100"],
  build: async (chosen, seed) => {
    const digits = await loadDigits(chosen.digits);
    const plans = shareOut(chosen, digits.count, seed);
    return assemble(chosen, seed, digits, plans);
  },
});

/** Digits from several files, indexed as one pool. */
interface DigitPool {
  count: number;
  height: number;
  width: number;
  files: IdxImages[];
  label(index: number): number;
  image(index: number): Uint8Array;
}

async function loadDigits(digits: string): Promise<DigitPool> {
  const files =
    digits === "mnist"
      ? [await mnist("train"), await mnist("test")]
      : [
          await readIdxPair(
            { imagesPath: digits, labelsPath: labelsPathOf(digits) },
            { name: digits, license: "yours" },
          ),
        ];
  const [first] = files as [IdxImages];
  const locate = (index: number): [IdxImages, number] => {
    let rest = index;
    for (const file of files) {
      if (rest < file.count) return [file, rest];
      rest -= file.count;
    }
    throw new RangeError(`digit ${index}`);
  };
  return {
    count: files.reduce((sum, file) => sum + file.count, 0),
    height: first.height,
    width: first.width,
    files,
    label: (index) => {
      const [file, position] = locate(index);
      return file.labels[position]!;
    },
    image: (index) => {
      const [file, position] = locate(index);
      return file.image(position);
    },
  };
}

/** Disjoint parts of the shuffled pool: no digit is in two environments, or in the in and out part of one. */
function shareOut(
  { environments, outFraction, trainPerEnvironment, repeatDigits }: ColoredMnistSettings,
  count: number,
  seed: number,
): ColourPlan[] {
  const shuffled = randomStream(seed, "colored-mnist/digits").at(0).permutation(count);
  return environments.map((_, environment) => {
    const pool = shuffled.filter((_, position) => position % environments.length === environment);
    const outPool = Math.floor(pool.length * outFraction);
    const inPool = pool.length - outPool;
    const inCount = trainPerEnvironment ?? inPool;
    const outCount =
      trainPerEnvironment === undefined ? outPool : Math.round((inCount * outFraction) / (1 - outFraction));
    if (!repeatDigits && inCount > inPool) {
      throw new CuelabError({
        kind: "usage",
        what: `trainPerEnvironment=${inCount} is more than there are digits`,
        expected: `at most ${inPool} with ${environments.length} environments and ${count} digits in all`,
        todo: "lower it, or add --set repeatDigits=true to colour digits more than once",
      });
    }
    return {
      inPart: cycle(pool.subarray(0, inPool), inCount),
      outPart: cycle(pool.subarray(inPool), Math.min(outCount, repeatDigits ? outCount : outPool)),
    };
  });
}

function cycle(pool: Uint32Array, count: number): Uint32Array {
  return pool.length === 0
    ? new Uint32Array(0)
    : Uint32Array.from({ length: count }, (_, i) => pool[i % pool.length]!);
}

function assemble(
  chosen: ColoredMnistSettings,
  seed: number,
  digits: DigitPool,
  plans: ColourPlan[],
): Dataset {
  const { environments, labelNoise, size, channels } = chosen;
  const testing = testEnvironmentsOf(chosen);
  const count = plans.reduce((sum, { inPart, outPart }) => sum + inPart.length + outPart.length, 0);
  const column = () => new Uint16Array(count);
  const [label, color, digitClass, digit, environmentOf, partOf] = [
    column(),
    column(),
    column(),
    column(),
    column(),
    column(),
  ];
  const split = new Uint8Array(count);
  const pick = new Uint32Array(count);
  const noise = randomStream(seed, "colored-mnist/label-noise");
  const agreement = randomStream(seed, "colored-mnist/color");
  const half = Math.ceil((1 + maximum(digits.files)) / 2);

  let next = 0;
  const place = (environment: number, part: 0 | 1, splitIndex: number): void => {
    const { inPart, outPart } = plans[environment]!;
    const members = part === 0 ? inPart : outPart;
    for (let i = 0; i < members.length; i++) {
      const index = next++;
      // Draws belong to the place in the environment, so they do not change with the choice of test environments.
      const key = environment * 2 ** 32 + (part === 0 ? i : inPart.length + i);
      const number = digits.label(members[i]!);
      const truth = number >= half ? 1 : 0;
      const observed = noise.at(key).boolean(labelNoise) ? 1 - truth : truth;
      pick[index] = members[i]!;
      digit[index] = number;
      digitClass[index] = truth;
      label[index] = observed;
      color[index] = agreement.at(key).boolean(environments[environment]!) ? observed : 1 - observed;
      environmentOf[index] = environment;
      partOf[index] = part;
      split[index] = splitIndex;
    }
  };
  const training = environments.map((_, e) => e).filter((e) => !testing.has(e));
  for (const e of training) place(e, 0, 0);
  for (const e of training) place(e, 1, 1);
  for (const e of testing) {
    place(e, 0, 2);
    place(e, 1, 2);
  }

  const classNames = [`below ${half}`, `${half} or above`];
  const attributes: Record<string, Attribute> = {
    color: {
      values: color,
      valueNames: ["red", "green"],
      role: "cue",
      classValues: [0, 1],
      description: "the shortcut: agrees with the label at its environment's rate",
    },
    environment: {
      values: environmentOf,
      valueNames: uniqueNames(environments.map(String)),
      role: "other",
      description: "named by the probability that colour agrees with the label",
    },
    digitClass: {
      values: digitClass,
      valueNames: classNames,
      role: "core",
      classValues: [0, 1],
      description: "what the digit itself says, before label noise",
    },
    digit: {
      values: digit,
      valueNames: Array.from({ length: maximum(digits.files) + 1 }, (_, i) => String(i)),
      role: "other",
      description: "the digit that is drawn",
    },
    part: {
      values: partOf,
      valueNames: ["in", "out"],
      role: "other",
      description: "in: for training on this environment; out: for measuring accuracy on it",
    },
  };
  return {
    name: "colored-mnist",
    images: {
      count,
      shape: { height: size, width: size, channels },
      describe: (index) => `colored-mnist image ${index}`,
      pixels: (index) => colorDigit(digits.image(pick[index]!), digits.width, size, channels, color[index]!),
    },
    labels: label,
    classNames,
    attributes,
    splits: { names: standardSplits, values: split },
    provenance: {
      title: coloredMnist.title,
      description: coloredMnistText(chosen),
      generator: { name: coloredMnist.name, version: coloredMnist.version },
      settings: chosen,
      seed,
      sources: digits.files.map((file) => file.source),
      citation: coloredMnist.paper,
      license: "CC BY-SA 3.0",
      skipped: [],
      statisticsBy: "environment",
    },
  };
}

/** What this very dataset is, in numbers. */
function coloredMnistText({ environments, labelNoise }: ColoredMnistSettings): string {
  const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
  return (
    `${coloredMnist.description} Here ${percent(labelNoise)} of the labels are flipped, so shape alone is right ` +
    `${percent(1 - labelNoise)} of the time; colour agrees with the label at the rates ${environments.join(", ")}.`
  );
}

/** The grey digit in the red (0) or green (1) channel; the others stay black. */
function colorDigit(grey: Uint8Array, width: number, size: number, channels: number, color: number): Pixels {
  const data = new Uint8Array(size * size * channels);
  const step = width / size;
  for (let y = 0, to = color; y < size; y++) {
    for (let x = 0; x < size; x++, to += channels) data[to] = grey[y * step * width + x * step]!;
  }
  return { data, height: size, width: size, channels };
}

function testEnvironmentsOf({ environments, testEnvironments }: ColoredMnistSettings): Set<number> {
  const chosen = testEnvironments ?? (environments.length > 1 ? [environments.length - 1] : []);
  for (const position of chosen) {
    if (position < environments.length) continue;
    throw new CuelabError({
      kind: "usage",
      what: `testEnvironments names position ${position}`,
      expected: `positions from 0 to ${environments.length - 1}, one for each of environments=${environments.join(",")}`,
    });
  }
  return new Set(chosen);
}

function maximum(files: readonly IdxImages[]): number {
  return files.reduce((most, file) => file.labels.reduce((a, b) => Math.max(a, b), most), 0);
}

/** 0.1, 0.1 → "0.1", "0.1 (2)": two environments may share a rate. */
function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}
