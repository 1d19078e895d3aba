import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expectError } from "../../../test/helpers/errors.ts";
import { hashUniform } from "../../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { input } from "../../engine/expressions.ts";
import { interpret } from "../../engine/interpret.ts";
import { sizeOf } from "../../engine/shapes.ts";
import { decodeSafetensors } from "../../runs/safetensors.ts";
import { models } from "../index.ts";
import { aliasesOf, type ModelOptions, Network } from "../model.ts";
import { compareWeights } from "./compare-weights.ts";
import { identifyWeights } from "./identify-weights.ts";
import { matchWeights } from "./match-weights.ts";
import { wantedTensors } from "./network-shape.ts";
import { stretchPositions } from "./position-embedding.ts";
import { takeWeights, type WeightFile, type WeightTensors } from "./take-weights.ts";

const references = new URL("../../../test/references/", import.meta.url);
/** Made by torch_weights.py, whose header says how. */
const expected = storedReference<Record<string, number[]>>("torch_weights");
const image = { height: 16, width: 16, channels: 3 };

const files: [string, string, ModelOptions, string][] = [
  ["convnext-timm", "convnext-tiny", { stem: "small", width: 4, blocks: "1,1,1,1" }, "timm"],
  ["vit-timm", "vit-small", { patch: 4, width: 16, depth: 1, heads: 2 }, "timm"],
  ["vit-old", "vit-b16", { patch: 4, width: 16, depth: 1, heads: 2 }, "torchvision-old"],
  ["densenet-old", "densenet161", { stem: "small", width: 4, blocks: "1,1,1,1" }, "torchvision-old"],
];

function read(file: string): WeightTensors {
  const url = new URL(`weights/${file}.safetensors`, references);
  return decodeSafetensors(readFileSync(url), file).tensors;
}

test.each(files)("%s of PyTorch gives PyTorch's logits in %s", (file, name, options, names) => {
  const model = models.get(name);
  const tensors = read(file);
  const shape = { options, classes: 4, image };
  expect(matchWeights(model, wantedTensors(model, shape), tensors).names).toBe(names);
  const values = takeWeights(model, shape, { tensors }, file);
  const network = new Network(model, { classes: 4, mode: "evaluate", options });
  const images = input("images", [1, 3, 16, 16]);
  const feeds = {
    images: Float32Array.from(hashUniform(768, 600), (value) => Math.floor(value * 256) / 255),
    ...Object.fromEntries(values),
  };
  const [logits] = interpret([network.logits(images)], feeds);
  // Both sides compute in float64 with the weights that the file holds, whatever their type.
  for (const [i, value] of expected[file]!.entries()) expect(logits![i]!).toBeCloseTo(value, 9);
});

test("positions are stretched as PyTorch's interpolation does", () => {
  // 3 × 3 places of width 2 to 2 rows and 5 columns, after a class token that stays.
  const grid = Float32Array.from([7, 8, ...hashUniform(18, 11)]);
  const stretched = stretchPositions(grid, 2, { rows: 3, columns: 3 }, { rows: 2, columns: 5 });
  expect([...stretched.subarray(0, 2)]).toEqual([7, 8]);
  // The grid is held in float32.
  for (const [i, value] of expected.positions!.entries()) expect(stretched[2 + i]!).toBeCloseTo(value, 6);
});

test("a transformer takes weights for images of another size", () => {
  const options = { patch: 4, width: 16, depth: 1, heads: 2 };
  const shape = { options, classes: 4, image: { height: 8, width: 24, channels: 3 } };
  const values = takeWeights(models.get("vit-tiny"), shape, { tensors: read("vit-timm") }, "vit-timm");
  expect(values.get("encoder.pos_embedding")).toHaveLength((1 + 2 * 6) * 16);
});

/** Positions 0, 1, 2, … of a grid, one number each, after a class token of −1. */
function countedPositions(patches: number): WeightTensors {
  const file = fileOf("vit-tiny", 2, line);
  const data = Float32Array.from({ length: patches + 1 }, (_, i) => i - 1);
  return file.set("encoder.pos_embedding", { shape: [1, patches + 1, 1], data });
}
const line = { patch: 4, width: 1, depth: 1, heads: 1 };
const positionsFor = (height: number, width: number, file: WeightFile) => {
  const shape = { options: line, classes: 2, image: { height, width, channels: 3 } };
  return [...takeWeights(models.get("vit-tiny"), shape, file, "file").get("encoder.pos_embedding")!];
};

test("positions of as many patches in other rows and columns are stretched, not taken as they are", () => {
  // 4 × 4 patches in rows of four: 2 × 8 keep the corners, of the first row and of the last.
  const taken = positionsFor(8, 32, { tensors: countedPositions(16) });
  expect(taken).toHaveLength(17);
  expect([taken[0], taken[1], taken[8], taken[9], taken[16]]).toEqual([-1, 0, 3, 12, 15]);
  expect(positionsFor(16, 16, { tensors: countedPositions(16) })).toEqual(
    [...Array(17).keys()].map((i) => i - 1),
  );
});

test("a file of ours says of which images its positions are", () => {
  const of = { model: "vit-tiny", options: line, image: { height: 8, width: 32, channels: 3 } };
  const file = { tensors: countedPositions(16), of };
  expect(positionsFor(8, 32, file)).toEqual([...Array(17).keys()].map((i) => i - 1));
  // 2 × 8 patches: the corners are 0, 7, 8 and 15, of whatever grid they are stretched to.
  for (const side of [16, 32]) {
    const taken = positionsFor(side, side, file).slice(1);
    const n = side / 4;
    expect([taken[0], taken[n - 1], taken[n * (n - 1)], taken[n * n - 1]]).toEqual([0, 7, 8, 15]);
  }
  expectError(
    () => positionsFor(8, 32, { tensors: countedPositions(9), of }),
    "input",
    "its position embeddings are of 9 patches, which images of 8 × 32 do not have",
  );
});

test("a file of others whose patches form no square is taken for images of as many alone", () => {
  const file = { tensors: countedPositions(8) };
  expect(positionsFor(8, 16, file)).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7]);
  expectError(() => positionsFor(16, 16, file), "input", "of 8 patches, which form no square");
});

test("numbers that are not finite are refused, with file, tensor and count", () => {
  const file = fileOf("resnet18", 3, small);
  file.get("bn1.weight")!.data.set([Number.NaN, 1, Number.POSITIVE_INFINITY]);
  expectError(
    () => take(file),
    "input",
    "numbers that are not finite",
    "where: here.safetensors",
    '2 numbers of tensor "bn1.weight": NaN',
  );
  file.get("fc.bias")!.data[0] = Number.NEGATIVE_INFINITY;
  expectError(() => take(file), "input", 'tensor "bn1.weight", and some in 1 more');
});

/** A file of zeros in the shapes that a network wants, with some of them changed. */
function fileOf(
  name: string,
  classes: number,
  options: ModelOptions,
  change: Record<string, number[] | null> = {},
) {
  const model = models.get(name);
  const wanted = wantedTensors(model, { options, classes, image: { ...image, height: 32, width: 32 } }).map(
    (tensor) => [tensor.name, tensor.shape] as const,
  );
  const shapes = { ...Object.fromEntries(wanted), ...change };
  return new Map(
    Object.entries(shapes).flatMap(([key, shape]) =>
      shape === null ? [] : [[key, { shape, data: new Float32Array(sizeOf(shape)) }] as const],
    ),
  );
}

const small = { stem: "small", width: 8, blocks: "1,1,1,1" };
const take = (tensors: WeightTensors, of?: WeightFile["of"]) =>
  takeWeights(
    models.get("resnet18"),
    { options: small, classes: 3, image: { ...image, channels: 3 } },
    { tensors, ...(of && { of }) },
    "here.safetensors",
  );

test("all that does not fit is listed, with shapes and counts", () => {
  const file = fileOf("resnet18", 3, small, {
    "bn1.weight": [9],
    "conv1.weight": null,
    "layer1.0.conv1.weight": null,
    ...Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`aux.${i}.weight`, [1]])),
  });
  expectError(
    () => take(file),
    "input",
    'the weights do not fit model "resnet18"',
    "where: here.safetensors",
    "for 3 classes with stem=small width=8 blocks=1,1,1,1",
    "1 misshapen: bn1.weight [9] instead of [8]",
    "2 missing: conv1.weight, layer1.0.conv1.weight",
    "7 extra: aux.0.weight, aux.1.weight, aux.2.weight, aux.3.weight, aux.4.weight, and 2 more",
  );
});

test.each([
  ["other classes", fileOf("resnet18", 5, small), "the head has 5 classes and the data 3: give --fresh-head"],
  [
    "no head",
    fileOf("resnet18", 3, small, { "fc.weight": null, "fc.bias": null }),
    "no head that fits: give --fresh-head",
  ],
  [
    "other channels",
    fileOf("resnet18", 3, small, { "conv1.weight": [8, 1, 3, 3] }),
    "images of 1 channels, these have 3",
  ],
  ["another network", fileOf("densenet121", 10, {}), "the file fits --model densenet121"],
  ["another stem", fileOf("resnet18", 3, { stem: "small" }), "--model resnet18 --model-set stem=small"],
  [
    "a usual form",
    fileOf("resnet18", 3, {}),
    "the file fits --model resnet18 without --model-set stem=small --model-set width=8 --model-set blocks=1,1,1,1",
  ],
  [
    "a head of several layers",
    fileOf("resnet18", 3, small, {
      "fc.weight": null,
      "fc.bias": null,
      "fc.1.weight": [3, 64],
      "fc.1.bias": [3],
    }),
    "no head that fits: give --fresh-head",
  ],
  ["nothing known", new Map([["x", { shape: [1], data: Float32Array.of(1) }]]), "cuelab weights show"],
])("a file of %s gets advice", (_, file, advice) => {
  expectError(() => take(file), "input", advice);
});

test("a file that says what it is of is called by that name, options included", () => {
  // Of a width that nobody publishes: its tensors alone would not tell.
  const options = { stem: "small", width: 4, blocks: "1,1,1,1" };
  expectError(
    () => take(fileOf("convnext-tiny", 3, options), { model: "convnext-tiny", options, image }),
    "input",
    'do not fit model "resnet18": these are weights of convnext-tiny',
    "fits --model convnext-tiny --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1",
  );
});

test("a file of the same network for other images is not advised to be given again", () => {
  const file = fileOf("resnet18", 3, small, { "layer1.0.conv1.weight": [9, 8, 3, 3] });
  expectError(
    () => take(file, { model: "resnet18", options: small, image }),
    "input",
    "images of another size",
  );
});

test("a fresh head takes all but the head, and PyTorch's counters and wrappers do not matter", () => {
  const wrapped = new Map(
    [...fileOf("resnet18", 5, small, { "bn1.num_batches_tracked": [] })].map(
      ([name, tensor]) => [`module.${name}`, tensor] as const,
    ),
  );
  const shape = { options: small, classes: 3, image };
  const values = takeWeights(models.get("resnet18"), shape, { tensors: wrapped }, "file", {
    freshHead: true,
  });
  expect(values.has("conv1.weight")).toBe(true);
  expect(values.has("fc.weight")).toBe(false);
});

test.each([
  ["model.", ["model."], 0],
  ["module.model.backbone.", ["module.model.backbone."], 0],
  ["encoder_q.", ["encoder_q.", "encoder_k."], 62],
])("names behind %s are guessed, and that is told", (prefix, prefixes, outside) => {
  const tensors = new Map(
    prefixes.flatMap((each) =>
      [...fileOf("resnet18", 5, small)].map(([name, tensor]) => [`${each}${name}`, tensor] as const),
    ),
  );
  const told: string[] = [];
  const shape = { options: small, classes: 5, image };
  const values = takeWeights(models.get("resnet18"), shape, { tensors }, "file", {
    onGuess: (remark) => told.push(remark),
  });
  expect(values).toEqual(
    takeWeights(models.get("resnet18"), shape, { tensors: fileOf("resnet18", 5, small) }, "file"),
  );
  const left = outside === 0 ? "" : `; ${outside} tensors without it are left out`;
  expect(told).toEqual([`file: "${prefix}" stands before the names of the network${left}`]);
});

test("a fresh head takes the place of one of another form; what is extra elsewhere is still told", () => {
  const sequential = { "fc.weight": null, "fc.bias": null, "fc.1.weight": [5, 64], "fc.1.bias": [5] };
  const shape = { options: small, classes: 3, image };
  const taken = (change: Record<string, number[] | null>) =>
    takeWeights(models.get("resnet18"), shape, { tensors: fileOf("resnet18", 5, small, change) }, "file", {
      freshHead: true,
    });
  expect(taken(sequential).has("conv1.weight")).toBe(true);
  expectError(() => taken({ ...sequential, "fc2.bias": [5] }), "input", "1 extra: fc2.bias");
});

test("what a timm file lacks is told by timm's names, with the way to the whole list", () => {
  const options = { patch: 4, width: 16, depth: 1, heads: 2 };
  const tensors = new Map([...read("vit-timm")].filter(([name]) => !name.includes(".attn.")));
  const shape = { options: { ...options, depth: 2 }, classes: 4, image };
  expectError(
    () => takeWeights(models.get("vit-tiny"), shape, { tensors }, "my vit.safetensors"),
    "input",
    "missing: blocks.0.attn.qkv.weight, blocks.0.attn.qkv.bias, ",
    "cuelab weights show 'my vit.safetensors' --model vit-tiny --model-set patch=4 --model-set width=16",
  );
  const { names, missing, extra, misshapen, fits } = compareWeights(
    models.get("vit-tiny"),
    shape.options,
    tensors,
  );
  expect({ names, extra, misshapen, fits }).toEqual({ names: "timm", extra: [], misshapen: [], fits: false });
  // Four of the first block's attention, and all twelve of the second block.
  expect(missing).toHaveLength(16);
  expect(missing).toContain("blocks.1.mlp.fc2.bias");
});

test("a comparison goes by the file's own classes and images, where the network takes them", () => {
  const same = compareWeights(models.get("vit-tiny"), line, countedPositions(16), {
    height: 8,
    width: 32,
    channels: 3,
  });
  expect(same).toMatchObject({ fits: true, classes: 2, image: { height: 8, width: 32 } });
  // Too small for the other stem, which is no reason not to compare.
  const other = compareWeights(
    models.get("resnet18"),
    { ...small, stem: "imagenet" },
    fileOf("resnet18", 3, small),
    {
      height: 2,
      width: 2,
      channels: 3,
    },
  );
  expect(other.misshapen.map(({ name }) => name)).toEqual(["conv1.weight"]);
});

test("published networks are told by their tensors, with their classes", () => {
  expect(identifyWeights(fileOf("resnet18", 7, {}))).toEqual([
    { model: "resnet18", options: {}, names: "torchvision", prefix: "", classes: 7 },
  ]);
  const { timm } = aliasesOf(models.get("convnext-tiny"));
  const renamed = new Map(
    [...fileOf("convnext-tiny", 1000, { stem: "small" })].map(
      ([name, tensor]) => [timm!(name), tensor] as const,
    ),
  );
  expect(identifyWeights(renamed)).toEqual([
    { model: "convnext-tiny", options: { stem: "small" }, names: "timm", prefix: "", classes: 1000 },
  ]);
  expect(identifyWeights(fileOf("resnet18", 3, small))).toEqual([]);
});

/** As timm and torchvision publish them. */
test.each([
  ["convnext-tiny", "timm", "features.0.0.weight", "stem.0.weight"],
  ["convnext-tiny", "timm", "features.4.1.bias", "stages.2.downsample.1.bias"],
  ["convnext-tiny", "timm", "features.5.8.block.0.weight", "stages.2.blocks.8.conv_dw.weight"],
  ["convnext-tiny", "timm", "features.7.2.layer_scale", "stages.3.blocks.2.gamma"],
  ["convnext-tiny", "timm", "classifier.2.weight", "head.fc.weight"],
  [
    "vit-b16",
    "timm",
    "encoder.layers.encoder_layer_11.self_attention.in_proj_bias",
    "blocks.11.attn.qkv.bias",
  ],
  ["vit-b16", "timm", "encoder.layers.encoder_layer_0.mlp.3.weight", "blocks.0.mlp.fc2.weight"],
  ["vit-b16", "timm", "encoder.pos_embedding", "pos_embed"],
  [
    "densenet121",
    "torchvision-old",
    "features.denseblock1.denselayer1.norm1.running_mean",
    "features.denseblock1.denselayer1.norm.1.running_mean",
  ],
])("%s in %s: %s is %s", (name, names, own, theirs) => {
  expect(aliasesOf(models.get(name))[names]!(own)).toBe(theirs);
});
