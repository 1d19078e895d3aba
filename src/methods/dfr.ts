/** Deep feature reweighting: the last layer of a network is fitted anew to images of which every group has as many. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { percentText } from "../core/words.ts";
import { chanceNotes } from "./at-chance.ts";
import { balancedSubset, halves, smallestOf, subsetNotes } from "./balanced-subset.ts";
import { meanLoss } from "./mean-loss.ts";
import { meanWeights } from "./mean-weights.ts";
import { defineMethod, type Known, type Made, type Numbered, type Weights } from "./method.ts";
import { predictedBy } from "./predicted-by.ts";
import { hardSpurious, urbanCars } from "./presets.ts";
import type { Stage } from "./stage.ts";

const settings = z.object({
  on: z
    .enum(["train", "val"])
    .default("train")
    .describe("whose images the last layer is fitted to: training (DFR of Li et al. 2023) or validation"),
  form: z
    .enum(["l1", "sgd"])
    .default("l1")
    .describe("L1 logistic regression solved to its end, or so many full-batch steps with L2"),
  strengths: z
    .array(z.number().positive())
    .min(1)
    .default([1, 0.7, 0.3, 0.1, 0.07, 0.03, 0.01])
    .describe(
      "C of l1, how much the images count beside the penalty; of several the best on held-out images",
    ),
  l2: z.number().min(0).default(100).describe("of sgd: l2/2·‖w‖² beside the sum of the losses"),
  steps: z.number().int().min(1).default(1000).describe("of sgd: how many"),
  rate: z.number().positive().default(1).describe("of sgd: at the beginning, falling along a cosine"),
  refits: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe("balanced samples that it is fitted to, each; the mean is kept"),
  standardise: z
    .enum(["train", "sample", "none"])
    .default("train")
    .describe(
      "features have mean 0 and deviation 1 over all training images, over the sample, or are as they are",
    ),
});

type DfrConfig = z.output<typeof settings>;

export const dfr = defineMethod({
  name: "dfr",
  version: 1,
  title: "Deep feature reweighting",
  paper: "Kirichenko et al. 2023, as in Li et al. 2023",
  supervision: (given) => {
    const { on } = settings.parse(given);
    return { groups: [on], ...(on === "val" && { trainsOnVal: true as const }) };
  },
  settings,
  search: {},
  presets: {
    "urban-cars": urbanCars({ on: "train" as const, form: "l1" as const, refits: 1 }),
    "hard-spurious": hardSpurious({
      on: "val" as const,
      form: "sgd" as const,
      refits: 1,
      standardise: "sample" as const,
    }),
  },
  *stages(known) {
    const { config, groups, labels, classes, random } = known;
    const { on, form, refits } = config;
    const grouped = groups(on);
    checkHalves(config, grouped);
    checkRate(config, smallestOf(grouped) * grouped.sizes.length);
    const trained: Made = yield { name: "train", build: meanLoss, wants: [{ of: on, logits: true }] };
    const predicted = predictedBy(trained.outputs[0]!.logits, classes);
    const part = on === "train" ? "training" : "validation";
    const notes = [
      ...chanceNotes(predicted, labels(on), classes, "the network whose features are used"),
      ...subsetNotes(grouped, part),
    ];
    const strength = form === "l1" ? yield* tuned(known, grouped, trained.weights, notes) : undefined;
    const fits: Weights[] = [];
    for (let fit = 1; fit <= refits; fit++) {
      const places = balancedSubset(grouped, random(`sample/${fit}`));
      const { weights } = yield {
        ...layer(config, places, trained.weights, strength),
        name: `fit/${fit}`,
        ...(fit === 1 && { notes: strengthNotes(config, strength, notes) }),
      };
      fits.push(weights);
    }
    return meanWeights(fits);
  },
});

/** One fit of the last layer, from where the network's own training has left it. */
function layer(
  { on, form, l2, steps, rate, standardise }: DfrConfig,
  places: Uint32Array,
  begin: Weights,
  strength: number | undefined,
): Omit<Stage, "name"> {
  return {
    from: { part: on, places },
    inputs: "features",
    batch: "full",
    begin,
    selected: false,
    standardise: standardise === "sample" ? true : standardise === "train" ? "train" : false,
    build: meanLoss,
    ...(form === "l1"
      ? // scikit-learn's C: the penalty beside C times the sum of the losses.
        { solve: { l1: 1 / strength!, over: "sum" as const } }
      : {
          length: { epochs: steps },
          // Beside the mean of the losses, as a penalty beside their sum; beside the mean itself 100 would diverge.
          penalise: { l2: l2 / places.length },
          optimiser: { name: "sgd" as const, rate, momentum: 0, weightDecay: 0, schedule: "cosine" as const },
        }),
  };
}

/** Which C tells the worst group of held-out images best, of several; the first of equals, which penalises least. */
function* tuned(
  { config, classes, labels, random }: Known<DfrConfig>,
  grouped: Numbered,
  begin: Weights,
  notes: string[],
): Generator<Stage, number, Made> {
  const { on, strengths } = config;
  const [only] = strengths as [number];
  if (strengths.length === 1) return only;
  const [fitted, heldOut] = halves(grouped, random("halves"));
  const places = balancedSubset(grouped, random("half"), fitted);
  const truth = labels(on);
  let best = { strength: only, accuracy: -1 };
  for (const strength of [...new Set(strengths)].toSorted((a, b) => b - a)) {
    const { outputs } = yield {
      ...layer(config, places, begin, strength),
      name: `tune/${strength}`,
      wants: [{ of: { part: on, places: heldOut }, logits: true }],
    };
    const predicted = predictedBy(outputs[0]!.logits, classes);
    const accuracy = worstGroup(heldOut, predicted, truth, grouped);
    if (accuracy > best.accuracy) best = { strength, accuracy };
  }
  notes.push(
    `C = ${best.strength} tells the worst group of ${heldOut.length.toLocaleString("en")} held-out images best (${percentText(best.accuracy)})`,
  );
  return best.strength;
}

function worstGroup(
  places: Uint32Array,
  predicted: Int32Array,
  labels: Int32Array,
  { codes, sizes }: Numbered,
): number {
  const counts = Array.from(sizes, () => ({ images: 0, right: 0 }));
  for (const [row, place] of places.entries()) {
    const count = counts[codes[place]!]!;
    count.images++;
    if (predicted[row] === labels[place]) count.right++;
  }
  return Math.min(...counts.map(({ images, right }) => right / images));
}

function strengthNotes(
  { form, strengths }: DfrConfig,
  strength: number | undefined,
  notes: string[],
): string[] {
  return form === "l1" && strengths.length === 1 ? [...notes, `C = ${strength}, as given`] : notes;
}

/** A step of the penalty alone multiplies the weights by 1 − rate·l2/n. */
function checkRate({ form, rate, l2 }: DfrConfig, images: number): void {
  if (form !== "sgd" || (rate * l2) / images < 2) return;
  throw new CuelabError({
    kind: "input",
    what: `method "dfr" would diverge: its penalty is too large for a sample of ${images.toLocaleString("en")} images`,
    expected: "rate × l2 / images below 2",
    got: `${rate} × ${l2} / ${images} = ${((rate * l2) / images).toPrecision(3)}`,
    todo: `use --method-set l2=${Number((images / rate).toPrecision(1))}, a lower rate, or form=l1`,
  });
}

/** A group of one image cannot be both fitted to and held out. */
function checkHalves({ form, strengths, on }: DfrConfig, grouped: Numbered): void {
  const least = smallestOf(grouped);
  if (form !== "l1" || strengths.length === 1 || least > 1) return;
  throw new CuelabError({
    kind: "input",
    what: `method "dfr" cannot choose among ${strengths.length} values of C: a group has one ${on === "train" ? "training" : "validation"} image, which cannot be in both halves`,
    expected: "two images or more of every group",
    got: `${grouped.sizes.length.toLocaleString("en")} groups, the smallest of one image`,
    todo: "name one value, such as --method-set strengths=0.1, or fewer cues in --explicit",
  });
}
