/** One file that holds both towers, as optimum and transformers.js export CLIP: what stands in for texts while images are asked, and the other way round. */

import type { StoredGraph } from "../../../engine/onnx/decode-model.ts";
import { elementTypeOf } from "../../../engine/onnx/decode-tensor.ts";
import type { GivenTensor } from "../../../engine/onnx-graph.ts";
import type { OnnxModelOptions } from "../../../engine/onnx-model.ts";
import { describeOnnxFile } from "../../../models/onnx/describe-file.ts";
import type { OnnxRows } from "../onnx-file.ts";
import { TextFeeds, textInputs } from "./text-tower.ts";
import type { TextTokenizer } from "./tokenizer-file.ts";

export function isBoth(graph: Pick<StoredGraph, "inputs">): boolean {
  const texts = textInputs(graph);
  return texts.length > 0 && texts.length < graph.inputs.length;
}

/** One empty text, or as many as there are images where the file wants equally many of both. */
export async function besideImages(
  path: string,
  tokenizer: TextTokenizer,
): Promise<{ names: readonly string[]; feeds: OnnxModelOptions["beside"] }> {
  const { graph } = (await describeOnnxFile(path)).model;
  const known = new Map<number, Record<string, GivenTensor>>();
  const feeds = (images: number) => {
    const count = areTied(graph) ? images : 1;
    const found = known.get(count) ?? feedOf(path, graph, tokenizer, count);
    known.set(count, found);
    return found;
  };
  return { names: textInputs(graph).map(({ name }) => name), feeds };
}

function feedOf(
  path: string,
  graph: StoredGraph,
  tokenizer: TextTokenizer,
  count: number,
): Record<string, GivenTensor> {
  const texts = Array<string>(count).fill("");
  const [first] = new TextFeeds({ path, graph, tokenizer }).of(texts, count);
  return first!.feeds;
}

/** An image of zeros, or as many as there are texts. */
export function besideTexts({
  model: { graph },
  input,
  image,
}: OnnxRows): (texts: number) => Record<string, GivenTensor> {
  const { height, width, channels } = image;
  const sides = input.layout === "NCHW" ? [channels, height, width] : [height, width, channels];
  const type = elementTypeOf(graph.inputs.find(({ name }) => name === input.name)!.type)?.name ?? "float32";
  return (texts) => {
    const shape = [areTied(graph) ? texts : (input.batch ?? 1), ...sides];
    const size = shape.reduce((product, length) => product * length, 1);
    return { [input.name]: { type, data: new Float32Array(size), shape } };
  };
}

/** Whether images and texts have one name, or one number, for how many there are. */
function areTied(graph: Pick<StoredGraph, "inputs">): boolean {
  const texts = textInputs(graph);
  const images = graph.inputs.find((each) => !texts.includes(each));
  const [ofTexts, ofImages] = [texts[0]?.shape?.[0], images?.shape?.[0]];
  return typeof ofTexts === "string" && ofTexts !== "" && ofTexts === ofImages;
}
