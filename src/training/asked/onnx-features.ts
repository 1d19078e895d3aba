/** What an ONNX file's last layer takes: found in the graph, or named; the file is run as it is, up to there. */

import { CuelabError } from "../../core/errors.ts";
import { didYouMean } from "../../core/nearest.ts";
import { readPlain } from "../../disk/plain-file.ts";
import type { StoredModel } from "../../engine/onnx/decode-model.ts";
import { endedAt } from "../../engine/onnx/end-at.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { describeOnnxFile } from "../../models/onnx/describe-file.ts";
import { type FoundHead, findHead } from "../../models/onnx/head.ts";
import { parameterNames } from "../../models/onnx/parameter-names.ts";
import { readOnnxFile } from "../../models/onnx/read-file.ts";

export interface EndedFile {
  /** The value's name in the file. */
  layer: string;
  /** The last linear layer, where this is what it takes. */
  head: FoundHead | undefined;
  /** Numbers an image. */
  width: number;
  /** The file as it is up to there. */
  bytes: Uint8Array;
}

/** `output` is the one with a number for each class; `wanted` names another value than the one before the last layer. */
export async function endedFile(
  path: string,
  output: string,
  wanted: string | undefined,
): Promise<EndedFile> {
  const { model, numbers } = await storedModel(path);
  const found = findHead(model.graph, output, parameterNames(model.graph));
  const layer = wanted ?? found?.features;
  if (layer === undefined) throw noHead(path, model);
  if (!model.graph.nodes.some(({ outputs }) => outputs.includes(layer))) throw noValue(path, model, layer);
  const head = found?.features === layer ? found : undefined;
  const bytes = endedAt(await readPlain(path), layer, numbers);
  return { layer, head, bytes, width: await widthIn(path, bytes, layer, head) };
}

/** With the numbers of files beside it, where it has any. */
async function storedModel(
  path: string,
): Promise<{ model: StoredModel; numbers: ReadonlyMap<string, Uint8Array> }> {
  const { model } = await describeOnnxFile(path);
  const isElsewhere = [...model.graph.initialisers.values()].some(({ external }) => external !== undefined);
  if (!isElsewhere) return { model, numbers: new Map() };
  const { model: whole } = await readOnnxFile(path);
  const held = [...whole.graph.initialisers.values()].flatMap(({ name, external, raw }) =>
    external && raw ? [[name, raw] as const] : [],
  );
  return { model: whole, numbers: new Map(held) };
}

/** As the runtime infers it. */
async function widthIn(
  path: string,
  bytes: Uint8Array,
  layer: string,
  head: FoundHead | undefined,
): Promise<number> {
  const opened = await OnnxModel.open(path, { output: layer }, bytes);
  try {
    const { shape } = opened.outputs.find(({ name }) => name === layer)!;
    const [, ...lengths] = shape;
    const sizes = lengths.map((length) => (typeof length === "number" && length > 0 ? length : undefined));
    const isRow = sizes.length > 0 && sizes.slice(1).every((size) => size === 1);
    if (isRow && sizes[0] !== undefined) return sizes[0];
    // A linear layer takes one row of numbers an image, whatever the file says or leaves open.
    if (head !== undefined && sizes.length <= 1) return head.inputs;
    throw new CuelabError({
      kind: "usage",
      what: `"${layer}" is no row of numbers an image`,
      where: path,
      expected: "[images, features]",
      got: `[${shape.join(", ")}]`,
      todo: "name another value with --layer, such as what the pooling before the last layer gives",
    });
  } finally {
    await opened.close();
  }
}

function noHead(path: string, { graph }: StoredModel): CuelabError {
  const last = graph.nodes.slice(-5).map(({ operator, outputs }) => `${outputs[0]} (${operator})`);
  return new CuelabError({
    kind: "usage",
    what: "the network does not end in a linear layer",
    where: path,
    got: `the last values are ${last.join(", ")}`,
    todo: "name the value that counts as features with --layer",
  });
}

function noValue(path: string, { graph }: StoredModel, layer: string): CuelabError {
  const names = graph.nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== "");
  return new CuelabError({
    kind: "usage",
    what: `the network has no value "${layer}"`,
    where: path,
    expected: `one of ${names.length} values, of which the last are: ${names.slice(-8).join(", ")}`,
    ...didYouMean(layer, names),
  });
}
