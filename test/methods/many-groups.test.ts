/** Seven explicit cues: a hundred million nominal groups, as many occupied ones as there are images. */

import { describe, expect, test } from "vitest";
import type { Attribute, Dataset } from "../../src/core/dataset.ts";
import { randomStream } from "../../src/core/random.ts";
import { Executable } from "../../src/engine/executable.ts";
import { methods, supervisionOf } from "../../src/methods/index.ts";
import { resolveSpec } from "../../src/training/run-spec.ts";
import { buildFirstStage } from "../../src/training/stages/first-stage.ts";

const batchSize = 128;
const cues = ["a", "b", "c", "d", "e", "f", "g"];

/** Cues are uniform, so that hardly two images share a group. */
function manyGroups(count: number): Dataset {
  const values = (purpose: string) => {
    const random = randomStream(0, purpose).at(0);
    return Uint16Array.from({ length: count }, () => random.integer(10));
  };
  const valueNames = Array.from({ length: 10 }, (_, i) => String(i));
  const attribute = (cue: string): Attribute => ({ values: values(cue), valueNames, role: "cue" });
  return {
    name: "many groups",
    images: { count, shape: { height: 1, width: 8, channels: 1 } },
    labels: values("label"),
    classNames: valueNames,
    attributes: Object.fromEntries(cues.map((cue) => [cue, attribute(cue)])),
    splits: { names: ["train"], values: new Uint8Array(count) },
  } as unknown as Dataset;
}

/** Groups of one image cannot be halved, to choose among values by. */
const settings: Record<string, Record<string, unknown>> = { dfr: { strengths: [1] } };

/** Processor time to group, build, compile and do ten steps, and what was found on the way. */
async function cost(method: string, dataset: Dataset) {
  const images = new Uint8Array(batchSize * 8).map((_, i) => i * 37);
  const start = process.cpuUsage();
  const explicit = supervisionOf(methods.get(method), {}).groups !== undefined ? { explicit: cues } : {};
  const spec = resolveSpec({
    data: { identity: "test" },
    model: { name: "mlp", options: { width: 8, depth: 1 } },
    method: { name: method, settings: settings[method] ?? {}, ...explicit },
    batchSize,
  });
  const built = buildFirstStage(spec, dataset, { pixels: { mean: [0], deviation: [1] } });
  const executables = await Promise.all(
    built.passes.map(({ program }) => Executable.compile(program, { threads: 1 })),
  );
  const losses: number[] = [];
  const [{ sampler, feeds }] = built.batches as [(typeof built.batches)[0]];
  const placesAt = sampler(0);
  for (let step = 0; step < 10; step++) {
    const places = placesAt(step);
    const views = Object.keys(built.stage.views ?? {}).map((name) => [`view/${name}`, images]);
    const fed = { ...feeds(places), ...(Object.fromEntries(views) as Record<string, Uint8Array>) };
    for (const [i, pass] of built.passes.entries()) {
      const scalars = pass.scalars(step);
      const random = (key: string) => randomStream(0, key).at(step);
      const { loss } = await executables[i]!.run(
        { images, ...fed, ...scalars },
        { state: built.state, random },
      );
      losses.push(loss![0]!);
    }
  }
  for (const executable of executables) await executable.close();
  const { user, system } = process.cpuUsage(start);
  return { spent: user + system, losses, notes: built.notes };
}

const [few, many] = [manyGroups(3_000), manyGroups(30_000)];

describe.each(methods.names)("%s", (method) => {
  test("ten times the groups cost about ten times as much, not a hundred", { timeout: 60_000 }, async () => {
    await cost(method, few);
    const [small, large] = [await cost(method, few), await cost(method, many)];
    expect(large.losses.every(Number.isFinite)).toBe(true);
    if (supervisionOf(methods.get(method), {}).groups !== undefined) {
      // 30,000 draws of 10⁸ meet 30,000² / 2·10⁸ = 4.5 times.
      expect(large.notes[0]).toMatch(/^29,9\d\d groups of class × a × b × c × d × e × f × g/);
    }
    // Quadratic growth would be a factor of 100.
    expect(large.spent / small.spent).toBeLessThan(35);
  });
});
