/** Families of classifiers: what varies among the models of a benchmark, over which ID and OOD accuracy are correlated. */

import { randomStream } from "../core/random.ts";
import { Registry } from "../core/registry.ts";
import { exactAccuracy } from "./accuracy.ts";
import { componentsOf, type Domain, shifted, type World } from "./domain.ts";
import { fitLogistic } from "./logistic.ts";
import type { Vector } from "./matrix.ts";
import { drawSample, firstRows } from "./sample.ts";
import { shiftKinds } from "./shifts.ts";

interface FamilyDrawOptions {
  world: World;
  /** The in-distribution domain. */
  training: Domain;
  count: number;
  /** Rows that a classifier is trained on, at most. */
  samples: number;
  ridge: number;
  seed: number;
}

export interface Family {
  name: string;
  description: string;
  /** Weights of all features, one a classifier. */
  train(options: FamilyDrawOptions): Vector[];
}

const domains: Family = {
  name: "domains",
  description: "logistic regressions, each trained on a domain of its own whose M has normal entries",
  train({ world, count, samples, ridge, seed }) {
    const shifts = shiftKinds.get("normal").draw({
      count,
      dimensions: world.meanSpurious.length,
      size: 1,
      stream: randomStream(seed, "simulate/family/shifts"),
    });
    const stream = randomStream(seed, "simulate/family/rows");
    return shifts.map(({ shift }, i) =>
      fitLogistic(drawSample(world, shifted(shift), samples, stream.at(i)), { ridge }),
    );
  },
};

const sizes: Family = {
  name: "sizes",
  description: "logistic regressions trained on ID samples of all sizes, under ridges of all strengths",
  train({ world, training, count, samples, ridge, seed }) {
    const width = world.meanGeneral.length + world.meanSpurious.length;
    const least = Math.min(samples, 2 * width);
    const stream = randomStream(seed, "simulate/family/rows");
    return Array.from({ length: count }, (_, i) => {
      const random = stream.at(i);
      const rows = Math.round(least * (samples / least) ** random.uniform());
      // From a hundredth to a hundred times.
      const strength = (ridge || 1) * 10 ** (4 * random.uniform() - 2);
      return fitLogistic(firstRows(drawSample(world, training, samples, random), rows), { ridge: strength });
    });
  },
};

const reliance: Family = {
  name: "reliance",
  description: "logistic regressions trained on ID samples, from no use of the spurious features to full use",
  train({ world, training, count, samples, ridge, seed }) {
    const stream = randomStream(seed, "simulate/family/rows");
    return Array.from({ length: count }, (_, i) => {
      // Ridges of the spurious weights from 10⁻³ to 10³ a row.
      const strength = samples * 10 ** (count === 1 ? 0 : 3 - (6 * i) / (count - 1));
      const ridges = [...world.meanGeneral.map(() => ridge), ...world.meanSpurious.map(() => strength)];
      return fitLogistic(drawSample(world, training, samples, stream.at(i)), { ridge: ridges });
    });
  },
};

const random: Family = {
  name: "random",
  description: "normal weights without training, turned so that ID accuracy is above chance",
  train({ world, training, count, seed }) {
    const stream = randomStream(seed, "simulate/family/weights");
    const components = componentsOf(world, training);
    const width = world.meanGeneral.length + world.meanSpurious.length;
    return Array.from({ length: count }, (_, i) => {
      const numbers = stream.at(i);
      const weights = Array.from({ length: width }, () => numbers.normal());
      return exactAccuracy(weights, components) >= 0.5 ? weights : weights.map((value) => -value);
    });
  },
};

export const families = new Registry<Family>("family of classifiers", [domains, sizes, reliance, random]);
