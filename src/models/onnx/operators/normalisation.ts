/** Normalisation by statistics of a batch, of a layer, of a channel, of a group, or by length. */

import {
  add,
  batchNormInference,
  div,
  maximum,
  mean,
  mul,
  sqrt,
  standardise,
  sum,
  type Tensor,
} from "../../../engine/expressions.ts";
import { sizeOf } from "../../../engine/shapes.ts";
import { type OperatorCall, type OperatorFamily, positiveAxis } from "../call.ts";

/** By stored statistics, or, where it is wanted, by the batch's own while training; vectors are maps of one place. */
function batchNormalisation(call: OperatorCall): Tensor {
  const { around, node } = call;
  const given = call.input(0);
  const isMap = given.shape.length === 4;
  const x = isMap
    ? given
    : call.reshape(given, [...given.shape.slice(0, 2), sizeOf(given.shape.slice(2)), 1]);
  const [gamma, beta, epsilon] = [call.input(1), call.input(2), call.number("epsilon", 1e-5)];
  const [mean, variance] = [3, 4].map((i) => around.statistic(node.inputs[i] ?? ""));
  const learns = around.trainsBatchNorm && mean !== undefined && variance !== undefined;
  const result = learns
    ? around.layers.batchNormOf(node.inputs[1]!, x, gamma, beta, { mean, variance }, epsilon)
    : batchNormInference(
        x,
        gamma,
        beta,
        { mean: mean ?? call.input(3), variance: variance ?? call.input(4) },
        epsilon,
      );
  return isMap ? result : call.reshape(result, given.shape);
}

/** Over all axes from the given one on. */
function layerNormalisation(call: OperatorCall): Tensor {
  const x = call.input(0);
  const axis = positiveAxis(call.number("axis", -1), x.shape.length);
  const epsilon = call.number("epsilon", 1e-5);
  const isLast = axis === x.shape.length - 1;
  const flat = isLast ? x : call.reshape(x, [...x.shape.slice(0, axis), sizeOf(x.shape.slice(axis))]);
  const standard = standardise(flat, epsilon);
  const scaled = mul(isLast ? standard : call.reshape(standard, x.shape), call.input(1));
  return call.has(2) ? add(scaled, call.input(2)) : scaled;
}

/** Each image's channels in groups; scale and shift are by group before opset 21. */
function groupNormalisation(call: OperatorCall, groups: number): Tensor {
  const x = call.input(0);
  const [batch, channels] = x.shape as [number, number];
  const standard = standardise(
    call.reshape(x, [batch, groups, sizeOf(x.shape.slice(1)) / groups]),
    call.number("epsilon", 1e-5),
  );
  const [scale, shift] = [1, 2].map((i) => {
    const affine = call.input(i);
    const places = affine.shape[0] === channels ? [channels, 1] : [groups, 1];
    return call.reshape(affine, [1, ...places]);
  }) as [Tensor, Tensor];
  const parts = call.reshape(standard, [batch, scale.shape[1]!, sizeOf(x.shape.slice(1)) / scale.shape[1]!]);
  return call.reshape(add(mul(parts, scale), shift), x.shape);
}

function lengthNormalisation(call: OperatorCall): Tensor {
  const x = call.input(0);
  if (call.number("p", 2) !== 2) throw call.fail({ what: "divides by another length", expected: "p = 2" });
  const squares = sum(mul(x, x), [call.number("axis", -1)], { keep: true });
  return div(x, maximum(sqrt(squares), 1e-12));
}

function rootMeanSquare(call: OperatorCall): Tensor {
  const x = call.input(0);
  const first = positiveAxis(call.number("axis", -1), x.shape.length);
  const axes = x.shape.flatMap((_, axis) => (axis < first ? [] : [axis]));
  const square = mean(mul(x, x), axes, { keep: true });
  return mul(div(x, sqrt(add(square, call.number("epsilon", 1e-5)))), call.input(1));
}

export const normalisation: OperatorFamily = {
  BatchNormalization: batchNormalisation,
  GroupNormalization: (call) => groupNormalisation(call, call.number("num_groups", 1)),
  InstanceNormalization: (call) => groupNormalisation(call, call.input(0).shape[1]!),
  LayerNormalization: layerNormalisation,
  LpNormalization: lengthNormalisation,
  RMSNormalization: rootMeanSquare,
};
