/** Features kept on disk and last layers trained on them, from end to end. */

import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as ort from "onnxruntime-node";
import { beforeAll, expect, test } from "vitest";
import { datasets } from "../src/datasets/index.ts";
import { sealed, unsealed } from "../src/disk/vouched.ts";
import { readFeatures } from "../src/runs/feature-folder.ts";
import { decodeSafetensors, encodeSafetensors } from "../src/runs/safetensors.ts";
import {
  describeExtractors,
  type NetworkSource,
  openFeatureNetwork,
} from "../src/training/features/extractors.ts";
import { keptFeatures } from "../src/training/features/kept-features.ts";
import { pixelStatistics } from "../src/training/pixel-statistics.ts";
import type { RunResults } from "../src/training/results.ts";
import { indicesOf } from "../src/training/splits.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { cuelabHere, jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const network = "--model small-cnn --model-set width=4 --threads 1".split(" ");
const data = "--data colored-mnist --set trainPerEnvironment=400 --set size=14".split(" ");
const width = 16;

beforeAll(async () => {
  await jsonHere(["train", ...data, ...network, "--epochs", "2", "--lr", "0.01", "--out", at("run")]);
  await jsonHere(["features", "extract", at("run"), "--threads", "1", "--out", at("features")]);
});

/** By NumPy's description: magic, length, header, numbers. */
function npy(path: string): Float32Array {
  const bytes = readFileSync(path);
  const start = 10 + bytes.readUInt16LE(8);
  expect(bytes.toString("latin1", 10, start)).toContain(`'shape': (`);
  return new Float32Array(Uint8Array.from(bytes.subarray(start)).buffer);
}

async function query<Row>(sql: string): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
  } finally {
    connection.closeSync();
  }
}

interface Prediction {
  id: number;
  logit_0: number;
  logit_1: number;
}

/** features · weightᵀ + bias of the images that a run has predicted, against what it has said. */
async function expectLogits(run: string, head: string): Promise<void> {
  const features = npy(at("features", "features.npy"));
  const { tensors } = decodeSafetensors(readFileSync(at(run, "weights.safetensors")), run);
  const [weight, bias] = [tensors.get(`${head}.weight`)!.data, tensors.get(`${head}.bias`)!.data];
  const rows = await query<Prediction>(
    `select id, logit_0, logit_1 from '${at(run, "predictions.parquet")}'`,
  );
  expect(rows.length).toBeGreaterThan(100);
  for (const { id, logit_0, logit_1 } of rows) {
    for (const [k, logit] of [logit_0, logit_1].entries()) {
      let sum = bias[k]!;
      for (let j = 0; j < width; j++) sum += features[id * width + j]! * weight[k * width + j]!;
      // Sums of sixteen float32 products in another order.
      expect(Math.abs(sum - logit)).toBeLessThan(1e-3 * Math.max(1, Math.abs(logit)));
    }
  }
}

test("features times the run's own head are the run's own logits", async () => {
  await expectLogits("run", "head");
});

test("pools see what was extracted: of a run, of its ONNX file, of random weights", async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 400, size: 14 }, 0);
  const shape = dataset.images.shape!;
  const bytes = shape.height * shape.width * shape.channels;
  const { count } = dataset.images;
  const images = { shape, count, data: new Uint8Array(count * bytes) };
  for (let i = 0; i < count; i++) images.data.set((await dataset.images.pixels(i)).data, i * bytes);
  const extractors = await describeExtractors([at("run"), at("run", "model.onnx")]);
  expect(extractors.map(({ name }) => name)).toEqual(["network-run", "network-model"]);
  const pixels = await pixelStatistics(dataset, indicesOf(dataset, "train"));
  const seen = (source: NetworkSource, name: string) =>
    keptFeatures(images, {
      path: at("kept", `${name}.npy`),
      network: () => openFeatureNetwork(source, { shape, pixels, seed: 3 }),
    });
  const extracted = npy(at("features", "features.npy"));
  for (const extractor of extractors) {
    const { values, width: found } = await seen({ extractor }, extractor.name);
    expect([found, values.length]).toEqual([width, extracted.length]);
    // Plain kernels round otherwise than the engine's own.
    const most = values.reduce((worst, value, i) => Math.max(worst, Math.abs(value - extracted[i]!)), 0);
    expect(most).toBeLessThan(extractor.network === undefined ? 1e-4 : 1e-6);
  }
  const random = "--model small-cnn --seed 3 --threads 1".split(" ");
  await jsonHere(["features", "extract", ...random, ...data, "--out", at("drawn")]);
  const made = await seen({ random: "small-cnn" }, "random");
  expect(made.values).toEqual(npy(at("drawn", "features.npy")));
  // Kept ones are read again, unless they are harmed.
  const kept = at("kept", "random.npy");
  // Behind the array stands its digest.
  expect(npy(kept).subarray(0, made.values.length)).toEqual(made.values);
  truncateSync(kept, 5000);
  await expect(seen({ random: "small-cnn" }, "random")).rejects.toThrow(/kept features are damaged/);
});

test("a pool of classifiers on networks' features, and what does not fit", async () => {
  const pool = (out: string, ...more: string[]) =>
    cuelabHere(
      ..."pool run colored-mnist --classifiers 192 --steps 5 --checkpoints 1 --hold-out 0.9 -q".split(" "),
      ..."--workers 1 --json --out".split(" "),
      at(out),
      ...more,
    );
  const small = ["--set", "trainPerEnvironment=60", "--set", "size=14"];
  const networks = ["--features", "network,random-small-cnn", "--extractors"];
  const both = [...networks, `${at("run")},${at("run", "model.onnx")}`];
  const { csv } = JSON.parse(await pool("networks", ...small, ...both)) as { csv: string };
  const kinds = await query<{ features: string; n: string }>(
    `select features, count(*) n from '${csv}' group by features order by features`,
  );
  expect(kinds.map(({ features }) => features)).toEqual(["network-model", "network-run", "random-small-cnn"]);
  const refused = (words: string[], message: RegExp) =>
    expect(pool("refused", ...small, ...words)).rejects.toThrow(message);
  await refused([...networks, at("nowhere")], /no such extractor/);
  await refused([...networks, at("features", "features.npy")], /no extractor of features/);
  await refused(["--features", "random-resnet19"], /unknown model "resnet19"/);
  writeFileSync(at("words.onnx"), "words");
  await refused([...networks, at("words.onnx")], /cannot read the model/);
  await expect(
    pool("refused", "--set", "trainPerEnvironment=60", "--set", "channels=2", ...both),
  ).rejects.toThrow(/do not fit this extractor/);
  expect(existsSync(at("refused"))).toBe(false);
});

test("splits, labels and attributes are kept beside the features", async () => {
  const kept = await query<Record<string, unknown>>(
    `select f.split, f.label = p.y_true as same, f.environment = p.environment as env
     from '${at("features", "examples.parquet")}' f join '${at("run", "predictions.parquet")}' p using (id)`,
  );
  expect(kept.length).toBeGreaterThan(100);
  expect(kept.every((row) => row.same === true && row.env === true)).toBe(true);
});

const layer = (out: string, ...more: string[]) => [
  "features",
  "train",
  at("features"),
  "--threads",
  "1",
  "--out",
  at(out),
  ...more,
];

test("a last layer on them is a run: same files, its logits are its weights', better than chance", async () => {
  const { accuracy } = await jsonHere<RunResults>(layer("layer", "--l2", "0.001"));
  const of = (slice: string) => accuracy.find((row) => row.slice === slice)!.accuracy!;
  expect(of("val, environment 0.1")).toBeGreaterThan(0.75);
  expect(of("test, environment 0.9")).toBeLessThan(0.5);
  expect(Object.keys(fingerprint(at("layer")))).toEqual(Object.keys(fingerprint(at("run"))));
  await expectLogits("layer", "head");
  const session = await ort.InferenceSession.create(at("layer", "model.onnx"));
  const features = npy(at("features", "features.npy")).slice(0, 3 * width);
  const { logits } = await session.run({ features: new ort.Tensor("float32", features, [3, width]) });
  await session.release();
  expect(logits!.dims).toEqual([3, 2]);
});

test("the same command gives the same bytes, is not done again, and other settings are another run", async () => {
  await jsonHere(layer("again", "--l2", "0.001"));
  expect(fingerprint(at("again"))).toEqual(fingerprint(at("layer")));
  expect((await ranHere(layer("again", "--l2", "0.001"))).stdout).toMatch(/^finished before/);
  const other = await ranHere(layer("again", "--l2", "0.01"));
  expect([other.code, other.stderr]).toEqual([3, expect.stringContaining("another run is there already")]);
});

test("a last layer's weights say what they are, and are not taken for a network's", async () => {
  const words = "a last layer over 16 features of small-cnn, classes";
  const shown = await ranHere(["weights", "show", at("layer")]);
  expect(shown.stdout).toContain(`written by Cuelab: ${words}`);
  expect(shown.stdout).not.toContain("fits no network");
  for (const args of [
    ["weights", "export", at("layer"), "--out", at("never.safetensors")],
    ["train", ...data, ...network, "--weights", at("layer"), "--out", at("never")],
    ["features", "extract", ...network, ...data, "--weights", at("layer"), "--out", at("never")],
  ]) {
    const { code, stderr } = await ranHere(args);
    expect(stderr).toContain("these are the weights of a last layer alone");
    expect(stderr).toContain(words);
    expect(code).toBe(3);
  }
  await expect(describeExtractors([at("layer")])).rejects.toThrow(words);
});

/** The run's weights with one number changed. */
function withNumber(value: number): string {
  const path = at("run", "weights.safetensors");
  const file = decodeSafetensors(readFileSync(path), path);
  file.tensors.values().next().value!.data[3] = value;
  writeFileSync(at("number.safetensors"), encodeSafetensors(file));
  return at("number.safetensors");
}

test("weights and features that are not finite are refused where they come in", async () => {
  const extract = (value: number) =>
    ranHere([
      "features",
      "extract",
      ...network,
      ...data,
      "--weights",
      withNumber(value),
      "--out",
      at("never"),
    ]);
  const harmed = await extract(Number.NaN);
  expect(harmed.stderr).toMatch(/number\.safetensors[\s\S]*1 number of tensor "[\w.]+": NaN/);
  expect(harmed.code).toBe(3);
  // Finite itself, but not what the network makes of it.
  const large = await extract(3e38);
  expect(large.stderr).toMatch(/features that are not finite\n.*image \d+ \(.+\)[\s\S]*NaN or infinite/);
  expect(large.code).toBe(1);
  expect(existsSync(at("never"))).toBe(false);
  const folder = broken((path) => {
    const file = join(path, "features.npy");
    const bytes = readFileSync(file);
    // The last image's first two features.
    bytes.writeFloatLE(Number.NaN, bytes.length - 4 * width);
    bytes.writeFloatLE(Number.POSITIVE_INFINITY, bytes.length - 4 * width + 4);
    writeFileSync(file, bytes);
    rewrite(path, (about) => ({ ...about, sha256: createHash("sha256").update(bytes).digest("hex") }));
  });
  const { code, stderr } = await ranHere(["features", "train", folder, "--out", at("never")]);
  expect(stderr).toMatch(/features\.npy[\s\S]*2 of 16 features of image \d+ of split "test" are NaN/);
  expect(code).toBe(3);
});

test("full batch with L1 leaves weights at exactly zero", async () => {
  await jsonHere(
    layer("sparse", ..."--batch-size full --optimiser sgd --lr 0.5 --l1 0.02 --epochs 200".split(" ")),
  );
  const { tensors } = decodeSafetensors(readFileSync(at("sparse", "weights.safetensors")), "sparse");
  const zeros = tensors.get("head.weight")!.data.filter((value) => value === 0).length;
  expect(zeros).toBeGreaterThan(0);
  expect(zeros).toBeLessThan(2 * width);
});

test("features of a network by name, with random weights, of other data", async () => {
  const out = at("random");
  await jsonHere(["features", "extract", ...network, ...data, "--out", out]);
  const about = JSON.parse(readFileSync(join(out, "features.json"), "utf8")) as { source: object };
  expect(about.source).toMatchObject({
    model: "small-cnn",
    options: { width: 4 },
    weights: null,
    head: "head",
  });
});

test.each([
  [["extract", "--out", "x"], "usage", /whose features\?/],
  [["extract", "run", "--model", "mlp", "--out", "x"], "usage", /either the folder of a run, or --model/],
  [["extract", "--model", "mlp", "--out", "x"], "usage", /features of which images\?/],
  [["extract", "run", "--weights", "w", "--out", "x"], "usage", /--weights has no effect with a run/],
  [["extract", "run", "--model-set", "width=8", "--out", "x"], "usage", /--model-set has no effect with/],
  [["extract", "run", "--seed", "1", "--out", "x"], "usage", /--seed has no effect with a run/],
  [["extract", "run", "--set", "size=28", "--out", "x"], "usage", /--set needs --data/],
  [["extract", "run", "--data-seed", "0", "--out", "x"], "usage", /--data-seed needs --data/],
  [
    ["extract", "--model", "mlp", "--weights", "w", "--seed", "0", "--data", "colored-mnist", "--out", "x"],
    "usage",
    /--seed has no effect with --weights/,
  ],
  [["extract", "features", "--out", "x"], "input", /no run of a network/],
  [["extract", "run", "--out", "run", "--force"], "input", /not empty and holds no features/],
  [["extract", "run", "--out", "features"], "input", /features are there already[\s\S]*--force/],
  [["train", "run", "--out", "x"], "input", /no folder of features/],
  [["train", "features", "--l1", "1", "--out", "x"], "usage", /L1 needs --optimiser sgd/],
  [["train", "features", "--momentum", "0.5", "--out", "x"], "usage", /--momentum has no effect/],
  [["train", "features", "--batch-size", "0", "--out", "x"], "usage", /whole number from 1, or full/],
] as const)("features %j is refused as %s, and says why", async (words, kind, message) => {
  const folders: readonly string[] = ["run", "features", "x"];
  const placed = words.map((word) => (folders.includes(word) ? at(word) : word));
  const error = await cuelabHere("features", ...placed).catch((cause: Error & { kind?: string }) => cause);
  // What the parser itself refuses is wrong usage, too.
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect((error as { kind?: string }).kind ?? "usage").toBe(kind);
});

test("features that were changed are refused", async () => {
  appendFileSync(at("random", "features.npy"), "x");
  const outcome = await ranHere(["features", "train", at("random"), "--out", at("never")]);
  expect(outcome.stderr).toMatch(/these features are damaged[\s\S]*extract them again/);
  expect(outcome.code).toBe(3);
});

/** Features like those of the run, with something done to their folder. */
function broken(change: (folder: string) => void): string {
  const folder = at("broken");
  rmSync(folder, { recursive: true, force: true });
  cpSync(at("features"), folder, { recursive: true });
  change(folder);
  return folder;
}

function rewrite(folder: string, change: (about: Record<string, unknown>) => object): void {
  const path = join(folder, "features.json");
  writeFileSync(path, sealed(change(unsealed(readFileSync(path, "utf8"), path))));
}

test("the description vouches for the examples", () => {
  const about = JSON.parse(readFileSync(at("features", "features.json"), "utf8")) as object;
  const examples = readFileSync(at("features", "examples.parquet"));
  expect(about).toMatchObject({ examplesSha256: createHash("sha256").update(examples).digest("hex") });
});

test.each<[string, (folder: string) => void, RegExp]>([
  ["no examples", (f) => rmSync(join(f, "examples.parquet")), /examples\.parquet[\s\S]*no such file/],
  [
    "cut examples",
    (f) => truncateSync(join(f, "examples.parquet"), 40),
    /examples\.parquet[\s\S]*other bytes/,
  ],
  ["no array", (f) => rmSync(join(f, "features.npy")), /features\.npy[\s\S]*no such file/],
  ["cut array", (f) => truncateSync(join(f, "features.npy"), 200), /features\.npy[\s\S]*200 bytes/],
  ["an empty array", (f) => truncateSync(join(f, "features.npy"), 0), /features\.npy/],
  [
    "nothing in it",
    (f) => writeFileSync(join(f, "features.json"), "{}"),
    /describes no features[\s\S]*extract/,
  ],
  [
    "another version",
    (f) => rewrite(f, (about) => ({ ...about, cuelabFeatures: 1 })),
    /another version[\s\S]*expected: "cuelabFeatures": 2[\s\S]*got: "cuelabFeatures": 1/,
  ],
  ["no JSON", (f) => truncateSync(join(f, "features.json"), 40), /features\.json[\s\S]*got: .*JSON/],
  [
    "a wrong width",
    (f) => rewrite(f, (about) => ({ ...about, width: "wide" })),
    /features\.json[\s\S]*got: width/,
  ],
  [
    "an unknown split",
    (f) => rewrite(f, (about) => ({ ...about, splitNames: ["train", "val"] })),
    /examples\.parquet[\s\S]*split "test" in row \d+/,
  ],
  [
    "an unknown label",
    (f) => rewrite(f, (about) => ({ ...about, classNames: ["one"] })),
    /examples\.parquet[\s\S]*label 1 in row \d+/,
  ],
])("features with %s are refused, and the file is named", async (_, change, message) => {
  const refused = expect(readFeatures(broken(change))).rejects;
  await refused.toMatchObject({ kind: "input", message: expect.stringMatching(message) });
});

test("--force replaces features, damaged ones too", async () => {
  const folder = broken((path) => truncateSync(join(path, "features.json"), 40));
  await jsonHere(["features", "extract", at("run"), "--threads", "1", "--out", folder, "--force"]);
  expect(fingerprint(folder)).toEqual(fingerprint(at("features")));
});

test("a last layer that was killed goes on by the command that began it, to the same bytes", async () => {
  cpSync(at("layer"), at("killed"), { recursive: true });
  rmSync(at("killed", "manifest.json"));
  const { code, stderr } = await ranHere(["features", "extract", at("killed"), "--out", at("never")]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/not finished[\s\S]*the command that began it goes on/),
  ]);
  await jsonHere(layer("killed", "--l2", "0.001"));
  expect(fingerprint(at("killed"))).toEqual(fingerprint(at("layer")));
});

test("a last layer takes the lab's methods, cues and rules of selection", async () => {
  const told = layer("told", ..."--method group-dro --explicit color --select val-worst-group".split(" "));
  const { selection } = await jsonHere<RunResults>([...told, "--select-groups", "color"]);
  expect(selection.rule).toContain("worst group (class × color)");
  await expectLogits("told", "head");
  const refused = await ranHere(layer("never", "--method", "group-dro", "--explicit", "hue"));
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no attribute "hue"')]);
});

test("features from before pixels were kept are read as they are", async () => {
  const folder = broken((path) =>
    rewrite(path, ({ source, ...about }) => {
      const { pixels: _, ...before } = source as Record<string, unknown>;
      return { ...about, source: before };
    }),
  );
  const [before, now] = [await readFeatures(folder), await readFeatures(at("features"))];
  expect(before.identity).toBe(now.identity);
  expect(before.source).toEqual({ ...now.source, pixels: undefined });
});
