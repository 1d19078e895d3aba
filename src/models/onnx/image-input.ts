/** What a foreign graph takes: one input of images, and how they lie in it. */

import { CuelabError } from "../../core/errors.ts";
import type { StoredGraph } from "../../engine/onnx/decode-model.ts";
import { elementTypeOf } from "../../engine/onnx/decode-tensor.ts";

export interface OnnxInput {
  name: string;
  layout: "NCHW" | "NHWC";
  /** Bytes as they are stored, or floats. */
  kind: "bytes" | "floats";
  /** Undefined where the file leaves it open. */
  height: number | undefined;
  width: number | undefined;
  channels: number | undefined;
  batch: number | undefined;
}

/** `beside` are inputs that somebody else fills. */
export function imageInput(
  graph: Pick<StoredGraph, "inputs">,
  where: string,
  beside: readonly string[] = [],
): OnnxInput {
  const [given, ...others] = graph.inputs.filter(({ name }) => !beside.includes(name));
  const { name, type, shape } = given ?? { name: "", type: 0, shape: undefined };
  const element = elementTypeOf(type);
  const kind = element?.name === "uint8" ? "bytes" : element?.dtype === "float" ? "floats" : undefined;
  if (others.length > 0 || kind === undefined || (shape !== undefined && shape.length !== 4)) {
    throw new CuelabError({
      kind: "input",
      what: "the network takes something else than images",
      where,
      expected: "one input of floats or bytes with four axes",
      got: graph.inputs
        .map(
          (each) =>
            `${each.name}: ${elementTypeOf(each.type)?.name ?? "?"} [${each.shape?.join(", ") ?? "?"}]`,
        )
        .join("; "),
      ...(graph.inputs.some((each) => each.name === "input_ids") && {
        todo: "of a model of images and texts say what the classes are: --prompts, with its tokenizer.json beside it; docs/predict.md",
      }),
    });
  }
  const lengths = (shape ?? ["", "", "", ""]).map((length) =>
    typeof length === "number" ? length : undefined,
  );
  const isFew = (length: number | undefined) => length !== undefined && length <= 4;
  // Where nothing is said, floats are as PyTorch has them, and bytes as images are stored.
  const isLast = isFew(lengths[3]) || (!isFew(lengths[1]) && kind === "bytes");
  const layout = isLast && !isFew(lengths[1]) ? "NHWC" : "NCHW";
  const [batch, ...sides] = lengths;
  const [channels, height, width] = layout === "NCHW" ? sides : [sides[2], sides[0], sides[1]];
  return { name, layout, kind, batch, channels, height, width };
}
