/** A segmenter that people bring as ONNX: [batch, classes, rows, columns], or one map of how much of the thing is where. */

import { basename } from "node:path";
import type { Pixels } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { elementTypeOf } from "../../../engine/onnx/decode-tensor.ts";
import { OnnxGraph } from "../../../engine/onnx-graph.ts";
import { inColour } from "../../../images/fit.ts";
import { resizeBy } from "../../../images/resize.ts";
import { describeOnnxFile } from "../../../models/onnx/describe-file.ts";
import { imageInput } from "../../../models/onnx/image-input.ts";
import { numbersOfOutput } from "../output-kind.ts";
import { networkInput } from "../preparation.ts";
import { preparationFor } from "../preparation-words.ts";

export interface SegmenterWords {
  segmenter?: string | undefined;
  /** As `--preparation` of the model: its pixels; sizes are the segmenter's own. */
  segmenterPreparation?: string | undefined;
  /** Numbers of the classes that are the thing; by default all but the first, which is the background. */
  segmenterClasses?: readonly number[] | undefined;
  /** Which of several outputs. */
  segmenterOutput?: string | undefined;
}

export interface OpenSegmenter {
  /** 255 where the thing is, of the image's size. */
  maskOf: (image: Pixels) => Promise<Pixels>;
  said: string;
  close: () => Promise<void>;
}

/** Where the file leaves it open. */
const usualSide = 512;

export async function openSegmenter(
  { segmenter, segmenterPreparation: preparation, segmenterClasses: wanted, segmenterOutput }: SegmenterWords,
  threads: number | undefined,
): Promise<OpenSegmenter> {
  const path = segmenter!;
  const { model } = await describeOnnxFile(path);
  const input = imageInput(model.graph, path);
  const side = { height: input.height ?? usualSide, width: input.width ?? usualSide };
  const sized = { ...input, ...side };
  const { preparation: prepared } = await preparationFor(
    { path, input: sized, model },
    { preparation, size: side.height },
  );
  const image = { ...side, channels: input.channels ?? 3 };
  const output = mapOutput(model.graph.outputs, segmenterOutput, path);
  const isShare = numbersOfOutput(model.graph, output) !== "logits";
  const graph = await OnnxGraph.open(path, { threads });
  const dims =
    input.layout === "NCHW"
      ? [image.channels, side.height, side.width]
      : [side.height, side.width, image.channels];
  const type = graph.inputs[0]!.type;
  const pixels = prepared.said.find(({ part }) => part === "pixels")!;
  const chosen = wanted === undefined ? undefined : new Set(wanted);
  return {
    said: `${basename(path)}, output ${output}, pictures stretched to ${side.height} × ${side.width}, ${pixels.how} (${pixels.from})`,
    close: () => graph.close(),
    async maskOf(picture) {
      const given = resizeBy("triangle", inColour(picture), side.height, side.width);
      const floats = input.kind === "bytes" ? given.data : networkInput(given.data, image, prepared.pixels);
      const data =
        input.layout === "NCHW" || input.kind === "bytes"
          ? floats
          : channelsLast(floats as Float32Array, image);
      const [found] = await graph.run({ [input.name]: { type, data, shape: [input.batch ?? 1, ...dims] } }, [
        output,
      ]);
      const map = binary(found!, chosen, isShare, path);
      const whole = resizeBy("triangle", map, picture.height, picture.width);
      return { ...whole, data: whole.data.map((value) => (value > 127 ? 255 : 0)) };
    },
  };
}

function channelsLast(
  planes: Float32Array,
  { height, width, channels }: { height: number; width: number; channels: number },
): Float32Array {
  const places = height * width;
  return planes.map((_, at) => planes[(at % channels) * places + Math.floor(at / channels)]!);
}

function mapOutput(
  outputs: readonly { name: string; type: number; shape: readonly (number | string)[] | undefined }[],
  wanted: string | undefined,
  where: string,
): string {
  const isMap = ({ type, shape }: (typeof outputs)[number]) =>
    elementTypeOf(type) !== undefined && (shape === undefined || shape.length === 3 || shape.length === 4);
  const found = wanted === undefined ? outputs.find(isMap) : outputs.find(({ name }) => name === wanted);
  if (found !== undefined && isMap(found)) return found.name;
  throw new CuelabError({
    kind: "input",
    what: wanted === undefined ? "this is no segmenter" : `the segmenter has no map "${wanted}"`,
    where,
    expected:
      "an output [batch, classes, rows, columns], [batch, 1, rows, columns] or [batch, rows, columns]",
    got: outputs.map(({ name, shape }) => `${name} [${shape?.join(", ") ?? "?"}]`).join("; "),
    todo: "of several outputs name one with --segmenter-output",
  });
}

/** 255 where the thing is. One channel: shares above a half, or logits above 0. Several: the class that wins. */
function binary(
  { dims, values }: { dims: readonly number[]; values: Float32Array },
  wanted: ReadonlySet<number> | undefined,
  isShare: boolean,
  where: string,
): Pixels {
  const [height, width] = dims.slice(-2) as [number, number];
  const channels = dims.length === 4 ? dims[1]! : 1;
  const places = height * width;
  if (!(places > 1) || values.length < channels * places)
    throw new CuelabError({
      kind: "input",
      what: "the segmenter gives no map",
      where,
      expected: "[batch, classes, rows, columns]",
      got: `[${dims.join(", ")}]`,
    });
  const own = values.subarray(0, channels * places);
  const isThing = (code: number) => (wanted === undefined ? code !== 0 : wanted.has(code));
  const data = new Uint8Array(places);
  if (channels > 1) {
    for (let at = 0; at < places; at++) {
      let best = 0;
      for (let code = 1; code < channels; code++)
        if (own[code * places + at]! > own[best * places + at]!) best = code;
      data[at] = isThing(best) ? 255 : 0;
    }
    return { data, height, width, channels: 1 };
  }
  // A map of class numbers, which the network has chosen itself; or of how sure it is.
  const isNumbers =
    own.some((value) => value > 1) && own.every((value) => Number.isInteger(value) && value >= 0);
  const limit = isShare || own.every((value) => value >= 0 && value <= 1) ? 0.5 : 0;
  for (let at = 0; at < places; at++)
    data[at] = (isNumbers || wanted !== undefined ? isThing(Math.round(own[at]!)) : own[at]! > limit)
      ? 255
      : 0;
  return { data, height, width, channels: 1 };
}
