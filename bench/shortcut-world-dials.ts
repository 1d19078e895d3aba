/**
 * Does a small network take what is planted? By the size of images and of things, by how dark it is, and by the share that is planted:
 *
 *   npm run bench:shortcut-world-dials -- --side 32 --thing 22 --dusk 0.6 --watermark 0.9 --seeds 10,11
 *
 * Seeds below 1,000 are for this alone; the bench of audits has others.
 */

import { parseArgs } from "node:util";
import type { Dataset } from "../src/core/dataset.ts";
import { OnnxModel } from "../src/engine/onnx-model.ts";
import { saidOf, takenBy, trainedOn } from "./shortcut-network.ts";
import { drawShortcutWorld, frozenDials } from "./shortcut-world.ts";

const { values } = parseArgs({
  options: {
    side: { type: "string", default: String(frozenDials.side) },
    thing: { type: "string", default: String(frozenDials.thingSide) },
    dusk: { type: "string", default: String(frozenDials.dusk) },
    watermark: { type: "string", default: "0" },
    background: { type: "string", default: "0.25" },
    steps: { type: "string", default: "800" },
    seeds: { type: "string", default: "10" },
  },
});
const dials = { side: Number(values.side), thingSide: Number(values.thing), dusk: Number(values.dusk) };
const planted = { watermark: Number(values.watermark), background: Number(values.background) };

for (const seed of values.seeds.split(",").map(Number)) {
  const { train, test } = await drawShortcutWorld(seed, planted, dials);
  const onnx = await trainedOn(train, seed, Number(values.steps));
  const network = await OnnxModel.open("network", { output: "logits", threads: 1 }, onnx);
  const training = await saidOf(network, train);
  const { mark, scene } = await takenBy(network, test);
  const marked = (with_: number) => (i: number) =>
    train.labels[i] === 0 && train.attributes.watermark!.values[i] === with_;
  const right = async (data: Dataset) => {
    const said = await saidOf(network, data);
    return share(said.filter((one, i) => one === data.labels[i]).length / said.length);
  };
  const ofTraining = (among: (i: number) => boolean) => {
    const chosen = training.map((_, i) => i).filter(among);
    return share(chosen.filter((i) => training[i] === train.labels[i]).length / chosen.length);
  };
  console.log(
    `seed ${seed}: ${ofTraining(() => true)} of training images right (of the marked class ${ofTraining(marked(1))} with the mark and ` +
      `${ofTraining(marked(0))} without), ${await right(test)} of test images; the mark turns ${share(mark)} more of the others to its class; ` +
      `the own scene is worth ${share(scene)}`,
  );
  await network.close();
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}
