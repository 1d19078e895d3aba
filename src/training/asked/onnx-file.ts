/** Anybody's ONNX file as a model that can be asked: it is run as it is, and read as expressions only where gradients are wanted. */

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { ImageShape } from "../../core/dataset.ts";
import { readPlain } from "../../disk/plain-file.ts";
import type { StoredModel } from "../../engine/onnx/decode-model.ts";
import type { OnnxModelOptions } from "../../engine/onnx-model.ts";
import { describeOnnxFile } from "../../models/onnx/describe-file.ts";
import type { FoundHead } from "../../models/onnx/head.ts";
import { imageInput, type OnnxInput } from "../../models/onnx/image-input.ts";
import { readOnnxNetwork } from "../../models/onnx/network.ts";
import type { OwnHead } from "../../runs/feature-writer.ts";
import type { AskedModel } from "./asked-model.ts";
import { chooseOutput, isEmbedding, widthOf } from "./choose-output.ts";
import { readClassFile } from "./class-file.ts";
import { type EndedFile, endedFile } from "./onnx-features.ts";
import { openOnnxSession } from "./onnx-session.ts";
import { numbersOfOutput, type OutputKind } from "./output-kind.ts";
import type { ModelPreparation } from "./preparation.ts";
import { foldersOf, type PreparationWords, preparationFor } from "./preparation-words.ts";

export interface OnnxWords extends PreparationWords {
  /** Which of several outputs. */
  output?: string | undefined;
}

/** A graph that makes a row of numbers of each image, opened as far as that can be without asking it. */
export interface OnnxRows {
  model: StoredModel;
  digest: string;
  input: OnnxInput;
  image: ImageShape;
  preparation: ModelPreparation;
  output: string;
  open: (outputs: OutputKind, threads: number | undefined) => ReturnType<AskedModel["open"]>;
  /** The file up to an inner value. */
  openUpTo: (file: Pick<EndedFile, "bytes" | "layer">, threads?: number) => ReturnType<AskedModel["open"]>;
  /** Numbers in a row. */
  width: number;
}

export interface RowsChoice {
  /** Names that the output may have, the likeliest first. */
  usualNames?: readonly string[];
  /** Inputs that are filled besides the images, and with what. */
  beside?: { names: readonly string[]; feeds: OnnxModelOptions["beside"] };
}

const plainRows: OutputKind = { numbers: "logits", alone: false };

export async function openRows(
  path: string,
  words: OnnxWords,
  { usualNames, beside }: RowsChoice = {},
): Promise<OnnxRows> {
  const { model, digest } = await describeOnnxFile(path);
  const found = imageInput(model.graph, path, beside?.names);
  const input = words.axes === undefined ? found : inAxes(found, words.axes);
  const { image, preparation } = await preparationFor({ path, input, model }, words);
  const output = chooseOutput(model.graph, words.output, path, usualNames);
  const { pixels } = preparation;
  const run = { path, input, image, pixels, output, inferring: true, wantsRows: true, beside: beside?.feeds };
  const open = async (outputs: OutputKind, threads: number | undefined) =>
    openOnnxSession({ ...run, outputs, ...(threads !== undefined && { threads }) });
  const openUpTo: OnnxRows["openUpTo"] = ({ bytes, layer }, threads) =>
    openOnnxSession({
      ...run,
      bytes,
      output: layer,
      outputs: plainRows,
      ...(threads !== undefined && { threads }),
    });
  const width = widthOf(model.graph, output) ?? (await askedWidth(() => open(plainRows, 1), image));
  return { model, digest, input, image, preparation, output, open, openUpTo, width };
}

export async function modelOfOnnx(path: string, words: OnnxWords = {}): Promise<AskedModel> {
  const rows = await openRows(path, words);
  const { model, digest, image, preparation, output, open, openUpTo, width } = rows;
  const outputs = { numbers: numbersOfOutput(model.graph, output), alone: width === 1 };
  const classes = outputs.alone ? 2 : width;
  const own = classNamesIn(model.metadata);
  const beside = own === undefined ? await namesBeside(path, classes) : undefined;
  return {
    name: basename(path),
    file: path,
    output,
    classNames: own ?? beside?.names,
    ...(beside && { classAliases: beside.aliases }),
    classes,
    takes: { image },
    preparation,
    digest,
    remarks: [...remarksOn(outputs, output), ...(beside ? [`classes: ${classes} names (config.json)`] : [])],
    open: ({ threads } = {}) => open(outputs, threads),
    features: async (layer) => {
      const ended = await endedFile(path, output, layer);
      return {
        layer: ended.layer,
        width: ended.width,
        head: ended.head && headOf(ended.head, outputs.alone),
        open: ({ threads } = {}) => openUpTo(ended, threads),
      };
    },
    network: () => readOnnxNetwork(path, (read) => withFirstOutput(read, output)),
  };
}

/** Of one number an image the first of two classes has the logit 0. */
function headOf(head: FoundHead, alone: boolean): OwnHead {
  const [weight, bias] = [head.weight(), head.bias()];
  if (!alone) return { name: head.name, weight, bias };
  const both = new Float32Array(2 * weight.length);
  both.set(weight, weight.length);
  return { name: head.name, weight: both, bias: Float32Array.from([0, bias[0]!]) };
}

function withFirstOutput({ graph, ...model }: StoredModel, name: string): StoredModel {
  const outputs = graph.outputs.toSorted((a, b) => Number(b.name === name) - Number(a.name === name));
  return { ...model, graph: { ...graph, outputs } };
}

/** The same lengths, read in another order. */
function inAxes(input: OnnxInput, layout: OnnxInput["layout"]): OnnxInput {
  if (input.layout === layout) return input;
  const { height, width, channels } = input;
  const lengths = input.layout === "NCHW" ? [channels, height, width] : [height, width, channels];
  const [first, second, third] = lengths;
  return layout === "NCHW"
    ? { ...input, layout, channels: first, height: second, width: third }
    : { ...input, layout, height: first, width: second, channels: third };
}

/** Where the file does not say how many numbers an image has. */
async function askedWidth(
  open: () => ReturnType<AskedModel["open"]>,
  { height, width, channels }: ImageShape,
): Promise<number> {
  const session = await open();
  try {
    return (await session.logits(new Uint8Array(height * width * channels).fill(128), 1)).length;
  } finally {
    await session.close();
  }
}

function remarksOn({ numbers, alone }: OutputKind, output: string): string[] {
  if (isEmbedding(output))
    return [
      `output "${output}" is named as embeddings are, and taken as logits: of a model of images and texts say what the classes are with --prompts or --text-embeddings`,
    ];
  if (alone)
    return [
      `output "${output}" is one number an image: ${numbers === "logits" ? "the second of two classes wins where it is above 0" : "the probability of the second of two classes"}`,
    ];
  if (numbers === "probabilities")
    return [`output "${output}" is probabilities: their logarithms are taken as logits`];
  if (numbers === "shares")
    return [`output "${output}" is a probability for each class by itself: log-odds are taken as logits`];
  return [];
}

/** In transformers' config beside the file, where it names as many and has not made the names up. */
async function namesBeside(path: string, classes: number) {
  const file = foldersOf(path)
    .map((folder) => join(folder, "config.json"))
    .find((each) => existsSync(each));
  const config = file === undefined ? undefined : parsed(String(await readPlain(file)));
  if (config === null || typeof config !== "object" || !("id2label" in config)) return undefined;
  // Nobody asked for it: where it is odd, nobody is stopped by it.
  const named = await readClassFile(file!).catch(() => []);
  const isMadeUp = named.every(({ name }) => /^LABEL_\d+$/.test(name));
  if (named.length !== classes || isMadeUp) return undefined;
  return {
    names: named.map(({ name }) => name),
    aliases: named.map(({ aliases }, code) => [...aliases, String(code)]),
  };
}

/** As our own exports, Ultralytics' and others have them. */
function classNamesIn(metadata: ReadonlyMap<string, string>): string[] | undefined {
  const own = metadata.get("classNames");
  if (own !== undefined) {
    const names: unknown = parsed(own);
    if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  }
  const theirs = metadata.get("names");
  if (theirs === undefined) return undefined;
  // A dictionary as Python prints it: {0: 'person', 1: "child's toy"}.
  const found = [...theirs.matchAll(/(\d+):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)];
  const names: string[] = [];
  for (const [, code, single, double] of found)
    names[Number(code)] = (single ?? double)!.replace(/\\(.)/g, "$1");
  return names.length > 0 && found.length === names.length ? names : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
