/** Autoencoders and the lens over four steps against PyTorch: losses, terms, weights, and the pictures that their models show. */

import { expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import { Executable } from "../../src/engine/executable.ts";
import { input } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { State } from "../../src/engine/state.ts";
import { permuted } from "../../src/methods/factor-vae.ts";
import { type Method, methods } from "../../src/methods/index.ts";
import { resolveSpec } from "../../src/training/run-spec.ts";
import { buildFirstStage } from "../../src/training/stages/first-stage.ts";
import { MethodData } from "../../src/training/stages/method-data.ts";
import { predictionOf, RunNetwork } from "../../src/training/stages/run-network.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { storedReference } from "../helpers/reference.ts";

interface Summary {
  norm: number;
  probe: number;
  first: number[];
}

interface Reference {
  losses: number[];
  terms: number[][];
  weights: Record<string, Summary>;
  codes?: number[];
  reconstruction?: Summary;
  predicted?: number[];
  lens?: Summary;
}

/** Made by torch_picture_methods.py, whose header says how. */
const references = storedReference<Record<string, Reference>>("torch_picture_methods");

const [height, width, channels, count, batchSize, steps] = [41, 33, 3, 12, 4, 4];
const size = height * width * channels;
const pictures = Uint8Array.from(hashUniform(count * size, 600), (value) => value * 256);
const dataset = {
  images: { count, shape: { height, width, channels } },
  labels: Uint16Array.from(hashUniform(count, 1), (value) => value * 3),
  classNames: ["a", "b", "c"],
  attributes: {},
  splits: { names: ["train"], values: new Uint8Array(count) },
} as unknown as Dataset;

const encoder = { name: "vae-encoder", options: { width: 4, dense: 6 } };
const codes = { latent: 3, decoderWidth: 4 };
const factor = { ...codes, discriminatorWidth: 5, discriminatorRate: 1e-3 };
const classifier = { name: "small-cnn", options: { width: 4 } };
const lens = { lensWidth: 8, lensDepth: 2, lensRate: 1e-3 };

const sgd = (rate: number) => ({ name: "sgd" as const, rate, momentum: 0 });
const cases = [
  { name: "vae", method: "vae", model: encoder, settings: codes, optimiser: sgd(1e-5) },
  {
    name: "vae, adam",
    method: "vae",
    model: encoder,
    settings: codes,
    optimiser: { name: "adam" as const, rate: 1e-3 },
  },
  {
    name: "beta-vae",
    method: "beta-vae",
    model: encoder,
    settings: { ...codes, beta: 6 },
    optimiser: sgd(1e-5),
  },
  { name: "factor-vae", method: "factor-vae", model: encoder, settings: factor, optimiser: sgd(1e-5) },
  {
    name: "factor-vae, second batch",
    method: "factor-vae",
    model: encoder,
    settings: { ...factor, permuted: "second-batch" },
    optimiser: sgd(1e-5),
  },
  { name: "lens", method: "lens", model: classifier, settings: lens, optimiser: sgd(0.02) },
  {
    name: "lens, sum",
    method: "lens",
    model: classifier,
    settings: {
      ...lens,
      difference: "sum",
      predict: "without-lens",
      adversarialWeight: 3,
      reconstructionWeight: 0.01,
    },
    optimiser: sgd(0.02),
  },
];

/** Where the noise of a stream begins; the step is added. */
const salts: Record<string, number> = {
  "method/codes/normal": 900,
  "method/permutations/uniform": 950,
  "method/second codes/normal": 1000,
};

/** Equal to a stored number, by the size of what it stands among: float32 against float64, over four steps. */
const tolerance = 2e-5;
/** Of pictures after steps of Adam, which moves a weight whose gradient is a rounding error by up to its rate, 1e-3. */
const afterAdam = 5e-4;

function expectClose(
  actual: ArrayLike<number>,
  expected: readonly number[],
  what: string,
  within = tolerance,
): void {
  const scale = Math.max(1, ...expected.map(Math.abs));
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(actual[i]! - value) / scale, what).toBeLessThan(within);
}

function expectDescribed(
  values: Float32Array,
  { norm, probe, first }: Summary,
  salt: number,
  what: string,
  within?: number,
) {
  const along = hashUniform(values.length, salt + 1000);
  const found = [
    Math.hypot(...values),
    values.reduce((total, value, i) => total + value * (2 * along[i]! - 1), 0),
  ];
  // Rounding errors of many numbers add up along the projection.
  expectClose(
    found.map((value) => value / Math.max(1, norm)),
    [norm, probe].map((value) => value / Math.max(1, norm)),
    what,
    within,
  );
  expectClose(values.subarray(0, first.length), first, what, within);
}

/** As the reference fills them, in the order of their names. */
function firstValues(length: number, shape: readonly number[], name: string, salt: number): Float32Array {
  const scale = shape.length > 1 ? Math.sqrt(3 / (length / shape[0]!)) : 0.2;
  const centre = shape.length === 1 && name.endsWith("weight") ? 1 : 0;
  return hashUniform(length, salt + 1).map(
    (value) => (2 * value - 1) * scale + centre,
  ) as unknown as Float32Array;
}

test.each(cases)("$name does to the weights what PyTorch says", async (given) => {
  const { name, method: methodName, model, settings, optimiser } = given;
  const reference = references[name]!;
  const method = methods.get(methodName) as Method;
  const spec = resolveSpec({
    data: { identity: "test" },
    model,
    method: { name: methodName, settings },
    optimiser,
    batchSize,
  });
  const built = buildFirstStage(spec, dataset, { pixels: undefined });
  const { state, passes, parameters, columns } = built;
  // The classifier's head is read from no code here; a stage without labels has none.
  const names = parameters.map((parameter) => parameter.name).sort();
  expect(names.map(dotted).sort()).toEqual(Object.keys(reference.weights).sort());
  const salt = new Map(
    Object.keys(reference.weights)
      .sort()
      .map((key, i) => [key, i]),
  );
  for (const { name: key, tensor } of parameters)
    state.set(key, firstValues(state.get(key).length, tensor.shape, key, salt.get(dotted(key))!));

  const shown = shownBy(method, spec);
  if (reference.predicted !== undefined)
    expectClose((await shown(state)).logits!, reference.predicted, "predicted");

  const executables = await Promise.all(
    passes.map(({ program }) => Executable.compile(program, { threads: 1 })),
  );
  for (let step = 0; step < steps; step++) {
    const places = [0, 3].map((shift) =>
      Uint32Array.from({ length: batchSize }, (_, i) => (5 * step + 7 * i + shift) % count),
    );
    const fed = Object.assign(
      {},
      ...built.batches.map(({ prefix, feeds }, i) => ({
        ...feeds(places[i]!),
        [`${prefix}images`]: taken(places[i]!),
      })),
    ) as Record<string, Uint8Array>;
    expect(passes).toHaveLength(1);
    const found = await executables[0]!.run(
      { ...fed, ...passes[0]!.scalars(step) },
      { state, random: (key) => streamOf(salts[key]! + step) },
    );
    expectClose(found.loss!, [reference.losses[step]!], `loss of step ${step}`);
    for (const [i, column] of columns.entries())
      expectClose(found[`column/${column}`]!, [reference.terms[step]![i]!], `${column} of step ${step}`);
  }
  for (const executable of executables) await executable.close();
  for (const { name: key } of parameters)
    expectDescribed(state.get(key), reference.weights[dotted(key)]!, salt.get(dotted(key))!, key);

  const { codes: means, reconstruction, lens: through } = await shown(state);
  if (reference.codes !== undefined) expectClose(means!, reference.codes, "codes");
  if (reference.reconstruction !== undefined)
    expectDescribed(reconstruction!, reference.reconstruction, 0, "reconstruction");
  if (reference.lens !== undefined) expectDescribed(through!, reference.lens, 0, "lens", afterAdam);
});

/** PyTorch's modules lie within each other by dots. */
function dotted(name: string): string {
  return name.replaceAll("/", ".");
}

function taken(places: Uint32Array): Uint8Array {
  return Uint8Array.from(
    { length: places.length * size },
    (_, i) => pictures[places[Math.floor(i / size)]! * size + (i % size)]!,
  );
}

function streamOf(salt: number) {
  const values = hashUniform(4096, salt).values();
  return { normal: () => values.next().value! * 2 - 1, uniform: () => values.next().value! };
}

/** What the run's model says and shows of the first two pictures. */
function shownBy(method: Method, spec: ReturnType<typeof resolveSpec>) {
  const data = new MethodData(method, spec, dataset);
  const network = new RunNetwork(spec, 3, undefined);
  const seen = input("images", [2, height, width, channels], "byte");
  const { logits, shown } = predictionOf(network, data, seen, "images");
  // An autoencoder's classes are learnt by its second stage.
  const outputs = method.name === "lens" ? { logits, ...shown } : shown;
  return async (state: State): Promise<Record<string, Float32Array>> => {
    const executable = await Executable.compile({ outputs }, { threads: 1 });
    const kept = new State();
    for (const key of executable.stateNames) kept.set(key, state.get(key));
    const found = await executable.run({ images: pictures.subarray(0, 2 * size) }, { state: kept });
    await executable.close();
    return found as Record<string, Float32Array>;
  };
}

test("codes are permuted by the ranks of draws, each number by its own, and equal draws keep their order", () => {
  const rows = input("rows", [4, 2]);
  const draws = input("draws", [2, 4]);
  const [found] = interpret([permuted(rows, draws)], {
    rows: [10, 1, 20, 2, 30, 3, 40, 4],
    draws: [0.4, 0.1, 0.3, 0.2, 0.5, 0.5, 0.5, 0.5],
  });
  // Ranks 3, 0, 2, 1 of the first number; 0, 1, 2, 3 of the second.
  expect([...found!]).toEqual([40, 1, 10, 2, 30, 3, 20, 4]);
});
