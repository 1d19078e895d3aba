/** One or more cases of every op: the list that gradient checks and emission checks run over. */

import type { DType, Shape, Tensor } from "../../src/engine/expressions.ts";
import * as e from "../../src/engine/expressions.ts";

export interface OpCase {
  name: string;
  inputs: readonly CaseInput[];
  build(...inputs: Tensor[]): Tensor;
  /** False where the op has no gradient, or none that differences could check. */
  differentiable?: boolean;
}

interface CaseInput {
  shape: Shape;
  dtype?: DType;
  /** Values instead of the usual ones, which are spread over (−2, 2), distinct, and away from kinks at 0 and ±1. */
  values?: (index: number) => number;
}

const float = (...shape: number[]): CaseInput => ({ shape });
const positive = (...shape: number[]): CaseInput => ({ shape, values: (i) => 0.3 + ((i * 7) % 11) * 0.21 });
const int = (limit: number, ...shape: number[]): CaseInput => ({
  shape,
  dtype: "int",
  values: (i) => (i * 5 + 2) % limit,
});

/** Distinct pseudo-random values on a grid that avoids 0, 1 and −1. */
export function defaultValue(index: number, salt: number): number {
  const mixed = Math.sin((index + 1) * 12.9898 + salt * 78.233) * 43758.5453;
  const uniform = mixed - Math.floor(mixed);
  return (Math.round(uniform * 400) - 200) / 100 + 0.0047 + (index % 17) * 1e-4;
}

function unaryCase(
  name: string,
  of: (x: Tensor) => Tensor,
  input = float(3, 5),
  differentiable = true,
): OpCase {
  return { name, inputs: [input], build: of, differentiable };
}

function binaryCases(name: string, of: (a: Tensor, b: Tensor) => Tensor, differentiable = true): OpCase[] {
  const shapes: [number[], number[]][] = [
    [
      [2, 3],
      [2, 3],
    ],
    [[2, 3], [3]],
    [
      [2, 1, 4],
      [3, 1],
    ],
    [[], [2, 2]],
  ];
  return shapes.map(([a, b]) => ({
    name: `${name} [${a.join()}] [${b.join()}]`,
    inputs: [float(...a), { shape: b, values: (i) => (i % 2 === 0 ? 0.6 : -1.4) + i * 0.11 }],
    build: of,
    differentiable,
  }));
}

interface ConvolutionCase {
  x: number[];
  w: number[];
  options: e.ConvolutionOptions;
}

const convolutions: ConvolutionCase[] = [
  { x: [2, 3, 5, 6], w: [4, 3, 3, 3], options: { padding: 1 } },
  { x: [2, 3, 7, 6], w: [4, 3, 3, 2], options: { stride: [2, 3], padding: [1, 0] } },
  { x: [1, 2, 8, 9], w: [3, 2, 3, 3], options: { stride: 3, padding: [2, 0, 1, 1], dilation: [1, 2] } },
  { x: [2, 4, 6, 6], w: [6, 2, 3, 3], options: { groups: 2, padding: 1, stride: 2 } },
  { x: [2, 3, 5, 5], w: [3, 1, 3, 3], options: { groups: 3, dilation: 2, padding: 2 } },
  { x: [2, 3, 6, 5], w: [3, 1, 3, 3], options: { groups: 3, padding: [0, 1, 2, 1] } },
  { x: [2, 2, 8, 7], w: [2, 1, 3, 3], options: { groups: 2, padding: 1, stride: 2 } },
  { x: [2, 8, 9, 9], w: [5, 8, 3, 3], options: { padding: 1 } },
  { x: [1, 9, 4, 4], w: [8, 9, 3, 3], options: { padding: 1 } },
  { x: [2, 8, 6, 6], w: [8, 8, 1, 1], options: { stride: 2 } },
  { x: [2, 3, 11, 11], w: [4, 3, 5, 5], options: { stride: 2, padding: 2 } },
  { x: [1, 8, 20, 9], w: [8, 8, 3, 3], options: { stride: 2, padding: 1 } },
  { x: [1, 2, 3, 3], w: [2, 2, 3, 3], options: { padding: 3 } },
];

const convolutionCases: OpCase[] = convolutions.map(({ x, w, options }) => ({
  name: `conv2d [${x.join()}] [${w.join()}] ${JSON.stringify(options)}`,
  inputs: [float(...x), float(...w)],
  build: (image, kernel) => e.conv2d(image, kernel, options),
}));

const poolings: { x: number[]; options: e.PoolingOptions }[] = [
  { x: [2, 2, 4, 6], options: { kernel: 2 } },
  { x: [1, 2, 6, 6], options: { kernel: [2, 3] } },
  { x: [2, 2, 5, 7], options: { kernel: 2 } },
  { x: [1, 3, 7, 7], options: { kernel: 3, stride: 2, padding: 1 } },
  { x: [1, 2, 5, 6], options: { kernel: 3, stride: 1 } },
  { x: [1, 1, 6, 5], options: { kernel: [3, 2], stride: [1, 2], padding: [1, 0, 2, 1] } },
];

const poolingCases: OpCase[] = poolings.flatMap(({ x, options }) => [
  {
    name: `maxPool2d [${x.join()}] ${JSON.stringify(options)}`,
    inputs: [float(...x)],
    build: (a: Tensor) => e.maxPool2d(a, options),
  },
  {
    name: `averagePool2d [${x.join()}] ${JSON.stringify(options)}`,
    inputs: [float(...x)],
    build: (a: Tensor) => e.averagePool2d(a, options),
  },
]);

const biasCases: OpCase[] = [
  { x: [2, 3, 5, 6], w: [4, 3, 3, 3] },
  { x: [2, 64, 2, 2], w: [3, 64, 3, 3] },
].map(({ x, w }) => ({
  name: `conv2d with bias [${x.join()}] [${w.join()}]`,
  inputs: [float(...x), float(...w), float(w[0]!)],
  build: (image, kernel, bias) => e.conv2d(image!, kernel!, { padding: 1, bias: bias! }),
}));

export const opCases: OpCase[] = [
  ...binaryCases("add", e.add),
  ...binaryCases("sub", e.sub),
  ...binaryCases("mul", e.mul),
  ...binaryCases("div", e.div),
  ...binaryCases("maximum", e.maximum),
  ...binaryCases("minimum", e.minimum),
  ...binaryCases("greater", (a, b) => e.cast(e.greater(a, b), "float"), false),
  ...binaryCases("greaterOrEqual", (a, b) => e.cast(e.greaterOrEqual(a, b), "float"), false),
  ...binaryCases("less", (a, b) => e.cast(e.less(a, b), "float"), false),
  ...binaryCases("lessOrEqual", (a, b) => e.cast(e.lessOrEqual(a, b), "float"), false),
  ...binaryCases("equal", (a, b) => e.cast(e.equal(e.floor(a), e.floor(b)), "float"), false),
  ...binaryCases(
    "and, or, not",
    (a, b) => e.cast(e.or(e.and(e.less(a, 1), e.less(b, 1)), e.not(e.less(a, b))), "float"),
    false,
  ),
  ...binaryCases("where", (a, b) => e.where(e.greater(a, 0), e.mul(a, b), b)),
  unaryCase("neg", e.neg),
  unaryCase("exp", e.exp),
  unaryCase("log", e.log, positive(3, 5)),
  unaryCase("sqrt", e.sqrt, positive(3, 5)),
  unaryCase("abs", e.abs),
  unaryCase("sign", e.sign, float(3, 5), false),
  unaryCase("floor", e.floor, float(3, 5), false),
  unaryCase("erf", e.erf),
  unaryCase("erf far from zero", (x) => e.erf(e.mul(x, 2))),
  unaryCase("power 3", (x) => e.power(x, 3)),
  unaryCase("power −1.5", (x) => e.power(x, -1.5), positive(3, 5)),
  unaryCase("power 0", (x) => e.power(x, 0), { shape: [3, 5], values: (i) => i % 5 }),
  unaryCase("power 2", (x) => e.power(x, 2)),
  unaryCase("square", e.square),
  unaryCase("clip", (x) => e.clip(x, -0.5, 0.75)),
  unaryCase("cast to int", (x) => e.cast(e.cast(x, "int"), "float"), float(3, 5), false),
  unaryCase("relu", e.relu),
  unaryCase("sigmoid", e.sigmoid),
  unaryCase("tanh", e.tanh),
  unaryCase("softplus", e.softplus),
  unaryCase("gelu", e.gelu),
  unaryCase("silu", e.silu),
  unaryCase("elu", (x) => e.elu(x, 0.7)),
  unaryCase("leakyRelu", (x) => e.leakyRelu(x, 0.1)),
  unaryCase("dropout", (x) => e.dropout(x, 0.4, "dropout")),
  unaryCase("randomNormal", (x) => e.mul(x, e.randomNormal("noise", [3, 5]))),
  unaryCase("sum", (x) => e.sum(x)),
  unaryCase("sum axis", (x) => e.sum(x, [1]), float(2, 3, 4)),
  unaryCase("sum keep", (x) => e.sum(x, [0, -1], { keep: true }), float(2, 3, 4)),
  unaryCase("mean", (x) => e.mean(x, [0, 2]), float(2, 3, 4)),
  unaryCase("max", (x) => e.max(x, [1]), float(2, 3, 4)),
  unaryCase("min", (x) => e.min(x, [0]), float(2, 3, 4)),
  unaryCase("variance", (x) => e.variance(x, [0, 2]), float(2, 3, 4)),
  unaryCase("variance unbiased", (x) => e.variance(x, [1], { unbiased: true, keep: true }), float(2, 3, 4)),
  unaryCase("logSumExp", (x) => e.logSumExp(x, [1]), float(2, 3, 4)),
  unaryCase("argmax", (x) => e.cast(e.argmax(x, 1), "float"), float(2, 5, 3), false),
  unaryCase("reshape", (x) => e.reshape(x, [5, -1])),
  unaryCase("reshapeOpen", (x) => e.reshapeOpen(x, [5, 3], 1)),
  unaryCase("transpose", (x) => e.transpose(x, [2, 0, 1]), float(2, 3, 4)),
  unaryCase("transpose last", (x) => e.transpose(x), float(2, 3, 4)),
  unaryCase("slice", (x) => e.slice(x, [0, 1, 1], [2, 2, 2]), float(2, 3, 4)),
  unaryCase("slice with steps", (x) => e.slice(x, [1, 0], [2, 3], [2, 3]), float(5, 8)),
  unaryCase("sliceAxis", (x) => e.sliceAxis(x, -1, 1, 2, 2), float(2, 3, 5)),
  unaryCase("pad", (x) => e.pad(x, [1, 0], [0, 2], 0.5)),
  unaryCase("flip", (x) => e.flip(x, [0, -1]), float(2, 3, 4)),
  unaryCase("broadcastTo", (x) => e.broadcastTo(x, [2, 3, 4]), float(3, 1)),
  {
    name: "stretch",
    inputs: [float(3, 1), float(2, 2)],
    // Two images, of which each is three along the first axis.
    build: (x, images) => e.stretch(x, [2, 6, 3, 4], 1, images),
  },
  unaryCase("softmax", (x) => e.softmax(x)),
  unaryCase("softmax axis", (x) => e.softmax(x, 1), float(2, 3, 4)),
  unaryCase("logSoftmax", (x) => e.logSoftmax(x)),
  unaryCase("upsampleNearest", (x) => e.upsampleNearest(x, [2, 3]), float(2, 2, 3, 2)),
  unaryCase("resize nearest", (x) => e.resize(x, 5, 3, "nearest"), float(1, 2, 3, 4)),
  unaryCase("resize bilinear up", (x) => e.resize(x, 5, 7, "bilinear"), float(1, 2, 3, 4)),
  unaryCase("resize bilinear down", (x) => e.resize(x, 2, 3, "bilinear"), float(1, 2, 5, 7)),
  unaryCase("globalAveragePool", e.globalAveragePool, float(2, 3, 4, 5)),
  unaryCase("standardise", (x) => e.standardise(x, 1e-3), float(2, 3, 4)),
  unaryCase("inverseDeviation", (x) => e.inverseDeviation(x, 1e-3), float(2, 3, 4)),
  unaryCase("rowMean", (x) => e.rowMean(x, 1e-3), float(2, 3, 4)),
  unaryCase("normalise", (x) => e.normalise(x), positive(5)),
  {
    name: "concat",
    inputs: [float(2, 3), float(2, 1), float(2, 2)],
    build: (...parts) => e.concat(parts, 1),
  },
  { name: "matmul", inputs: [float(3, 4), float(4, 2)], build: e.matmul },
  { name: "matmul batched", inputs: [float(2, 3, 4), float(2, 4, 2)], build: e.matmul },
  { name: "matmul broadcast", inputs: [float(2, 1, 3, 4), float(3, 4, 2)], build: e.matmul },
  { name: "matmul by one matrix", inputs: [float(2, 3, 4), float(4, 2)], build: e.matmul },
  { name: "project", inputs: [float(2, 3, 4), float(4, 2)], build: e.project },
  { name: "project over four axes", inputs: [float(2, 1, 3, 4), float(4, 2)], build: e.project },
  { name: "matmul of one matrix", inputs: [float(3, 4), float(2, 4, 2)], build: e.matmul },
  { name: "gather", inputs: [float(4, 3), int(4, 2, 3)], build: (x, i) => e.gather(x, i) },
  { name: "gather axis", inputs: [float(2, 4, 3), int(4, 5)], build: (x, i) => e.gather(x, i, 1) },
  { name: "scatterAdd", inputs: [float(2, 5, 3), int(4, 5)], build: (x, i) => e.scatterAdd(x, i, 1, 4) },
  { name: "oneHot", inputs: [int(4, 2, 3)], build: (i) => e.oneHot(i, 3), differentiable: false },
  { name: "pick", inputs: [float(4, 3), int(3, 4)], build: e.pick },
  { name: "sumByGroup", inputs: [float(7), int(4, 7)], build: (x, g) => e.sumByGroup(x, g, 4) },
  { name: "meanByGroup", inputs: [float(7), int(4, 7)], build: (x, g) => e.meanByGroup(x, g, 5) },
  { name: "countByGroup", inputs: [int(4, 7)], build: (g) => e.countByGroup(g, 5), differentiable: false },
  { name: "crossEntropy", inputs: [float(4, 3), int(3, 4)], build: e.crossEntropy },
  { name: "softCrossEntropy", inputs: [float(4, 3), positive(4, 3)], build: e.softCrossEntropy },
  { name: "correct", inputs: [float(6, 3), int(3, 6)], build: e.correct, differentiable: false },
  {
    name: "batchNorm",
    inputs: [float(3, 2, 2, 3), float(2), float(2)],
    build: (x, g, b) => e.batchNorm(x, g, b, 1e-3),
  },
  {
    name: "batchNormInference",
    inputs: [float(3, 2, 2, 3), float(2), float(2), float(2), positive(2)],
    build: (x, g, b, mean, variance) => e.batchNormInference(x, g, b, { mean, variance }),
  },
  {
    name: "updateRunning",
    inputs: [float(3, 2, 2, 3), float(2), positive(2)],
    build: (x, mean, variance) => {
      const next = e.updateRunning(x, { mean, variance });
      return e.concat([next.mean, next.variance], 0);
    },
  },
  {
    name: "groupNorm",
    inputs: [float(2, 4, 2, 3), float(4), float(4)],
    build: (x, g, b) => e.groupNorm(x, g, b, 2, 1e-3),
  },
  {
    name: "layerNorm",
    inputs: [float(2, 3, 5), float(5), float(5)],
    build: (x, g, b) => e.layerNorm(x, g, b, 1e-3),
  },
  ...convolutionCases,
  ...biasCases,
  {
    name: "convTranspose2d",
    inputs: [float(2, 3, 4, 3), float(3, 2, 3, 3)],
    build: (x, w) => e.convTranspose2d(x, w, { stride: 2, padding: 1, outputPadding: 1 }),
  },
  {
    name: "convTranspose2d with a bias, to sides of which one is odd",
    inputs: [float(2, 3, 4, 3), float(3, 2, 4, 4), float(2)],
    build: (x, w, bias) => e.convTranspose2d(x, w, { stride: 2, padding: 1, outputPadding: [0, 1], bias }),
  },
  {
    name: "convTranspose2d groups",
    inputs: [float(1, 4, 3, 3), float(4, 1, 2, 3)],
    build: (x, w) => e.convTranspose2d(x, w, { groups: 2, dilation: 2 }),
  },
  ...poolingCases,
];
