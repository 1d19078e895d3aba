/** What every method in the registry must do, on a network and images small enough to see it. */

import { describe, expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import { parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import { Executable } from "../../src/engine/executable.ts";
import { input } from "../../src/engine/expressions.ts";
import { topologicalOrder } from "../../src/engine/tensor.ts";
import { methods } from "../../src/methods/index.ts";
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

function programs(method: string, dataset: Dataset) {
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
