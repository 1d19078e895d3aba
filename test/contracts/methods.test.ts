/** What every method in the registry must be and read, by its first stage; method-runs.test.ts has whole runs. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Dataset } from "../../src/core/dataset.ts";
import { randomStream } from "../../src/core/random.ts";
import { parseAssignments, resolveSettings } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import { Executable } from "../../src/engine/executable.ts";
import { add, full, input, mean, mul, stopGradient } from "../../src/engine/expressions.ts";
import { topologicalOrder } from "../../src/engine/tensor.ts";
import {
  defineMethod,
  type Method,
  methods,
  type OnceContext,
  type OnlyStage,
  once,
  type Supervision,
  supervisionOf,
} from "../../src/methods/index.ts";
import { resolveSpec } from "../../src/training/run-spec.ts";
import { buildFirstStage, type FirstStage } from "../../src/training/stages/first-stage.ts";

const batchSize = 16;

/** ColoredMNIST with only the first sixteen images for training. */
async function handful(): Promise<Dataset> {
  const definition = datasets.get("colored-mnist");
  const dataset = await definition.build(
    parseAssignments(definition.settings, [...definition.small, "size=14"]),
    0,
  );
  const values = dataset.splits.values.map((_, i) => (i < batchSize ? 0 : 1));
  return { ...dataset, splits: { ...dataset.splits, values } };
}

function specOf(method: Pick<Method, "name" | "supervision">) {
  const explicit = supervisionOf(method, {}).groups === undefined ? {} : { explicit: ["color"] };
  return resolveSpec({
    data: { name: "colored-mnist", identity: "test" },
    model: { name: "mlp" },
    // Groups of one image cannot be halved, to choose among values by.
    method: {
      name: method.name,
      ...explicit,
      ...(method.name === "dfr" && { settings: { strengths: [1] } }),
    },
    optimiser: { rate: 0.01 },
    batchSize,
    seed: 3,
  });
}

function programs(method: Method, dataset: Dataset): FirstStage {
  return buildFirstStage(specOf(method), dataset, {
    pixels: { mean: [0, 0, 0], deviation: [1, 1, 1] },
    method,
  });
}

async function pixelsOf(dataset: Dataset, places: Iterable<number>): Promise<Uint8Array> {
  const pixels = [];
  for (const i of places) pixels.push((await dataset.images.pixels(i)).data);
  return new Uint8Array(Buffer.concat(pixels));
}

/** Does some steps as a run would, and returns each pass's loss. */
async function advance(built: FirstStage, dataset: Dataset, steps: number, first = 0): Promise<number[]> {
  const executables = await Promise.all(
    built.passes.map(({ program }) => Executable.compile(program, { threads: 1 })),
  );
  const found: number[] = [];
  for (let step = first; step < first + steps; step++) {
    const [{ sampler, feeds }] = built.batches as [(typeof built.batches)[0]];
    const places = sampler(step)(0);
    const images = await pixelsOf(dataset, places);
    const views = Object.keys(built.stage.views ?? {}).map((name) => [`view/${name}`, images]);
    const fed = { images, ...feeds(places), ...(Object.fromEntries(views) as Record<string, Uint8Array>) };
    for (const [i, pass] of built.passes.entries()) {
      const scalars = pass.scalars(step);
      const random = (key: string) => randomStream(3, key).at(step);
      const { loss } = await executables[i]!.run({ ...fed, ...scalars }, { state: built.state, random });
      found.push(loss![0]!);
    }
  }
  for (const executable of executables) await executable.close();
  return found;
}

/** Names of the data that a run's programs read. */
function readBy({ passes }: FirstStage): string[] {
  const results = passes.flatMap(({ program: { outputs, next = {} } }) => [
    ...Object.values(outputs),
    ...Object.values(next),
  ]);
  return topologicalOrder(results)
    .filter((node) => node.op.name === input("x", []).op.name)
    .map((node) => node.attributes as { name: string; role: string })
    .filter(({ role }) => role === "data")
    .map(({ name }) => name);
}

/** The same images with the labels of all cues turned round. */
function withOtherCues(dataset: Dataset): Dataset {
  const turned = Object.entries(dataset.attributes).map(([name, attribute]) => [
    name,
    { ...attribute, values: attribute.values.map((value, i) => (i % 3 === 0 ? value : 0)) },
  ]);
  return { ...dataset, attributes: Object.fromEntries(turned) as Dataset["attributes"] };
}

const page = readFileSync(join(import.meta.dirname, "../../docs/methods.md"), "utf8");

describe.each(methods.entries.map((method) => [method.name, method] as const))("%s", (name, method) => {
  test("docs/methods.md has a row for it", () => {
    expect(page.split("\n").some((line) => line.startsWith(`| \`${name}\` |`))).toBe(true);
  });

  test("reads no other labels than its supervision allows", async () => {
    const dataset = await handful();
    const built = programs(method, dataset);
    const cueLabels = /^(groups|bias)$/;
    const read = readBy(built);
    const fed = Object.keys(built.batches[0]!.feeds(Uint32Array.from({ length: batchSize })));
    expect(read).toContain("images");
    // Autoencoders learn without classes before they are told them.
    expect(read.includes("labels")).toBe(!name.endsWith("vae"));
    const known = /^(images|view\/.*|labels|indices|groups|bias|(pass \d\/)?(1\/)?adam\..*)$/;
    expect(read.filter((data) => !known.test(data))).toEqual([]);
    if (supervisionOf(method, {}).groups !== undefined) return;
    expect([...read, ...fed].filter((data) => cueLabels.test(data))).toEqual([]);
    const other = withOtherCues(dataset);
    const losses = await advance(built, dataset, 3);
    expect(await advance(programs(method, other), other, 3)).toEqual(losses);
  });

  test("says what it is, and its presets and search ranges are settings that it takes", () => {
    expect(method.title).not.toBe("");
    expect(method.paper).toMatch(/\d{4}/);
    const presets = Object.keys(method.presets);
    expect(
      presets.length,
      "a preset: values that a paper, or a search, has found, with the source",
    ).toBeGreaterThan(0);
    for (const { settings, source } of Object.values(method.presets)) {
      resolveSettings(method.settings, settings);
      expect(source).toMatch(/\d{4}|section \d/);
    }
    for (const [setting, values] of Object.entries(method.search)) {
      for (const value of values!) resolveSettings(method.settings, { [setting]: value });
    }
  });
});

describe("supervision", () => {
  const asking = (supervision: Supervision, ask: (context: OnceContext<unknown>) => unknown) =>
    made((context) => {
      ask(context);
      return { loss: mean(context.batch.losses(context.network.logits(context.batch.inputs))) };
    }, supervision);

  test.each([
    ["groups", ({ batch }: OnceContext<unknown>) => batch.groups],
    ["bias labels", ({ batch }: OnceContext<unknown>) => batch.bias],
    ["environments", ({ batch }: OnceContext<unknown>) => batch.environments(2)],
    ["groups", ({ training }: OnceContext<unknown>) => training.groupSizes],
    ["values of cues", ({ training }: OnceContext<unknown>) => training.biasCount],
  ])("a method that may not see them gets no %s", async (what, ask) => {
    const dataset = await handful();
    for (const supervision of [{}, { trainsOnVal: true }, { sides: ["mask"] }] satisfies Supervision[]) {
      expect(() => programs(asking(supervision, ask), dataset)).toThrow(
        `asks for ${what}, which its supervision does not allow`,
      );
    }
  });

  test("what a method may see but does not ask for is not fed either", async () => {
    const dataset = await handful();
    const built = programs(
      asking({ groups: ["train"] }, () => {}),
      dataset,
    );
    expect(Object.keys(built.batches[0]!.feeds(Uint32Array.of(0)))).toEqual(["labels"]);
  });
});

type Build = OnlyStage<Record<string, unknown>>["build"];

function made(build: Build, supervision: Supervision = {}): Method {
  return defineMethod({
    name: "made-up",
    version: 1,
    title: "",
    paper: "",
    supervision,
    settings: z.object({}),
    search: {},
    presets: {},
    stages: once({ build }),
  });
}

describe("a method's own state", () => {
  test("begins as declared, moves as `next` says, and lives beside the weights", async () => {
    const dataset = await handful();
    const runningMean = made(({ network, batch, state }) => {
      const loss = mean(batch.losses(network.logits(batch.inputs)));
      const average = state("average", full([1], 3));
      const steps = state("steps", [0, 10], [2, 1]);
      return {
        loss,
        next: { average: add(mul(average, 0.75), mul(stopGradient(loss), 0.25)), steps: add(steps, 1) },
      };
    });
    const built = programs(runningMean, dataset);
    const { state, weights } = built;
    expect([...state.get("method/average")]).toEqual([3]);
    expect(weights.filter((name) => name.startsWith("method/"))).toEqual([]);
    let expected = 3;
    for (let i = 0; i < 4; i++) {
      const [loss] = await advance(built, dataset, 1, i);
      expected = 0.75 * expected + 0.25 * loss!;
      // Float32 against float64.
      expect(Math.abs(state.get("method/average")[0]! - expected)).toBeLessThan(1e-6);
    }
    expect([...state.get("method/steps")]).toEqual([4, 14]);
  });

  test("is refused when updated undeclared, declared twice, or begun with what is not known", async () => {
    const dataset = await handful();
    const refused = (build: Build) => () => programs(made(build), dataset);
    const loss = full([], 0);
    expect(refused(() => ({ loss, next: { q: loss } }))).toThrow(/"q" that it has not declared/);
    expect(
      refused(({ state }) => {
        state("q", [1]);
        return { loss: state("q", [1]) };
      }),
    ).toThrow(/"q" twice/);
    expect(refused(({ state, batch }) => ({ loss: state("q", batch.inputs) }))).toThrow(
      /no value for input "images"/,
    );
  });
});

test("updates made together are one program, with the weights that were there, and must move different things", async () => {
  const dataset = await handful();
  const followed = (moves: readonly string[]) =>
    made(({ network, batch, own }) => {
      const one = own.parameter("one", [1], () => Float32Array.of(2));
      const loss = mean(batch.losses(network.logits(batch.inputs)));
      return {
        loss: mul(loss, one),
        moves: ["network"],
        further: [{ loss: mean(mul(mul(one, one), stopGradient(loss))), moves, together: true as const }],
      };
    });
  const built = programs(followed(["one"]), dataset);
  expect(built.passes).toHaveLength(1);
  expect(new Set(built.passes[0]!.moved).size).toBe(built.passes[0]!.moved.length);
  expect(built.passes[0]!.moved).toContain("branch/one");
  await advance(built, dataset, 1);
  // Adam's first step is its rate, downhill.
  expect(built.state.get("branch/one")[0]).toBeCloseTo(2 - 0.01, 5);
  expect(() => programs(followed(["network", "one"]), dataset)).not.toThrow();
  const both = made(({ network, batch }) => {
    const loss = mean(batch.losses(network.logits(batch.inputs)));
    return { loss, further: [{ loss: mul(loss, 2), together: true as const }] };
  });
  expect(() => programs(both, dataset)).toThrow(/made together with the one before it, and both move "/);
});

test("a parameter that no update would move is an error that names it", async () => {
  const dataset = await handful();
  const idle = made(({ network, batch, own }) => {
    const unused = own.parameter("unused", [2], () => Float32Array.of(0, 0));
    const logits = add(network.logits(batch.inputs), stopGradient(unused));
    return { loss: mean(batch.losses(logits)) };
  });
  expect(() => programs(idle, dataset)).toThrow(/loss does not depend on "branch\/unused"/);
});
