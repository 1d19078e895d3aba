/** Models of images and texts as classifiers, against transformers' CLIP and SigLIP: tokens, embeddings, ensembles, scale, and what comes of the files that people have. */

import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { ImageShape } from "../src/core/dataset.ts";
import { Executable } from "../src/engine/executable.ts";
import { input } from "../src/engine/expressions.ts";
import { State } from "../src/engine/state.ts";
import { initialise } from "../src/engine/training/parameters.ts";
import { picturePrepared } from "../src/images/model-picture.ts";
import { encodePng } from "../src/images/png.ts";
import { encodeSafetensors } from "../src/runs/safetensors.ts";
import { npyHeader } from "../src/tables/npy.ts";
import { type ModelWords, openModel } from "../src/training/asked/open-model.ts";
import { type ModelPreparation, networkInput } from "../src/training/asked/preparation.ts";
import { readTokenizer } from "../src/training/asked/zero-shot/tokenizer-file.ts";
import { testRandom } from "./engine/helpers.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { formulaImage } from "./helpers/formula-image.ts";
import { ranHere } from "./helpers/in-process.ts";
import { storedReference } from "./helpers/reference.ts";

interface Expected {
  scale: number;
  bias: number;
  logitsPerImage: number[][];
  ensembled: number[][];
  textEmbeds: number[][];
}

const { tokens, names, templates, pictures, clip, siglip } = storedReference<{
  tokens: { texts: string[]; ids: number[][]; truncated: number[][] };
  names: string[];
  templates: string[];
  pictures: { height: number; width: number }[];
  clip: Expected;
  siglip: Expected;
}>("torch_clip");

const root = temporaryFolder();
const at = (...parts: string[]) => join(root, ...parts);
const stored = (...parts: string[]) =>
  fileURLToPath(new URL(`references/${parts.join("/")}`, import.meta.url));
const vision = stored("clip", "onnx", "vision_model.onnx");

beforeAll(() => {
  writeFileSync(at("names.txt"), `${names.join("\n")}\n`);
  writeFileSync(at("templates.txt"), `${templates.join("\n")}\n`);
});

/** What a model says of the reference's pictures. */
async function asked(words: ModelWords): Promise<number[][]> {
  const model = await openModel(words);
  const session = await model.open({ threads: 1 });
  const images = pictures.map(({ height, width }) =>
    picturePrepared(formulaImage(height, width), model.preparation!.picture!),
  );
  try {
    const all = await session.logits(Buffer.concat(images.map(({ data }) => data)), images.length);
    const width = all.length / images.length;
    return images.map((_, i) => [...all.subarray(i * width, (i + 1) * width)]);
  } finally {
    await session.close();
  }
}

function expectNear(
  found: readonly (readonly number[])[],
  wanted: readonly (readonly number[])[],
  digits: number,
) {
  expect(found.length).toBe(wanted.length);
  for (const [i, row] of wanted.entries())
    for (const [k, value] of row.entries()) expect(found[i]![k], `${i}, ${k}`).toBeCloseTo(value, digits);
}

test("texts become the numbers that tokenizers gives, and long ones are cut as transformers does it", async () => {
  const tokenizer = await readTokenizer(stored("clip", "tokenizer.json"));
  for (const [i, text] of tokens.texts.entries()) {
    expect(tokenizer.encode(text, undefined).ids, text).toEqual(tokens.ids[i]);
    expect(tokenizer.encode(text, tokenizer.most).ids, text).toEqual(tokens.truncated[i]);
  }
  expect(tokenizer.most).toBe(20);
});

describe("logits are transformers' own", () => {
  // Float32 by two runtimes: five digits of logits around ten.
  test.each([
    ["two towers of CLIP", vision, clip],
    ["CLIP in one file", stored("clip", "onnx", "model.onnx"), clip],
    ["two towers of SigLIP", stored("siglip", "onnx", "vision_model.onnx"), siglip],
  ])("%s", async (_, model, { scale, bias, ensembled, logitsPerImage }) => {
    const isBoth = model.endsWith("/model.onnx");
    const words = { model, classes: at("names.txt"), ...(isBoth ? {} : { logitScale: scale }) };
    const shifted = (rows: number[][]) =>
      isBoth ? rows : rows.map((row) => row.map((value) => value - bias));
    expectNear(await asked({ ...words, prompts: at("templates.txt") }), shifted(ensembled), 4);
    const first = logitsPerImage.map((row) => row.filter((_, k) => k % templates.length === 0));
    expectNear(await asked({ ...words, prompts: templates[0]! }), shifted(first), 4);
  });
});

test("the scale is the file's with both towers, that of weights beside, the option's, or assumed; each is told", async () => {
  const words = { classes: at("names.txt"), prompts: "a photo of a {}." };
  const said = async (more: ModelWords) => (await openModel({ ...words, ...more })).remarks!.at(-1);
  expect(await said({ model: stored("clip", "onnx", "model.onnx") })).toBe(
    `scale: ${Number(clip.scale.toPrecision(5))} (model.onnx)`,
  );
  expect(await said({ model: vision })).toMatch(/scale: 100 \(assumed/);
  expect(await said({ model: vision, logitScale: 7 })).toBe("scale: 7 (options)");
  cpSync(stored("clip"), at("hub"), { recursive: true });
  const tensors = new Map([["logit_scale", { shape: [], data: Float32Array.of(Math.log(clip.scale)) }]]);
  writeFileSync(at("hub", "model.safetensors"), encodeSafetensors({ tensors, metadata: {} }));
  expect(await said({ model: at("hub", "onnx", "vision_model.onnx") })).toBe(
    `scale: ${Number(clip.scale.toPrecision(5))} (model.safetensors)`,
  );
  await expect(openModel({ model: vision, logitScale: 7 })).rejects.toThrow(
    /--logit-scale is for models of images and texts/,
  );
});

test("embeddings in files of all kinds say the same as the tower does", async () => {
  const rows = names.map((_, code) => clip.textEmbeds[code * templates.length]!);
  const [classes, width] = [rows.length, rows[0]!.length];
  const flat = Float32Array.from(rows.flat(), (value) => 3 * value);
  writeFileSync(at("e.npy"), Buffer.concat([npyHeader("<f4", [classes, width]), Buffer.from(flat.buffer)]));
  const wide = Float64Array.from(flat);
  writeFileSync(
    at("wide.npy"),
    Buffer.concat([npyHeader("<f8", [classes, width]), Buffer.from(wide.buffer)]),
  );
  const tensors = new Map([
    ["text_embeds", { shape: [classes, width], data: flat }],
    ["logit_scale", { shape: [1], data: Float32Array.of(Math.log(clip.scale)) }],
  ]);
  writeFileSync(at("e.safetensors"), encodeSafetensors({ tensors, metadata: {} }));
  const header = Array.from({ length: width }, (_, k) => `${k}`).join();
  const lines = rows.map((row, code) => `${names[code]},${row.join()}`);
  writeFileSync(at("named.csv"), `name,${header}\n${lines.join("\n")}\n`);
  writeFileSync(
    at("pandas.csv"),
    `,${header}\n${rows.map((row, code) => `${code},${row.join()}`).join("\n")}\n`,
  );
  writeFileSync(at("bare.csv"), `${rows.map((row) => row.join()).join("\n")}\n`);
  const wanted = clip.logitsPerImage.map((row) => row.filter((_, k) => k % templates.length === 0));
  for (const file of ["e.npy", "wide.npy", "e.safetensors", "named.csv", "pandas.csv", "bare.csv"]) {
    const scale = file.endsWith(".safetensors") ? {} : { logitScale: clip.scale };
    const model = { model: vision, textEmbeddings: at(file), ...scale };
    expectNear(await asked({ ...model, classes: at("names.txt") }), wanted, 4);
    expect((await openModel(model)).classNames, file).toEqual(file === "named.csv" ? names : undefined);
  }
});

test("kept embeddings are used again, and never for other texts", async () => {
  const words = { model: vision, classes: at("names.txt"), textEmbeddings: at("kept.safetensors") };
  let embedded = 0;
  const open = (prompts: string) => openModel({ ...words, prompts }, { onTexts: () => embedded++ });
  const first = await open("a photo of a {}.");
  expect(embedded).toBeGreaterThan(0);
  embedded = 0;
  const second = await open("a photo of a {}.");
  expect(embedded).toBe(0);
  expect(second.digest).toBe(first.digest);
  await expect(open("a sketch of a {}.")).rejects.toThrow(/made of other texts/);
  const other = await openModel({ model: vision, classes: at("names.txt"), prompts: "a sketch of a {}." });
  expect(other.digest).not.toBe(first.digest);
  const alone = await openModel({ model: vision, textEmbeddings: at("kept.safetensors") });
  expect(alone.classNames).toEqual(names);
});

test("each class may have texts of its own, and lists as Python writes them are read", async () => {
  const own = Object.fromEntries(names.map((name) => [name, [`a photo of a ${name}.`, name]]));
  writeFileSync(at("own.json"), JSON.stringify(own));
  writeFileSync(at("python.txt"), `'a photo of a {c}.',\n"{c}",\n`);
  const words = { model: vision, classes: at("names.txt"), logitScale: clip.scale };
  const byClass = await asked({ ...words, prompts: at("own.json") });
  expectNear(byClass, await asked({ ...words, prompts: at("python.txt") }), 5);
  writeFileSync(at("fewer.json"), JSON.stringify({ [names[0]!]: ["x"] }));
  await expect(openModel({ ...words, prompts: at("fewer.json") })).rejects.toThrow(
    /no texts for the class "fire engine"/,
  );
  await expect(openModel({ ...words, prompts: at("names.txt") })).rejects.toThrow(/without a place/);
});

test.each(["vision_model.onnx", "model.onnx"])(
  "%s as expressions gives the same logits, so that gradients are its own",
  async (file) => {
    const words = {
      model: stored("clip", "onnx", file),
      classes: at("names.txt"),
      prompts: at("templates.txt"),
    };
    const model = await openModel({ ...words, logitScale: clip.scale });
    const { takes, preparation } = model as { takes: { image: ImageShape }; preparation: ModelPreparation };
    const bytes = pictures.map(
      ({ height, width }) => picturePrepared(formulaImage(height, width), preparation.picture!).data,
    );
    const { height, width, channels } = takes.image;
    const { logits, layers } = (await model.network!()).build(
      input("images", [bytes.length, channels, height, width]),
    );
    const state = new State();
    initialise(layers.parameters.all, state, testRandom);
    const program = await Executable.compile({ outputs: { logits } });
    const images = networkInput(Buffer.concat(bytes), takes.image, preparation.pixels);
    const found = (await program.run({ images }, { state })).logits!;
    await program.close();
    expectNear([[...found]], [clip.ensembled.flat()], 3);
  },
);

describe("on the command line", () => {
  beforeAll(() => {
    for (const [c, name] of ["polar_bear", "fire_engine"].entries()) {
      mkdirSync(at("photos", name), { recursive: true });
      for (let i = 0; i < 12; i++)
        writeFileSync(
          at("photos", name, `${i}.png`),
          encodePng(formulaImage(30 + i, 28 + ((5 * i + c) % 17))),
        );
    }
  });

  test("a folder as on the hub needs no more than prompts: classes are the data's", async () => {
    const { code, stderr } = await ranHere([
      "predict",
      vision,
      "--prompts",
      "a photo of a {}.",
      "--data",
      at("photos"),
      "--out",
      at("p.csv"),
    ]);
    expect(stderr).toMatch(
      /prompts: "a photo of a \{\}\." \(options\), by text_model\.onnx and tokenizer\.json/,
    );
    expect(stderr).toMatch(
      /size: shorter side to 24, bicubic, middle of 24 × 24 \(preprocessor_config\.json\)/,
    );
    expect(stderr).toMatch(/classes: the data's 2/);
    expect(code).toBe(0);
    expect(readFileSync(at("p.csv"), "utf8")).toMatch(/polar_bear/);
  });

  test("an audit opens it in the same words, and looks with gradients", async () => {
    const classes = at("underscored.txt");
    const words = ["--prompts", "a photo of a {}.", "--classes", classes, "--data", at("photos"), "--json"];
    writeFileSync(classes, "polar_bear\nfire_engine\nx\n");
    const audit = await ranHere(["audit", "model", vision, ...words, "--set", "interventions=colour"]);
    expect(audit.stderr).toMatch(/prompts:/);
    expect(audit.code).toBe(0);
    const looks = await ranHere(["audit", "looks", vision, ...words]);
    expect(looks.code).toBe(0);
    expect(looks.stdout).not.toMatch(/there are no gradients/);
    expect(looks.stdout).toMatch(/integrated-gradients/);
  });

  test("unlabelled images want classes that are named", async () => {
    const words = ["--prompts", "a {}", "--no-labels", "--data", at("photos"), "--out", at("never.csv")];
    const { code, stderr } = await ranHere(["predict", vision, ...words]);
    expect(stderr).toMatch(/name them with --classes/);
    expect(code).not.toBe(0);
  });
});

const prompts = "a {}";
test.each<[string, () => ModelWords, RegExp]>([
  ["the image tower alone", () => ({ model: vision, classes: at("names.txt") }), /named as embeddings/],
  ["both towers without texts", () => ({ model: stored("clip", "onnx", "model.onnx") }), /--prompts/],
  [
    "towers of two models",
    () => ({
      model: vision,
      prompts,
      classes: at("names.txt"),
      textTower: stored("siglip", "onnx", "text_model.onnx"),
    }),
    /differ in length/,
  ],
  [
    "a text tower that is none",
    () => ({ model: vision, prompts, classes: at("names.txt"), textTower: vision }),
    /no text tower/,
  ],
  [
    "a tokenizer that is none",
    () => ({ model: vision, prompts, tokenizer: stored("clip", "config.json") }),
    /tokenizer cannot be read/,
  ],
  [
    "a matrix of another model",
    () => {
      const numbers = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
      writeFileSync(at("short.npy"), Buffer.concat([npyHeader("<f4", [2, 3]), numbers]));
      return { model: vision, textEmbeddings: at("short.npy") };
    },
    /differ in length/,
  ],
  [
    "an image tower by itself",
    () => {
      mkdirSync(at("alone"), { recursive: true });
      copyFileSync(vision, at("alone", "image.onnx"));
      return { model: at("alone", "image.onnx"), prompts };
    },
    /none lies beside[\s\S]*--text-tower/,
  ],
])("%s is refused by name", async (_, words, message) => {
  await expect(openModel(words())).rejects.toThrow(message);
});
