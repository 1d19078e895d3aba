/** Mean zero and deviation one along the last axis: the core of group and layer normalisation. */

import type { Emitter } from "../onnx/emitter.ts";
import { shapeError } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { mul, sub } from "./elementwise.ts";
import { broadcastTo } from "./layout.ts";
import { mean } from "./reductions.ts";

interface StandardiseAttributes {
  epsilon: number;
}

/** Mean and 1 / √(variance + ε) of each row. */
function rows(
  node: Tensor<StandardiseAttributes>,
  x: Float64Array,
): { average: number; inverse: number; values: Float64Array }[] {
  const length = node.inputs[0]!.shape.at(-1)!;
  return Array.from({ length: x.length / length }, (_, row) => {
    const values = x.subarray(row * length, (row + 1) * length);
    const average = values.reduce((total, value) => total + value, 0) / length;
    const spread = values.reduce((total, value) => total + (value - average) ** 2, 0) / length;
    return { average, inverse: 1 / Math.sqrt(spread + node.attributes.epsilon), values };
  });
}

/** One LayerNormalization node serves all three ops: it gives the standardised rows, their means and inverse deviations. */
function emitAll(node: Tensor<StandardiseAttributes>, x: string, emitter: Emitter): string[] {
  const { epsilon } = node.attributes;
  const length = node.inputs[0]!.shape.at(-1)!;
  const ones = emitter.once(`ones ${length}`, () =>
    emitter.constant(new Float32Array(length).fill(1), [length], "float"),
  );
  return emitter.once(`standardise ${x} ${epsilon}`, () =>
    emitter.nodeWithOutputs("LayerNormalization", [x, ones], { axis: -1, epsilon: { float: epsilon } }, 3),
  );
}

const standardiseOp: Op<StandardiseAttributes> = {
  name: "standardise",
  gradient(node, dy) {
    const inverse = inverseDeviation(node.inputs[0]!, node.attributes.epsilon);
    const centred = sub(dy, mean(dy, [-1], { keep: true }));
    return [mul(inverse, sub(centred, mul(node, mean(mul(dy, node), [-1], { keep: true }))))];
  },
  interpret: (node, [x]) =>
    Float64Array.from(
      rows(node, x!).flatMap(({ average, inverse, values }) =>
        Array.from(values, (value) => (value - average) * inverse),
      ),
    ),
  emit: (node, [x], emitter) => emitAll(node, x!, emitter)[0]!,
};

/** (x − mean) / √(variance + ε) along the last axis. */
export function standardise(x: Tensor, epsilon: number): Tensor {
  if (x.shape.length < 1 || x.dtype !== "float")
    throw shapeError("standardise", "a float tensor with an axis", x);
  return new Tensor(standardiseOp, [x], { epsilon }, x.shape);
}

const inverseDeviationOp: Op<StandardiseAttributes> = {
  name: "inverseDeviation",
  gradient(node, dy) {
    const x = node.inputs[0]!;
    const slope = mul(mul(node, node), -1 / x.shape.at(-1)!);
    return [mul(standardise(x, node.attributes.epsilon), mul(dy, slope))];
  },
  interpret: (node, [x]) => Float64Array.from(rows(node, x!), ({ inverse }) => inverse),
  emit: (node, [x], emitter) => emitAll(node, x!, emitter)[2]!,
};

/** 1 / √(variance + ε) along the last axis, which is kept with length one. */
export function inverseDeviation(x: Tensor, epsilon: number): Tensor {
  return new Tensor(inverseDeviationOp, [x], { epsilon }, [...x.shape.slice(0, -1), 1]);
}

const rowMeanOp: Op<StandardiseAttributes> = {
  name: "rowMean",
  gradient(node, dy) {
    const { shape } = node.inputs[0]!;
    return [broadcastTo(mul(dy, 1 / shape.at(-1)!), shape)];
  },
  interpret: (node, [x]) => Float64Array.from(rows(node, x!), ({ average }) => average),
  emit: (node, [x], emitter) => emitAll(node, x!, emitter)[1]!,
};

/** The mean along the last axis, which is kept: where `standardise` with the same ε finds it anyway. */
export function rowMean(x: Tensor, epsilon: number): Tensor {
  return new Tensor(rowMeanOp, [x], { epsilon }, [...x.shape.slice(0, -1), 1]);
}
