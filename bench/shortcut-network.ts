/** The small network that benches of audits train on the shortcut world: as a file that an audit opens, and what it says. */

import type { Dataset, Pixels } from "../src/core/dataset.ts";
import type { OnnxModel } from "../src/engine/onnx-model.ts";
import { exportNetwork } from "../src/models/export.ts";
import { models } from "../src/models/index.ts";
import { withPlantedMark } from "./shortcut-world.ts";
import { trainSmall } from "./train-small.ts";

export async function trainedOn(train: Dataset, seed: number, steps = 800): Promise<Uint8Array> {
  const [name, options] = ["small-cnn", { width: 12 }];
  const { shape } = train.images;
  const pixels = { mean: [0.5, 0.5, 0.5], deviation: [0.25, 0.25, 0.25] };
  const { weights } = await trainSmall(`shortcut-world ${shape!.height} ${steps}`, {
    spec: {
      data: { identity: "shortcut-world" },
      model: { name, options },
      method: { name: "erm" },
      optimiser: { rate: 0.003 },
      batchSize: 32,
      seed,
    },
    dataset: train,
    imagesAt: (places) => {
      const size = shape!.height * shape!.width * shape!.channels;
      const taken = new Uint8Array(places.length * size);
      for (let i = 0; i < places.length; i++) {
        const { data } = train.images.pixels(places[i]!) as { data: Uint8Array };
        taken.set(data, i * size);
      }
      return taken;
    },
    steps,
    pixels,
  });
  return exportNetwork(models.get(name), weights, {
    classNames: train.classNames,
    image: shape!,
    options,
    pixels,
  });
}

/** The class that is said of each image, as it is or changed. */
export async function saidOf(
  network: OnnxModel,
  { images, classNames }: Dataset,
  change: (image: Pixels) => Pixels = (image) => image,
): Promise<number[]> {
  const { height, width, channels } = images.shape!;
  const size = height * width * channels;
  const all = new Uint8Array(images.count * size);
  for (let i = 0; i < images.count; i++) all.set(change(images.pixels(i) as Pixels).data, i * size);
  const logits = await network.run(all, [images.count, height, width, channels]);
  const classes = classNames.length;
  return Array.from({ length: images.count }, (_, i) => {
    const row = logits.subarray(i * classes, (i + 1) * classes);
    return row.indexOf(Math.max(...row));
  });
}

/** What a network has taken of what was planted, measured on test images without any audit. */
export interface Taken {
  /** Of the images of other classes, how many more are said to be of the marked class with the mark. */
  mark: number;
  /** Accuracy before the scene of the own class less that before others. */
  scene: number;
}

export async function takenBy(network: OnnxModel, test: Dataset): Promise<Taken> {
  const { labels, attributes } = test;
  const plain = await saidOf(network, test);
  const marked = await saidOf(network, test, withPlantedMark);
  const shareOf = (among: (i: number) => boolean, is: (i: number) => boolean) => {
    const chosen = plain.map((_, i) => i).filter(among);
    return chosen.filter(is).length / chosen.length;
  };
  const isOther = (i: number) => labels[i] !== 0;
  const isRight = (i: number) => plain[i] === labels[i];
  const agrees = (i: number) => attributes.scene!.values[i] === labels[i];
  return {
    mark: shareOf(isOther, (i) => marked[i] === 0) - shareOf(isOther, (i) => plain[i] === 0),
    scene: shareOf(agrees, isRight) - shareOf((i) => !agrees(i), isRight),
  };
}
