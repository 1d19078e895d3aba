import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { models } from "../models/index.ts";
import { aliasesOf } from "../models/model.ts";
import { wantedTensors } from "../models/weights/network-shape.ts";
import { decodeSafetensors, encodeSafetensors, listSafetensors } from "../runs/safetensors.ts";
import { convertWeights } from "./convert-weights.ts";
import { describeWeights } from "./weights.ts";
import type { NetworkAbout } from "./weights-about.ts";

const root = temporaryFolder();
const about: NetworkAbout = {
  model: "convnext-tiny",
  options: { stem: "small", width: 4, blocks: "1,1,1,1" },
  classNames: ["a", "b"],
  image: { height: 16, width: 16, channels: 3 },
  pixels: { scale: 255, mean: [0, 0, 0], deviation: [1, 1, 1], layout: "[batch, channels, height, width]" },
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

test("a file of an older version says what its network does with pixels once it is exported anew", async () => {
  const logistic = { ...about, model: "logistic-regression", options: {} };
  // It told the mean and deviation of the data, which this network does not use.
  const older = { ...logistic, pixels: { mean: [0.1, 0.2, 0.3], deviation: [0.4, 0.5, 0.6] } };
  const wanted = wantedTensors(models.get(logistic.model), { ...logistic, classes: 2 });
  const zeros = wanted.map(({ name, shape }) => [
    name,
    { shape, data: new Float32Array(shape.reduce((a, b) => a * b)) },
  ]) as [string, { shape: number[]; data: Float32Array }][];
  const [given, out] = [join(root, "older.safetensors"), join(root, "anew.safetensors")];
  const metadata = { cuelab: JSON.stringify(older) };
  writeFileSync(given, encodeSafetensors({ tensors: new Map(zeros), metadata }));
  await convertWeights(given, { names: "own", out, force: false });
  const anew = JSON.parse((await listSafetensors(out)).metadata.cuelab!) as NetworkAbout;
  expect(anew).toEqual(logistic);
});

/** A file as published, of zeros but for positions that all differ. */
function publishedVit(patches: number): string {
  const model = models.get("vit-tiny");
  const image = { height: 224, width: 224, channels: 3 };
  const { timm } = aliasesOf(model);
  const all = wantedTensors(model, { options: {}, classes: 3, image }).map(({ name, shape }) => {
    const own = name === "encoder.pos_embedding" ? [1, patches + 1, 192] : shape;
    const length = own.reduce((a, b) => a * b, 1);
    const data =
      name === "encoder.pos_embedding" ? Float32Array.from(Array(length).keys()) : new Float32Array(length);
    return [timm!(name), { shape: own, data }] as const;
  });
  const path = join(root, `vit-${patches}.safetensors`);
  writeFileSync(path, encodeSafetensors({ tensors: new Map(all), metadata: {} }));
  return path;
}

// 384² images, and ones of 6 × 8 patches.
test.each([24 * 24, 48])("renaming leaves positions of %i patches as they are", async (patches) => {
  const out = join(root, `renamed-${patches}.safetensors`);
  await convertWeights(publishedVit(patches), { names: "torchvision", out, force: false });
  const { shape, data } = decodeSafetensors(readFileSync(out), out).tensors.get("encoder.pos_embedding")!;
  expect(shape).toEqual([1, patches + 1, 192]);
  expect(data).toEqual(Float32Array.from(Array((patches + 1) * 192).keys()));
});

test.each([
  ["null", /damaged[\s\S]*metadata "cuelab"/],
  ["{", /damaged[\s\S]*metadata "cuelab"/],
  [{ model: "resnet18" }, /damaged[\s\S]*got: options/],
  [{ ...about, model: "resnet19" }, /damaged[\s\S]*unknown model "resnet19"/],
  [{ ...about, options: { widht: 4 } }, /damaged[\s\S]*no option widht/],
  [
    { ...about, pixels: { mean: [0, 0, 0], deviation: [0, 1, 1] } },
    /damaged[\s\S]*got: pixels\.deviation\.0/,
  ],
  [{ ...about, pixels: { mean: [0], deviation: [1] } }, /damaged[\s\S]*pixels: not of 3 channels/],
  [{ ...about, pixels: { ...about.pixels, scale: 1 } }, /damaged[\s\S]*pixels: not those of convnext-tiny/],
])("a file that says %j of itself is refused, by export and by train", async (said, message) => {
  const path = join(root, "damaged.safetensors");
  const cuelab = typeof said === "string" ? said : JSON.stringify(said);
  writeFileSync(path, encodeSafetensors({ tensors, metadata: { cuelab } }));
  const refused = { kind: "input", message: expect.stringMatching(message) };
  await expect(
    convertWeights(path, { names: "own", out: join(root, "x"), force: false }),
  ).rejects.toMatchObject(refused);
  await expect(describeWeights(path)).rejects.toMatchObject(refused);
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

test("the folder is made; a file is replaced only with force; nothing else is left", async () => {
  const out = join(root, "new", "folder", "x.safetensors");
  const convert = (force: boolean) => convertWeights(own, { names: "own", out, force });
  await convert(false);
  const written = readFileSync(out);
  await expect(convert(false)).rejects.toThrow(/there is a file already[\s\S]*--force/);
  writeFileSync(out, "other");
  await convert(true);
  expect(readFileSync(out)).toEqual(written);
  expect(readdirSync(join(root, "new", "folder"))).toEqual(["x.safetensors"]);
  mkdirSync(join(root, "taken"));
  await expect(convertWeights(own, { names: "own", out: join(root, "taken"), force: true })).rejects.toThrow(
    /there is a folder already where a file is needed/,
  );
});
