/** Training runs of small networks within the process, for benches that need hundreds of them. */

import type { Dataset } from "../src/core/dataset.ts";
import { Executable } from "../src/engine/executable.ts";
import { State } from "../src/engine/state.ts";
import type { PixelStatistics } from "../src/models/pixels.ts";
import { type RunSpecInput, resolveSpec } from "../src/training/run-spec.ts";
import { buildFirstStage } from "../src/training/stages/first-stage.ts";

interface SmallRun {
  spec: RunSpecInput;
  /** Labels, splits and shape: what training wants to know of images beside their pixels. */
  dataset: Dataset;
  /** Pixels at these places, one image after the other. */
  imagesAt: (places: ArrayLike<number>) => Uint8Array;
  steps: number;
  pixels: PixelStatistics;
}

const compiled = new Map<string, Promise<Executable[]>>();

/** From first to last step: the weights, and the program that predicts with them. Runs of one `kind` differ in data and seed alone. */
export async function trainSmall(
  kind: string,
  { spec: given, dataset, imagesAt, steps, pixels }: SmallRun,
): Promise<{ weights: State; predict: Executable }> {
  const spec = resolveSpec(given);
  const { passes, batches, state, plan, evaluate, weights } = buildFirstStage(spec, dataset, { pixels });
  // Programs of such runs are equal: first weights and the order of images are not in them.
  if (!compiled.has(kind)) {
    const programs = [passes[0]!.program, evaluate];
    compiled.set(kind, Promise.all(programs.map((program) => Executable.compile(program, { threads: 1 }))));
  }
  const [update, predict] = await compiled.get(kind)!;
  const { sampler, feeds } = batches[0]!;
  for (let step = 0; step < steps; step++) {
    const places = sampler(Math.floor(step / plan.stepsPerEpoch))(step % plan.stepsPerEpoch);
    const images = imagesAt(places);
    await update!.run({ images, ...feeds(places), ...passes[0]!.scalars(step) }, { state });
  }
  const kept = new State();
  for (const key of weights) kept.set(key, state.get(key));
  return { weights: kept, predict: predict! };
}
