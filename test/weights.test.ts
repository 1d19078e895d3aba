/** Weights in and out of runs, as people carry them: train, export, load elsewhere, freeze, start a head anew. */

import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as ort from "onnxruntime-node";
import { expect, test } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "../src/runs/safetensors.ts";
import type { RunResults } from "../src/training/results.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const data = ["--data", "colored-mnist", "--set", "trainPerEnvironment=200", "--set", "size=14"];
const rgb = [...data, "--set", "channels=3"];
const model = "--model resnet18 --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1".split(
  " ",
);
const quick = "--threads 1 --batch-size 32 --lr 0.01".split(" ");
const at = (name: string) => join(root, name);
const train = (out: string, ...more: string[]) =>
  jsonHere<RunResults>(["train", ...rgb, ...model, ...quick, "--out", at(out), ...more]);
const tensorsOf = (path: string) => decodeSafetensors(readFileSync(path), path);
const weightsIn = (run: string) => tensorsOf(join(at(run), "weights.safetensors")).tensors;

/** By the format's description alone: length, JSON, numbers. */
function readByHand(path: string): Record<string, { shape: number[]; values: number[] }> {
  const bytes = readFileSync(path);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const { __metadata__: _, ...header } = JSON.parse(bytes.toString("utf8", 8, start)) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        const count = (to - from) / 4;
        return [
          name,
          { shape, values: Array.from({ length: count }, (_, i) => bytes.readFloatLE(start + from + 4 * i)) },
        ];
      },
    ),
  );
}

async function logitsOf(run: string): Promise<number[]> {
  const session = await ort.InferenceSession.create(join(at(run), "model.onnx"));
  const images = Uint8Array.from({ length: 2 * 14 * 14 * 3 }, (_, i) => (i * 37) % 256);
  const { logits } = await session.run({ images: new ort.Tensor("uint8", images, [2, 14, 14, 3]) });
  await session.release();
  return [...(logits!.data as Float32Array)];
}

test("a run's weights, exported and loaded again, give the same logits", async () => {
  await train("base", "--epochs", "2");
  await jsonHere(["weights", "export", at("base"), "--out", at("base.safetensors")]);
  const [written, own] = [readByHand(at("base.safetensors")), weightsIn("base")];
  expect(Object.keys(written)).toEqual([...own.keys()]);
  for (const [name, { shape, data: values }] of own) {
    expect(written[name]).toEqual({ shape: [...shape], values: [...values] });
  }
  // With a rate of next to nothing the unfrozen head stays, in float32, as it was.
  const args = ["--weights", at("base.safetensors"), "--freeze", "backbone", "--epochs", "1"];
  await train("same", ...args, "--lr", "1e-30");
  expect(await logitsOf("same")).toEqual(await logitsOf("base"));
});

test("a frozen backbone with a fresh head: only the head moves, running statistics included", async () => {
  const args = ["--weights", at("base"), "--fresh-head", "--freeze", "backbone", "--epochs", "1"];
  await train("fresh", ...args);
  const [before, after] = [weightsIn("base"), weightsIn("fresh")];
  for (const [name, { data: values }] of before) {
    if (name.startsWith("fc.")) expect(after.get(name)!.data).not.toEqual(values);
    else expect(after.get(name)!.data, name).toEqual(values);
  }
});

test("some layers frozen: those stay, the others move", async () => {
  await train("partly", "--weights", at("base"), "--freeze", "conv1,bn1,layer1", "--epochs", "1");
  const [before, after] = [weightsIn("base"), weightsIn("partly")];
  const kept = [...before].filter(
    ([name, { data: values }]) => after.get(name)!.data.join() === values.join(),
  );
  expect(kept.map(([name]) => name)).toEqual(
    [...before.keys()].filter((name) => /^(conv1|bn1|layer1)\./.test(name)),
  );
});

test("the spec names the weights by digest: a moved file is the same run, another file is not", async () => {
  const args = ["--weights", at("base.safetensors"), "--epochs", "1"];
  const { id } = await train("moved", ...args);
  const before = fingerprint(at("moved"));
  const spec = JSON.parse(readFileSync(join(at("moved"), "spec.json"), "utf8")) as Record<string, object>;
  expect(spec.weights).toMatchObject({ freshHead: false, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  // Our files say how their pixels were standardised.
  const { metadata } = tensorsOf(at("base.safetensors"));
  const { pixels } = JSON.parse(metadata.cuelab!) as { pixels: { mean: number[]; deviation: number[] } };
  expect(spec.pixels).toEqual({ mean: pixels.mean, deviation: pixels.deviation });
  const other = ["--weights", join(at("base"), "weights.safetensors"), "--epochs", "1"];
  const again = await train("moved", ...other);
  expect(again.id).toBe(id);
  expect(fingerprint(at("moved"))).toEqual(before);
  const changed = await ranHere([
    "train",
    ...rgb,
    ...model,
    ...quick,
    "--out",
    at("moved"),
    "--weights",
    at("fresh"),
    "--epochs",
    "1",
  ]);
  expect(changed.stderr).toContain("another run is there already");
});

test("foreign weights are taken to want ImageNet's pixels, unless said otherwise", async () => {
  const timm = resolve(import.meta.dirname, "references/weights/vit-timm.safetensors");
  const vit =
    "--model vit-tiny --model-set patch=2 --model-set width=16 --model-set depth=1 --model-set heads=2";
  const run = (out: string, ...more: string[]) =>
    ranHere([
      "train",
      ...rgb,
      ...vit.split(" "),
      ...quick,
      "--weights",
      timm,
      "--epochs",
      "1",
      "--out",
      at(out),
      ...more,
    ]);
  const refused = await run("vit");
  // Its patches are of 4 pixels, and its head of 4 classes.
  expect(refused.stderr).toContain("patch_embed.proj.weight [16, 3, 4, 4] instead of [16, 3, 2, 2]");
  expect(refused.code).toBe(3);
  const fitting = ["--set", "size=28", "--model-set", "patch=4", "--fresh-head"];
  await run("vit", ...fitting);
  const pixelsOf = (name: string) =>
    (JSON.parse(readFileSync(join(at(name), "spec.json"), "utf8")) as { pixels?: object }).pixels;
  expect(pixelsOf("vit")).toEqual({ mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] });
  expect(existsSync(join(at("vit"), "manifest.json"))).toBe(true);
  // A spec is written before the weights are found not to fit.
  await run("vit-half", "--pixels", "half");
  expect(pixelsOf("vit-half")).toEqual({ mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] });
  await run("vit-data", "--pixels", "data");
  expect(pixelsOf("vit-data")).toBeUndefined();
});

test("show tells what a file is, of ours and of others; export renames", async () => {
  const timm = await ranHere(["weights", "show", at("base")]);
  expect(timm.stdout).toMatch(/conv1\.weight +F32 +4 × 3 × 3 × 3/);
  expect(timm.stdout).toContain("written by Cuelab: resnet18 stem=small width=4 blocks=1,1,1,1, classes");
  await jsonHere(["weights", "export", at("vit"), "--names", "timm", "--out", at("vit-timm.safetensors")]);
  expect(Object.keys(readByHand(at("vit-timm.safetensors")))).toContain("blocks.0.attn.qkv.weight");
  const back = ["weights", "export", at("vit-timm.safetensors"), "--out", at("vit-back.safetensors")];
  await jsonHere(back);
  expect(readByHand(at("vit-back.safetensors"))).toEqual(readByHand(join(at("vit"), "weights.safetensors")));
  const again = await ranHere(back);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("there is a file already")]);
  await jsonHere([...back, "--force"]);
});

test("show compares a file with one network, in full", async () => {
  const show = ["weights", "show", at("base"), ...model];
  expect((await ranHere(show)).stdout).toContain("all tensors are those of resnet18 stem=small width=4");
  // Its images are too small for the other stem, which decides nothing here.
  const other = [...show, "--model-set", "width=8", "--model-set", "stem=imagenet"];
  const { stdout } = await ranHere(other);
  expect(stdout).toMatch(/misshapen +layer4\.0\.conv2\.weight +32 × 32 × 3 × 3 +64 × 64 × 3 × 3/);
  const { comparison } = await jsonHere<{ comparison: { misshapen: object[]; missing: string[] } }>(other);
  expect(comparison.misshapen).toContainEqual({
    name: "conv1.weight",
    got: [4, 3, 3, 3],
    expected: [8, 3, 7, 7],
  });
  const rows = stdout.split("\n").filter((line) => line.startsWith("misshapen"));
  expect(rows).toHaveLength(comparison.misshapen.length);
  const idle = await ranHere(["weights", "show", at("base"), "--model-set", "width=8"]);
  expect([idle.code, idle.stderr]).toEqual([2, expect.stringContaining("no effect without --model")]);
});

test("show refuses a file whose description is damaged, before it prints anything", async () => {
  const { tensors } = tensorsOf(at("base.safetensors"));
  for (const cuelabSays of ["null", "{}"]) {
    writeFileSync(at("odd.safetensors"), encodeSafetensors({ tensors, metadata: { cuelab: cuelabSays } }));
    const { code, stdout, stderr } = await ranHere(["weights", "show", at("odd.safetensors")]);
    expect(stderr).toMatch(/what these weights say of themselves is damaged[\s\S]*odd\.safetensors/);
    expect([code, stdout]).toEqual([3, ""]);
  }
});

test("a run that is not finished, or not as it was written, gives no weights", async () => {
  const uses = (run: string) => [
    ["weights", "show", at(run)],
    ["weights", "export", at(run), "--out", at("never.safetensors")],
    ["features", "extract", at(run), "--out", at("never")],
    ["train", ...rgb, ...model, ...quick, "--weights", at(run), "--out", at("never")],
  ];
  cpSync(at("base"), at("unfinished"), { recursive: true });
  rmSync(join(at("unfinished"), "manifest.json"));
  cpSync(at("base"), at("changed"), { recursive: true });
  appendFileSync(join(at("changed"), "weights.safetensors"), "x");
  for (const args of uses("unfinished")) {
    const { code, stderr } = await ranHere(args);
    expect(stderr).toMatch(/the run is not finished[\s\S]*the command that began it goes on/);
    expect(code).toBe(3);
  }
  for (const args of uses("changed")) {
    const { code, stderr } = await ranHere(args);
    expect(stderr).toMatch(/file of this run is damaged[\s\S]*weights\.safetensors[\s\S]*other bytes/);
    expect(code).toBe(3);
  }
  expect(existsSync(at("never")) || existsSync(at("never.safetensors"))).toBe(false);
});

test.each([
  [["--fresh-head"], 2, /--fresh-head has no effect without --weights/],
  [["--freeze", "layer9"], 2, /no layer "layer9" to freeze[\s\S]*backbone, or [\s\S]*layer4\.0/],
  [["--freeze", "layer"], 2, /no layer "layer" to freeze[\s\S]*whole ones/],
  [["--freeze", "conv1,,bn1"], 2, /'--freeze <layers>' argument 'conv1,,bn1' is invalid/],
  [["--freeze", "backbone,fc"], 2, /all layers are frozen/],
  [["--weights", "/nowhere"], 3, /cannot read the weights[\s\S]*no such file/],
  [["--weights", "notes.txt"], 3, /not a usable safetensors file/],
  [
    ["--weights", "base", "--model-set", "width=8"],
    3,
    /misshapen: conv1\.weight \[4, 3, 3, 3\] instead of \[8/,
  ],
])("train %j ends with %i and says why", async (args, code, message) => {
  writeFileSync(at("notes.txt"), "these are no weights");
  rmSync(at("refused"), { recursive: true, force: true });
  const outcome = await ranHere(["train", ...rgb, ...model, ...args, "--out", at("refused")], { cwd: root });
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(code);
});
