/** An ensemble in a graph is its formula; parts share nothing; a repair that helps nobody says so. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import type { Dataset } from "../../core/dataset.ts";
import { groupsOf } from "../../core/grouping.ts";
import { randomStream } from "../../core/random.ts";
import { datasets } from "../../datasets/index.ts";
import { input } from "../../engine/expressions.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { State } from "../../engine/state.ts";
import { initialise } from "../../engine/training/parameters.ts";
import { exportNetwork } from "../../models/export.ts";
import { models } from "../../models/index.ts";
import { Network } from "../../models/model.ts";
import { withEnsemble } from "../../models/onnx/ensemble-head.ts";
import { openModel } from "../../training/asked/open-model.ts";
import { changesOf, judged } from "./changes.ts";
import { parted, partSplits } from "./parts.ts";

const folder = temporaryFolder();
const settings = { size: 14, trainPerEnvironment: 150, environments: [0.1, 0.5], labelNoise: 0 };
const classNames = ["below 5", "5 or above"];
const model = join(folder, "random.onnx");
let bytes: Uint8Array;
let dataset: Dataset;

/** A network that was never trained: its features tell colours and something of shapes apart, its head neither. */
beforeAll(async () => {
  const definition = datasets.get("colored-mnist");
  dataset = await definition.build(definition.settings.parse(settings), 0);
  const options = { width: 8 };
  const network = new Network(models.get("small-cnn"), { classes: 2, mode: "evaluate", options });
  network.logits(input("images", [1, 14, 14, 3], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(3, key).at(0));
  const image = { height: 14, width: 14, channels: 3 };
  bytes = exportNetwork(models.get("small-cnn"), state, { classNames, image, options });
  writeFileSync(model, bytes);
});

test("an ensemble in the graph is Σ softmax(worth)·heads, for a network whose features are known", async () => {
  const network = await (await openModel({ model })).network!();
  const found = network.head!;
  const random = randomStream(1, "ensemble").at(0);
  const layer = (width: number) => ({
    weight: Float32Array.from({ length: width * found.inputs }, () => random.uniform() - 0.5),
    bias: Float32Array.from({ length: width }, () => random.uniform() - 0.5),
  });
  const [heads, worth] = [[layer(2), layer(2), layer(2)], layer(3)];
  const file = withEnsemble(bytes, found, { heads, worth });
  const images = [0, 5, 9, 40];
  const { images: set } = dataset;
  const pixels = new Uint8Array(images.length * 14 * 14 * 3);
  for (const [n, i] of images.entries()) pixels.set((await set.pixels(i)).data, n * 14 * 14 * 3);
  const ended = await (await openModel({ model, resize: 14 })).features!();
  const session = await ended.open({ threads: 1 });
  const features = await session.logits(pixels, images.length);
  await session.close();
  const opened = await OnnxModel.open("file", { output: "logits" }, file);
  const logits = await opened.run(pixels, [images.length, 14, 14, 3]);
  await opened.close();
  const linear = ({ weight, bias }: ReturnType<typeof layer>, row: number) =>
    Array.from(bias, (shift, c) => {
      let sum = shift;
      for (let i = 0; i < found.inputs; i++)
        sum += weight[c * found.inputs + i]! * features[row * found.inputs + i]!;
      return sum;
    });
  for (const row of images.keys()) {
    const raw = linear(worth, row).map(Math.exp);
    const total = raw.reduce((a, b) => a + b, 0);
    for (const c of [0, 1]) {
      const expected = heads.reduce((sum, head, k) => sum + (raw[k]! / total) * linear(head, row)[c]!, 0);
      expect(logits[2 * row + c]).toBeCloseTo(expected, 4);
    }
  }
});

test("parts have each group by its shares, and what belongs together is in one", () => {
  // Every three images belong together, of whatever group.
  const clusters = Uint32Array.from(dataset.labels, (_, i) => Math.floor(i / 3));
  const split = parted(dataset, { groups: ["color"], clusters, seed: 7 });
  expect(split.splits.names).toEqual(partSplits);
  for (let i = 0; i + 2 < clusters.length; i += 3)
    expect(new Set(split.splits.values.subarray(i, i + 3)).size).toBe(1);
  const alone = parted(dataset, { groups: ["color"], clusters: clusters.map((_, i) => i), seed: 7 });
  const { codes, sizes } = groupsOf(dataset, { by: ["class", "color"] });
  for (const [part, share] of [0.4, 0.2, 0.2, 0.2].entries())
    for (let code = 0; code < sizes.length; code++) {
      const own = [...codes.keys()].filter((i) => codes[i] === code && alone.splits.values[i] === part);
      expect(Math.abs(own.length - share * sizes[code]!)).toBeLessThanOrEqual(1);
    }
  expect(() =>
    parted(dataset, { groups: ["color"], clusters: new Uint32Array(dataset.images.count), seed: 0 }),
  ).toThrow(/too small for 4 parts/);
});

/** 100 images of each of two groups of one class each, of which so many are right. */
function changed(before: readonly number[], after: readonly number[]) {
  const labels = Uint16Array.from({ length: 200 }, (_, i) => Math.floor(i / 100));
  const made = groupsOf(
    {
      name: "made",
      labels,
      classNames: ["a", "b"],
      attributes: {},
      splits: { names: ["test"], values: new Uint8Array(200) },
    } as unknown as Dataset,
    { by: ["class"] },
  );
  const say = (right: readonly number[]) => ({
    indices: Uint32Array.from(labels.keys()),
    logits: Float32Array.from({ length: 400 }, (_, k) => {
      const [i, c] = [k >> 1, k & 1];
      const isRight = i % 100 < right[labels[i]!]!;
      return Number((c === labels[i]) === isRight);
    }),
  });
  return changesOf({ labels } as Dataset, made, [...labels.keys()], say(before), say(after)).changes;
}

const asked = { worst: "class a", moles: undefined, isChosen: true, chance: 0.5 };

test("improved is a rise of the worst group beyond chance that leaves more than guessing", () => {
  const changes = changed([40, 99], [80, 97]);
  expect(changes[0]).toMatchObject({
    group: "class a",
    images: 100,
    before: { value: 0.4 },
    after: { value: 0.8 },
  });
  expect(changes[0]!.change.value).toBeCloseTo(0.4, 10);
  expect(judged(changes, asked)).toMatchObject({ verdict: "improved" });
  expect(judged(changed([40, 99], [43, 99]), asked).verdict).toBe("nothing improved");
  // From always saying one class to guessing: the worst group rises, and nobody is helped.
  const guessing = judged(changed([0, 100], [50, 50]), asked);
  expect(guessing).toMatchObject({
    verdict: "nothing improved",
    reason: expect.stringContaining("may as well guess"),
  });
  expect(judged(changes, { ...asked, isChosen: false })).toMatchObject({
    verdict: "nothing improved",
    reason: expect.stringContaining("no head was better"),
  });
});
