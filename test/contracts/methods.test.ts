/** What every method in the registry must do, on a network and images small enough to see it. */

import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Dataset } from "../../src/core/dataset.ts";
import { parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import { Executable } from "../../src/engine/executable.ts";
import { add, full, input, mean, mul, stopGradient } from "../../src/engine/expressions.ts";
import { topologicalOrder } from "../../src/engine/tensor.ts";
import { defineMethod, type Method, methods } from "../../src/methods/index.ts";
import { buildPrograms } from "../../src/protocol/programs.ts";
import { resolveSpec } from "../../src/protocol/run-spec.ts";

const batchSize = 16;

async function handful(): Promise<{ dataset: Dataset; images: Uint8Array; labels: Int32Array }> {
  const definition = datasets.get("colored-mnist");
  const dataset = await definition.build(
    parseAssignments(definition.settings, [...definition.small, "size=14"]),
    0,
  );
  const pixels = [];
  for (let i = 0; i < batchSize; i++) pixels.push((await dataset.images.pixels(i)).data);
  return {
    dataset,
    images: Buffer.concat(pixels),
    labels: Int32Array.from(dataset.labels.subarray(0, batchSize)),
  };
}

function programs(method: string, dataset: Dataset, custom?: Method) {
  const spec = resolveSpec({
    data: { name: "colored-mnist", identity: "test" },
    model: { name: "mlp" },
    method: { name: method },
    optimiser: { rate: 0.01 },
    seed: 3,
  });
  return buildPrograms(spec, dataset, {
    batchSize,
    stepsPerEpoch: 1,
    pixels: { mean: [0, 0, 0], deviation: [1, 1, 1] },
    ...(custom === undefined ? {} : { method: custom }),
  });
}

async function losses(method: string, steps: number): Promise<number[]> {
  const { dataset, images, labels } = await handful();
  const built = programs(method, dataset);
  const { step, state } = built;
  const executable = await Executable.compile(step.program, { threads: 1 });
  const found: number[] = [];
  for (let i = 0; i < steps; i++) {
    const { loss } = await executable.run(
      { images: new Uint8Array(images), labels, ...step.scalars(i, built.rate(i)) },
      { state },
    );
    found.push(loss![0]!);
  }
  await executable.close();
  return found;
}

describe.each(methods.entries.map((method) => [method.name, method] as const))("%s", (name, method) => {
  test("is deterministic and finite, and learns a handful of images by heart", async () => {
    const first = await losses(name, 150);
    expect(first.every(Number.isFinite)).toBe(true);
    expect(first.at(-1)).toBeLessThan(0.1 * first[0]!);
    expect(await losses(name, 20)).toEqual(first.slice(0, 20));
  });

  test("reads no other labels than its supervision allows", async () => {
    const { dataset } = await handful();
    const { step } = programs(name, dataset);
    const fed = topologicalOrder([
      ...Object.values(step.program.outputs),
      ...Object.values(step.program.next ?? {}),
    ])
      .filter((node) => node.op.name === input("x", []).op.name)
      .map((node) => node.attributes as { name: string; role: string })
      .filter(({ role }) => role === "data")
      .map((attributes) => attributes.name);
    const allowed = /^(images|labels|adam\.(rate|epsilon))$/;
    if (method.supervision === "none") expect(fed.filter((feed) => !allowed.test(feed))).toEqual([]);
    expect(fed).toContain("images");
  });

  test("says what it is", () => {
    expect(method.title).not.toBe("");
    expect(method.paper).toMatch(/\d{4}/);
  });
});

describe("a method's own state", () => {
  const made = (build: Method["build"]) =>
    defineMethod({
      name: "made-up",
      title: "",
      paper: "",
      supervision: "none",
      settings: z.object({}),
      build,
    });

  test("begins as declared, moves as `next` says, and lives beside the weights", async () => {
    const { dataset, images, labels } = await handful();
    const runningMean = made(({ network, batch, state }) => {
      const loss = mean(batch.losses(network.logits(batch.images)));
      const average = state("average", full([1], 3));
      const steps = state("steps", [0, 10], [2, 1]);
      return {
        loss,
        next: { average: add(mul(average, 0.75), mul(stopGradient(loss), 0.25)), steps: add(steps, 1) },
      };
    });
    const { step, state, rate, weights } = programs("erm", dataset, runningMean);
    expect([...state.get("method/average")]).toEqual([3]);
    expect(weights.filter((name) => name.startsWith("method/"))).toEqual([]);
    const executable = await Executable.compile(step.program, { threads: 1 });
    let expected = 3;
    for (let i = 0; i < 4; i++) {
      const feeds = { images: new Uint8Array(images), labels, ...step.scalars(i, rate(i)) };
      expected = 0.75 * expected + 0.25 * (await executable.run(feeds, { state })).loss![0]!;
      // Float32 against float64.
      expect(Math.abs(state.get("method/average")[0]! - expected)).toBeLessThan(1e-6);
    }
    expect([...state.get("method/steps")]).toEqual([4, 14]);
    await executable.close();
  });

  test("is refused when updated undeclared, declared twice, or begun with what is not known", async () => {
    const { dataset } = await handful();
    const refused = (build: Method["build"]) => () => programs("erm", dataset, made(build));
    const loss = full([], 0);
    expect(refused(() => ({ loss, next: { q: loss } }))).toThrow(/"q" that it has not declared/);
    expect(
      refused(({ state }) => {
        state("q", [1]);
        return { loss: state("q", [1]) };
      }),
    ).toThrow(/"q" twice/);
    expect(refused(({ state, batch }) => ({ loss: state("q", batch.images) }))).toThrow(
      /no value for input "images"/,
    );
  });
});
