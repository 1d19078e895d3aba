/** An inpainter that people bring as ONNX, such as LaMa: a picture and a mask of its hole in, the picture without the hole out. */

import { basename } from "node:path";
import type { Pixels } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { type FoundTensor, OnnxGraph } from "../../../engine/onnx-graph.ts";
import { inColour } from "../../../images/fit.ts";
import { dilate } from "../../../images/inpaint/index.ts";
import { resizeBy } from "../../../images/resize.ts";
import { bytesAsTheyAre, networkInput } from "../preparation.ts";

type GraphValue = OnnxGraph["inputs"][number];

export const inpainterRanges = ["unit", "half", "bytes"] as const;

export interface InpainterWords {
  inpainter?: string | undefined;
  /** What floats it takes for pictures: 0 to 1 unless told. Bytes are told by the file. */
  inpainterRange?: (typeof inpainterRanges)[number] | undefined;
  /** What its mask is 1 for (255 of bytes): the hole, unless told. */
  inpainterMask?: "hole" | "known" | undefined;
}

export interface OpenInpainter {
  /** The picture with what the mask covers filled in; the rest is as it was. */
  fill: (picture: Pixels, mask: Uint8Array) => Promise<Pixels>;
  said: string;
  close: () => Promise<void>;
}

/** Where the file leaves it open. */
const usualSide = 512;

/** Of the shorter side, how far holes are widened: nothing of the thing's edge is left to copy from. */
const widened = 0.03;

/** Levels of 255 by which a network may change on average what it was to leave alone, resized there and back. */
const mostChange = 24;

/** What a byte is for the network, and back. */
const scales = {
  unit: { factor: 1 / 255, mean: 0, back: (value: number) => 255 * value },
  half: { factor: 1 / 127.5, mean: 1, back: (value: number) => 127.5 * (value + 1) },
  bytes: { factor: 1, mean: 0, back: (value: number) => value },
};

export async function openInpainter(
  { inpainter, inpainterRange = "unit", inpainterMask = "hole" }: InpainterWords,
  threads: number | undefined,
): Promise<OpenInpainter> {
  const path = inpainter!;
  const graph = await OnnxGraph.open(path, { threads });
  const { picture, hole, output, side } = chosenValues(graph, path);
  const range = picture.type === "uint8" ? "bytes" : inpainterRange;
  return {
    said: `${basename(path)}, pictures stretched to ${side.height} × ${side.width}, ${range === "bytes" ? "bytes" : range === "unit" ? "0 to 1" : "-1 to 1"}, ${inpainterMask === "hole" ? "1 where the hole is" : "0 where the hole is"}`,
    close: () => graph.close(),
    async fill(given, mask) {
      const colour = inColour(given);
      const wide = dilate(mask, given.width, widenedBy(given));
      const small = resizeBy("triangle", colour, side.height, side.width);
      const stretched = resizeBy("triangle", { ...given, data: wide, channels: 1 }, side.height, side.width);
      // Whatever the hole touches is unknown.
      const unknown = stretched.data.map((value) => (value > 0 ? 1 : 0));
      const one = hole.type === "uint8" ? 255 : 1;
      const marked = unknown.map((value) => ((value === 1) === (inpainterMask === "hole") ? one : 0));
      const found = await graph.run(
        {
          [picture.name]: {
            type: picture.type,
            data: tensorOf(small, picture, range),
            shape: shapeOf(picture, small),
          },
          [hole.name]: {
            type: hole.type,
            data: marked,
            shape: shapeOf(hole, { ...side, channels: 1 }),
          },
        },
        [output],
      );
      const filled = pictureIn(found[0]!, small, unknown, path);
      const whole = resizeBy("triangle", filled, given.height, given.width);
      const data = Uint8Array.from(colour.data);
      for (let at = 0; at < wide.length; at++)
        if (wide[at]! > 0) data.set(whole.data.subarray(3 * at, 3 * at + 3), 3 * at);
      return { ...colour, data };
    },
  };
}

function widenedBy({ height, width }: Pick<Pixels, "height" | "width">): number {
  return 2 * Math.ceil((widened * Math.min(height, width)) / 2) + 1;
}

/** One input of three channels and one of one, and an output like the first. */
function chosenValues(graph: OnnxGraph, where: string) {
  const channelsOf = ({ shape }: GraphValue) =>
    shape.length !== 4 ? undefined : [shape[1], shape[3]].find((count) => count === 3 || count === 1);
  const of = (values: readonly GraphValue[], channels: number, name: RegExp) => {
    const fitting = values.filter((value) => channelsOf(value) === channels);
    return fitting.find((value) => name.test(value.name)) ?? fitting[0];
  };
  const { inputs, outputs } = graph;
  const hole = of(inputs, 1, /mask/i);
  const picture = of(inputs, 3, /image|input/i);
  const output = of(outputs, 3, /output|result/i) ?? outputs.find(({ shape }) => shape.length === 4);
  if (inputs.length !== 2 || hole === undefined || picture === undefined || output === undefined)
    throw new CuelabError({
      kind: "input",
      what: "this is no inpainter that can be run",
      where,
      expected:
        "inputs of a picture [1, 3, rows, columns] and of its hole [1, 1, rows, columns], and an output like the first",
      got: [...inputs, ...outputs]
        .map(({ name, type, shape }) => `${name}: ${type} [${shape.join(", ")}]`)
        .join("; "),
    });
  const [rows, columns] = isLast(picture) ? picture.shape.slice(1, 3) : picture.shape.slice(2);
  const sideOf = (length: number | string | undefined) =>
    typeof length === "number" && length > 0 ? length : usualSide;
  return { picture, hole, output: output.name, side: { height: sideOf(rows), width: sideOf(columns) } };
}

/** Channels last. */
function isLast({ shape }: GraphValue): boolean {
  return shape[1] !== 3 && shape[1] !== 1;
}

function shapeOf(value: GraphValue, { height, width, channels }: Omit<Pixels, "data">): number[] {
  return isLast(value) ? [1, height, width, channels] : [1, channels, height, width];
}

function tensorOf(picture: Pixels, value: GraphValue, range: keyof typeof scales): Float32Array | Uint8Array {
  const { factor, mean } = scales[range];
  const isBytes = value.type === "uint8";
  if (isLast(value))
    return isBytes ? picture.data : Float32Array.from(picture.data, (byte) => byte * factor - mean);
  const planes = networkInput(picture.data, picture, {
    ...bytesAsTheyAre(3),
    factor,
    mean: [mean, mean, mean],
  });
  return isBytes ? Uint8Array.from(planes) : planes;
}

/**
 * Nobody says which numbers come out (LaMa's exports take 0 to 1 and give bytes): those are taken by which what was to be left alone is most like
 * what it was. What is unlike it by all of them is refused: then the picture or its mask was not what the network expects.
 */
function pictureIn({ dims, values }: FoundTensor, given: Pixels, unknown: Uint8Array, where: string): Pixels {
  const { height, width } = given;
  const places = height * width;
  const last = dims.at(-1) === 3;
  const [rows, columns] = last ? dims.slice(-3, -1) : dims.slice(-2);
  if (values.length !== 3 * places || rows !== height || columns !== width)
    throw wrong(where, `a picture [1, 3, ${height}, ${width}]`, `[${dims.join(", ")}]`);
  if (!values.every((value) => Number.isFinite(value))) throw wrong(where, "numbers", "some that are none");
  const at = (place: number, c: number) => values[last ? 3 * place + c : c * places + place]!;
  const changeBy = ({ back }: (typeof scales)[keyof typeof scales]) => {
    let [sum, count] = [0, 0];
    for (let place = 0; place < places; place++) {
      if (unknown[place] === 1) continue;
      for (let c = 0; c < 3; c++) {
        sum += Math.abs(Math.min(255, Math.max(0, back(at(place, c)))) - given.data[3 * place + c]!);
        count++;
      }
    }
    return count === 0 ? 0 : sum / count;
  };
  const [best] = inpainterRanges
    .map((name) => ({ scale: scales[name], change: changeBy(scales[name]) }))
    .sort((a, b) => a.change - b.change);
  if (best!.change > mostChange)
    throw wrong(
      where,
      `outside of the hole about the picture that it was given, within ${mostChange} levels of 255 on average`,
      `${best!.change.toFixed(0)} levels apart`,
    );
  const data = new Uint8ClampedArray(3 * places);
  for (let place = 0; place < places; place++)
    for (let c = 0; c < 3; c++) data[3 * place + c] = best!.scale.back(at(place, c));
  return { ...given, data: new Uint8Array(data.buffer) };
}

function wrong(where: string, expected: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the inpainter gives no picture without its hole",
    where,
    expected,
    got,
    todo: "say what it takes with --inpainter-range (unit, half or bytes) and --inpainter-mask (hole or known)",
  });
}
