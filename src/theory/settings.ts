/** The settings of appendix B and figure 2: which domain is trained on, and on which others the classifiers are tried. */

import { randomStream } from "../core/random.ts";
import { Registry } from "../core/registry.ts";
import { type Domain, shifted, type World } from "./domain.ts";
import { scaled, scaledIdentity } from "./matrix.ts";
import { type NamedShift, positiveDefinite, shiftKinds } from "./shifts.ts";

export interface NamedDomain {
  name: string;
  domain: Domain;
}

interface SettingOptions {
  world: World;
  /** How many test domains. */
  count: number;
  /** Name of a way of drawing shifts. */
  draw: string;
  size: number;
  seed: number;
}

export interface Setting {
  name: string;
  title: string;
  figure: string;
  training(options: SettingOptions): Domain;
  tests(options: SettingOptions, training: Domain): NamedDomain[];
}

/** As many Gaussians as the paper mixes. */
const mixed = 4;

const gaussian: Setting = {
  name: "gaussian",
  title: "Gaussian training domain, M = I",
  figure: "figure 2a",
  training: ({ world }) => shifted(scaledIdentity(world.meanSpurious.length)),
  tests: drawnDomains,
};

const mixture: Setting = {
  name: "mixture",
  title: "training domain mixed of four positive definite M; test domains are others",
  figure: "figure 2b",
  training: (options) =>
    Array.from({ length: mixed }, (_, i) => ({ weight: 1 / mixed, shift: trainingShift(i, options) })),
  tests: drawnDomains,
};

const interpolation: Setting = {
  name: "interpolation",
  title: "training domain mixed of two M and their negatives; test domains mix the same four otherwise",
  figure: "figure 2c",
  training: (options) =>
    Array.from({ length: mixed }, (_, i) => ({
      weight: 1 / mixed,
      shift: scaled(trainingShift(Math.floor(i / 2), options), i % 2 === 0 ? 1 : -1),
    })),
  tests({ count, seed }, training) {
    const stream = randomStream(seed, "simulate/mixtures");
    return Array.from({ length: count }, (_, i) => {
      const random = stream.at(i);
      // Uniform over all mixtures: exponential numbers over their sum.
      const draws = training.map(() => random.gamma(1));
      const total = draws.reduce((a, b) => a + b);
      return {
        name: `mix ${i + 1}`,
        domain: training.map(({ shift }, k) => ({ shift, weight: draws[k]! / total })),
      };
    });
  },
};

export const settings = new Registry<Setting>("setting", [gaussian, mixture, interpolation]);

export function namedDomains(shifts: readonly NamedShift[]): NamedDomain[] {
  return shifts.map(({ name, shift }) => ({ name, domain: shifted(shift) }));
}

function drawnDomains({ world, count, draw, size, seed }: SettingOptions): NamedDomain[] {
  const stream = randomStream(seed, "simulate/shifts");
  return namedDomains(
    shiftKinds.get(draw).draw({ count, dimensions: world.meanSpurious.length, size, stream }),
  );
}

function trainingShift(index: number, { world, size, seed }: SettingOptions) {
  const stream = randomStream(seed, "simulate/training");
  return positiveDefinite(index, { dimensions: world.meanSpurious.length, size, stream });
}
