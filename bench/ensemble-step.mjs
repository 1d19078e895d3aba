/**
 * A step of the Last Layer Ensemble beside the passes that it consists of: all views of a batch through the network, which is a
 * step of ERM with as many images. In turns, on one thread; the ratio of medians, and the least and largest of rounds.
 *
 *   node bench/ensemble-step.mjs [rounds]
 */

import { Executable } from "../dist/src/engine/executable.js";
import { datasets } from "../dist/src/index.js";
import { resolveSpec } from "../dist/src/training/run-spec.js";
import { buildFirstStage } from "../dist/src/training/stages/first-stage.js";

const rounds = Number(process.argv[2] ?? 7);
const steps = 4;
const batch = 32;
const views = 3;
const dataset = await datasets
  .get("urban-cars")
  .build(
    { size: 64, count: { train: 400, val: 24, test: 24 }, backgrounds: { train: 6, val: 2, test: 2 } },
    0,
  );
const pixels = { mean: [0.5, 0.5, 0.5], deviation: [0.25, 0.25, 0.25] };

async function prepared(method, batchSize, model) {
  const spec = resolveSpec({ data: { identity: "bench" }, model, method: { name: method }, batchSize });
  const built = buildFirstStage(spec, dataset, { pixels });
  const executable = await Executable.compile(built.passes[0].program, { threads: 1 });
  const noise = () => Uint8Array.from({ length: batchSize * 64 * 64 * 3 }, (_, i) => (i * 2654435761) >>> 24);
  const places = Uint32Array.from({ length: batchSize }, (_, i) => i);
  const fed = { images: noise(), ...built.batches[0].feeds(places) };
  for (const name of Object.keys(built.stage.views ?? {})) fed[`view/${name}`] = noise();
  let step = 0;
  return {
    run: async () => {
      const start = performance.now();
      for (let i = 0; i < steps; i++)
        await executable.run({ ...fed, ...built.passes[0].scalars(step++) }, { state: built.state });
      return (performance.now() - start) / steps;
    },
    close: () => executable.close(),
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
for (const model of [{ name: "small-cnn" }, { name: "resnet18", options: { stem: "small", width: 8 } }]) {
  const [ensemble, passes] = [
    await prepared("last-layer-ensemble", batch, model),
    await prepared("erm", batch * views, model),
  ];
  for (const each of [ensemble, passes]) await each.run();
  const times = { ensemble: [], passes: [] };
  for (let round = 0; round < rounds; round++) {
    times.ensemble.push(await ensemble.run());
    times.passes.push(await passes.run());
  }
  const ratios = times.ensemble.map((ms, i) => ms / times.passes[i]);
  console.log(
    `${model.name}: ensemble ${median(times.ensemble).toFixed(1)} ms, its passes ${median(times.passes).toFixed(1)} ms, × ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} – ${Math.max(...ratios).toFixed(3)})`,
  );
  for (const each of [ensemble, passes]) await each.close();
}
