/** A detector that people bring as ONNX, as torchvision exports them: boxes by their corners, labels and scores. */

import { basename } from "node:path";
import type { Box } from "../../../core/box.ts";
import type { Pixels } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { elementTypeOf } from "../../../engine/onnx/decode-tensor.ts";
import { OnnxGraph } from "../../../engine/onnx-graph.ts";
import { inColour } from "../../../images/fit.ts";
import { resizeBy } from "../../../images/resize.ts";
import { describeOnnxFile } from "../../../models/onnx/describe-file.ts";
import { bytesAsTheyAre, networkInput } from "../preparation.ts";

export interface DetectorWords {
  detector?: string | undefined;
  /** Numbers of the labels that are looked for; by default all. */
  detectorClasses?: readonly number[] | undefined;
  /** Less sure boxes are left out; 0.5 unless told. */
  detectorScore?: number | undefined;
}

export interface OpenDetector {
  /** In pixels of the image, the surest first. */
  boxesOf: (image: Pixels) => Promise<readonly Box[]>;
  said: string;
  close: () => Promise<void>;
}

const usualScore = 0.5;

type Value = { name: string; type: number; shape: readonly (number | string)[] | undefined };

export async function openDetector(
  { detector, detectorClasses, detectorScore = usualScore }: DetectorWords,
  threads: number | undefined,
): Promise<OpenDetector> {
  const path = detector!;
  const { graph: stored } = (await describeOnnxFile(path)).model;
  const [input] = stored.inputs;
  const shape = input?.shape ?? [];
  const rank = shape.length;
  const kind = elementTypeOf(input?.type ?? 0);
  if (
    stored.inputs.length !== 1 ||
    (rank !== 3 && rank !== 4) ||
    (kind?.dtype !== "float" && kind?.name !== "uint8")
  )
    throw unread(
      path,
      stored.inputs,
      "one input [channels, rows, columns], with a batch's axis before it or without",
    );
  const outputs = chosenOutputs(stored.outputs, path);
  const isLast = shape.at(-1) === 3;
  const [rows, columns] = isLast ? shape.slice(-3, -1) : shape.slice(-2);
  const isByte = kind.name === "uint8";
  const graph = await OnnxGraph.open(path, { threads });
  const wanted = detectorClasses && new Set(detectorClasses);
  return {
    said: `${basename(path)}, boxes that it is sure of by ${detectorScore} or more, the surest of each image`,
    close: () => graph.close(),
    async boxesOf(picture) {
      // As large as they are, where the file leaves that open.
      const height = typeof rows === "number" ? rows : picture.height;
      const width = typeof columns === "number" ? columns : picture.width;
      const given = resizeBy("triangle", inColour(picture), height, width);
      const unit = { ...bytesAsTheyAre(3), factor: isByte ? 1 : 1 / 255 };
      const planes = networkInput(given.data, { height, width, channels: 3 }, unit);
      const data = isLast ? Float32Array.from(given.data, (byte) => byte * unit.factor) : planes;
      const dims = isLast ? [height, width, 3] : [3, height, width];
      const feed = { type: graph.inputs[0]!.type, data, shape: rank === 4 ? [1, ...dims] : dims };
      const [boxes, scores, labels] = await graph.run({ [input!.name]: feed }, outputs);
      const count = scores!.values.length;
      if (boxes!.values.length !== 4 * count || labels!.values.length !== count)
        throw unread(path, stored.outputs, "as many boxes as labels and scores");
      const order = Array.from(scores!.values.keys())
        .filter((i) => scores!.values[i]! >= detectorScore && (wanted?.has(labels!.values[i]!) ?? true))
        .sort((a, b) => scores!.values[b]! - scores!.values[a]!);
      const [down, across] = [picture.height / height, picture.width / width];
      return order.flatMap((i) =>
        boxBetween(boxes!.values.subarray(4 * i, 4 * i + 4), across, down, picture),
      );
    },
  };
}

/** By corners as floats: the whole pixels that it touches, within the picture. */
function boxBetween(
  corners: Float32Array,
  across: number,
  down: number,
  { height, width }: Pick<Pixels, "height" | "width">,
): Box[] {
  const [x0, y0, x1, y1] = corners as unknown as [number, number, number, number];
  const left = Math.max(0, Math.floor(x0 * across));
  const top = Math.max(0, Math.floor(y0 * down));
  const right = Math.min(width, Math.ceil(x1 * across));
  const bottom = Math.min(height, Math.ceil(y1 * down));
  return right > left && bottom > top ? [{ left, top, width: right - left, height: bottom - top }] : [];
}

/** By their names, else by their shapes: boxes have four numbers each, labels are whole. */
function chosenOutputs(outputs: readonly Value[], where: string): [string, string, string] {
  const named = (name: string) => outputs.find((each) => each.name === name)?.name;
  const isWhole = ({ type }: Value) => elementTypeOf(type)?.dtype === "int";
  const boxes = named("boxes") ?? outputs.find((each) => each.shape?.at(-1) === 4 && !isWhole(each))?.name;
  const labels = named("labels") ?? outputs.find(isWhole)?.name;
  const scores = named("scores") ?? outputs.find((each) => each.name !== boxes && !isWhole(each))?.name;
  if (boxes !== undefined && labels !== undefined && scores !== undefined) return [boxes, scores, labels];
  throw unread(
    where,
    outputs,
    "outputs boxes [n, 4] by their corners, labels [n] and scores [n], as torchvision exports detectors",
  );
}

function unread(where: string, values: readonly Value[], expected: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "this is no detector that can be run",
    where,
    expected,
    got: values
      .map(
        ({ name, type, shape }) =>
          `${name}: ${elementTypeOf(type)?.name ?? "?"} [${shape?.join(", ") ?? "?"}]`,
      )
      .join("; "),
  });
}
