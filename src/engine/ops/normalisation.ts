/** Batch, group and layer normalisation, with gradients written out so that their sums are shared. */

import { CuelabError } from "../../core/errors.ts";
import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { sumsOfInputGradient } from "./convolution-identities.ts";
import { add, div, mul, sqrt, sub } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { mean, sum, variance } from "./reductions.ts";
import { inverseDeviation, rowMean, standardise } from "./standardise.ts";

const defaultEpsilon = 1e-5;

interface BatchNormAttributes {
  epsilon: number;
}

const batchAxes = [0, 2, 3];

/** [channels] → [1, channels, 1, 1]. */
function perChannel(x: Tensor): Tensor {
  return reshape(x, [1, -1, 1, 1]);
}

/** x minus its channel means, and one over its channel deviations [channels]. */
function batchStatistics(x: Tensor, epsilon: number): { centred: Tensor; inverse: Tensor } {
  const centred = sub(x, mean(x, batchAxes, { keep: true }));
  const spread = mean(mul(centred, centred), batchAxes);
  return { centred, inverse: div(1, sqrt(add(spread, epsilon))) };
}

const batchNormOp: Op<BatchNormAttributes> = {
  name: "batchNorm",
  gradient(node, dy) {
    const [x, gamma] = node.inputs as [Tensor, Tensor, Tensor];
    const { centred, inverse } = batchStatistics(x, node.attributes.epsilon);
    const count = sizeOf(x.shape) / x.shape[1]!;
    const sums = sumsOfInputGradient(dy, centred);
    const shiftGradient = sums?.plain ?? sum(dy, batchAxes);
    const scaleGradient = mul(sums?.weighted ?? sum(mul(dy, centred), batchAxes), inverse);
    const scale = mul(gamma, inverse);
    const slope = mul(mul(mul(scale, inverse), scaleGradient), -1 / count);
    const offset = mul(mul(scale, shiftGradient), -1 / count);
    const fromStatistics = add(mul(centred, perChannel(slope)), perChannel(offset));
    return [add(mul(dy, perChannel(scale)), fromStatistics), scaleGradient, shiftGradient];
  },
  interpret(node, [x, gamma, beta]) {
    const [batch, channels] = node.shape as [number, number];
    const area = sizeOf(node.shape.slice(2));
    const result = new Float64Array(x!.length);
    for (let channel = 0; channel < channels; channel++) {
      const places = Array.from(
        { length: batch * area },
        (_, i) => (Math.floor(i / area) * channels + channel) * area + (i % area),
      );
      const standard = standardised(
        places.map((at) => x![at]!),
        node.attributes.epsilon,
      );
      for (const [i, at] of places.entries()) result[at] = standard[i]! * gamma![channel]! + beta![channel]!;
    }
    return result;
  },
  lower(node) {
    const [x, gamma, beta] = node.inputs as [Tensor, Tensor, Tensor];
    const { centred, inverse } = batchStatistics(x, node.attributes.epsilon);
    return add(mul(centred, perChannel(mul(gamma, inverse))), perChannel(beta));
  },
};

function standardised(values: number[], epsilon: number): number[] {
  const average = values.reduce((total, value) => total + value, 0) / values.length;
  const spread = values.reduce((total, value) => total + (value - average) ** 2, 0) / values.length;
  return values.map((value) => (value - average) / Math.sqrt(spread + epsilon));
}

export interface RunningStatistics {
  mean: Tensor;
  variance: Tensor;
}

/** Normalises each channel of [batch, channels, rows, columns] by the batch's own mean and deviation. */
export function batchNorm(x: Tensor, gamma: Tensor, beta: Tensor, epsilon = defaultEpsilon): Tensor {
  checkAffine("batchNorm", x, gamma, beta);
  return new Tensor(batchNormOp, [x, gamma, beta], { epsilon }, x.shape);
}

/** Normalises by stored statistics, as in evaluation. */
export function batchNormInference(
  x: Tensor,
  gamma: Tensor,
  beta: Tensor,
  running: RunningStatistics,
  epsilon = defaultEpsilon,
): Tensor {
  checkAffine("batchNormInference", x, gamma, beta);
  const scale = div(gamma, sqrt(add(running.variance, epsilon)));
  return add(mul(x, perChannel(scale)), perChannel(sub(beta, mul(running.mean, scale))));
}

/** Running statistics after a batch: an exponential average, with the unbiased variance as in PyTorch. */
export function updateRunning(x: Tensor, running: RunningStatistics, momentum = 0.1): RunningStatistics {
  const count = sizeOf(x.shape) / x.shape[1]!;
  const unbiased = mul(variance(x, batchAxes), count / Math.max(1, count - 1));
  const blend = (old: Tensor, now: Tensor) => add(mul(old, 1 - momentum), mul(now, momentum));
  return { mean: blend(running.mean, mean(x, batchAxes)), variance: blend(running.variance, unbiased) };
}

interface GroupNormAttributes {
  groups: number;
  epsilon: number;
}

/** [batch, channels, ...] as [batch, groups, everything of a group]. */
function grouped(x: Tensor, groups: number): Tensor {
  return reshape(x, [x.shape[0]!, groups, -1]);
}

const groupNormOp: Op<GroupNormAttributes> = {
  name: "groupNorm",
  gradient(node, dy) {
    const [x, gamma] = node.inputs as [Tensor, Tensor, Tensor];
    const { groups, epsilon } = node.attributes;
    const [batch, channels] = x.shape as [number, number];
    const blocks = grouped(x, groups);
    const count = blocks.shape[2]!;
    // From x itself and its statistics, as in PyTorch: the standardised map need not be kept.
    const average = rowMean(blocks, epsilon); // [batch, groups, 1]
    const inverse = inverseDeviation(blocks, epsilon);
    const sums = sum(dy, [2, 3]); // [batch, channels]
    const weighted = grouped(sum(mul(dy, x), [2, 3]), groups);
    const products = reshape(mul(sub(weighted, mul(grouped(sums, groups), average)), inverse), sums.shape);
    const byGroup = (values: Tensor) =>
      mul(
        sum(reshape(mul(values, gamma), [batch, groups, -1]), [2], { keep: true }),
        mul(inverse, -1 / count),
      );
    const scale = reshape(mul(inverse, reshape(gamma, [1, groups, -1])), [batch, channels, 1, 1]);
    const direct = grouped(mul(dy, scale), groups);
    const slope = mul(byGroup(products), inverse);
    const fromStatistics = add(mul(blocks, slope), sub(byGroup(sums), mul(average, slope)));
    return [reshape(add(direct, fromStatistics), x.shape), sum(products, [0]), sum(sums, [0])];
  },
  interpret(node, [x, gamma, beta]) {
    const { groups, epsilon } = node.attributes;
    const [batch, channels] = node.shape as [number, number];
    const area = sizeOf(node.shape.slice(2));
    const size = x!.length / (batch * groups);
    const result = new Float64Array(x!.length);
    for (let start = 0; start < x!.length; start += size) {
      result.set(standardised([...x!.subarray(start, start + size)], epsilon), start);
    }
    return result.map((value, i) => {
      const channel = Math.floor(i / area) % channels;
      return value * gamma![channel]! + beta![channel]!;
    });
  },
  lower(node) {
    const [x, gamma, beta] = node.inputs as [Tensor, Tensor, Tensor];
    const standard = reshape(
      standardise(grouped(x, node.attributes.groups), node.attributes.epsilon),
      x.shape,
    );
    return add(mul(standard, perChannel(gamma)), perChannel(beta));
  },
};

/** Normalises each image's channels in `groups` groups (Wu & He 2018). */
export function groupNorm(
  x: Tensor,
  gamma: Tensor,
  beta: Tensor,
  groups: number,
  epsilon = defaultEpsilon,
): Tensor {
  checkAffine("groupNorm", x, gamma, beta);
  if (x.shape[1]! % groups !== 0) {
    throw new CuelabError({
      kind: "failure",
      what: "groupNorm: channels do not divide into groups",
      expected: `a multiple of ${groups} channels`,
      got: `${x.shape[1]} channels`,
    });
  }
  return new Tensor(groupNormOp, [x, gamma, beta], { groups, epsilon }, x.shape);
}

/** Normalises over the last axis, then scales and shifts by [last axis]. */
export function layerNorm(x: Tensor, gamma: Tensor, beta: Tensor, epsilon = defaultEpsilon): Tensor {
  const last: Shape = x.shape.slice(-1);
  if (x.shape.length < 1 || gamma.shape.join() !== last.join() || beta.shape.join() !== last.join()) {
    throw shapeError("layerNorm", "[…, n] with scale and shift [n]", x, gamma, beta);
  }
  return add(mul(standardise(x, epsilon), gamma), beta);
}

function checkAffine(op: string, x: Tensor, gamma: Tensor, beta: Tensor): void {
  const channels = String(x.shape[1]);
  if (x.shape.length !== 4 || gamma.shape.join() !== channels || beta.shape.join() !== channels) {
    throw shapeError(op, "[batch, channels, rows, columns] with scale and shift [channels]", x, gamma, beta);
  }
}
