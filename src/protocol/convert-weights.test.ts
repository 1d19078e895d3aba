import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { models } from "../models/index.ts";
import { wantedTensors } from "../models/weights/network-shape.ts";
import { decodeSafetensors, encodeSafetensors, listSafetensors } from "../store/safetensors.ts";
import { convertWeights } from "./convert-weights.ts";
import type { NetworkAbout } from "./weights-about.ts";

const root = temporaryFolder();
const about: NetworkAbout = {
  model: "convnext-tiny",
  options: { stem: "small", width: 4, blocks: "1,1,1,1" },
  classNames: ["a", "b"],
  image: { height: 16, width: 16, channels: 3 },
  pixels: { mean: [0, 0, 0], deviation: [1, 1, 1] },
};
const tensors = new Map(
  wantedTensors(models.get(about.model), { ...about, classes: 2 }).map(({ name, shape }, i) => [
    name,
    { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => i + k / 1000) },
  ]),
);
const own = join(root, "own.safetensors");
writeFileSync(own, encodeSafetensors({ tensors, metadata: { cuelab: JSON.stringify(about) } }));

test("to timm's names and shapes, and back to the same numbers", async () => {
  const [timm, back] = [join(root, "timm.safetensors"), join(root, "back.safetensors")];
  expect(await convertWeights(own, { names: "timm", out: timm, force: false })).toMatchObject({
    model: "convnext-tiny",
    tensors: tensors.size,
  });
  const listed = (await listSafetensors(timm)).tensors;
  expect(listed.get("stages.0.blocks.0.gamma")!.shape).toEqual([4]);
  expect(listed.get("head.fc.weight")!.shape).toEqual([2, 32]);
  await convertWeights(timm, { names: "torchvision", out: back, force: false });
  const returned = decodeSafetensors(readFileSync(back), back).tensors;
  expect(returned).toEqual(tensors);
});

test.each([
  [own, "lucidrains", /lucidrains has no names for model "convnext-tiny"[\s\S]*own, torchvision, timm/],
  [
    resolve(import.meta.dirname, "../../test/references/weights/vit-timm.safetensors"),
    "own",
    /no network is known that these weights belong to/,
  ],
  [join(root, "nowhere"), "own", /cannot read the weights/],
])("%s as %s is refused", async (file, names, message) => {
  await expect(convertWeights(file, { names, out: join(root, "x"), force: false })).rejects.toThrow(message);
});
