/** Readers of ONNX operators against onnxruntime, in the operator sets in which they changed; and what is refused. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { input } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import {
  type AttributeValue,
  encodeModel,
  type GraphNode,
  type Initializer,
} from "../../src/engine/onnx/protobuf.ts";
import { OnnxModel } from "../../src/engine/onnx-model.ts";
import { State } from "../../src/engine/state.ts";
import { initialise } from "../../src/engine/training/parameters.ts";
import { readOnnxNetwork } from "../../src/models/onnx/network.ts";
import { operatorReaders } from "../../src/models/onnx/operators/index.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { testRandom } from "./helpers.ts";

interface OperatorCase {
  operator: string;
  opset?: number;
  attributes?: Record<string, AttributeValue>;
  /** Behind the images [2, 3, 6, 5]. */
  constants?: Omit<Initializer, "name">[];
  /** Instead of the images themselves, what an operator makes of them. */
  before?: string;
  domain?: string;
}

const folder = mkdtempSync(join(tmpdir(), "cuelab-onnx-"));
const shape = [2, 3, 6, 5];
const values = Float32Array.from(hashUniform(180, 3), (value) => 6 * value - 3);
const ints = (...data: number[]) => ({ type: "int64", shape: [data.length], data }) as const;
const index = (value: number) => ({ type: "int64", shape: [], data: [value] }) as const;
const scalar = (value: number) => ({ type: "float", shape: [], data: [value] }) as const;
const floats = (...lengths: number[]) => {
  const count = lengths.reduce((a, b) => a * b, 1);
  return { type: "float", shape: lengths, data: hashUniform(count, 9).map((each) => each + 0.2) } as const;
};
const float = (value: number) => ({ float: value });

function write(
  name: string,
  { operator, opset = 18, attributes = {}, constants = [], before, domain = "" }: OperatorCase,
) {
  const first = before === undefined ? "images" : "before";
  const node = (each: Partial<GraphNode> & Pick<GraphNode, "operator">): GraphNode => ({
    inputs: [],
    outputs: [],
    attributes: {},
    domain: "",
    ...each,
  });
  const nodes = [
    ...(before === undefined ? [] : [node({ operator: before, inputs: ["images"], outputs: ["before"] })]),
    node({
      operator,
      inputs: [first, ...constants.map((_, i) => `c${i}`)],
      outputs: ["out"],
      attributes,
      domain,
    }),
  ];
  const bytes = encodeModel({
    nodes,
    initializers: constants.map((each, i) => ({ name: `c${i}`, ...each })),
    inputs: [{ name: "images", type: "float", shape: ["batch", 3, 6, 5] }],
    outputs: [{ name: "out", type: "float", shape: ["batch", "a", "b", "c"] }],
    opsets: { "": opset },
  });
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, bytes);
  return { path, bytes };
}

const window = { kernel_shape: [3, 2], strides: [2, 2] };

const cases: OperatorCase[] = [
  {
    operator: "Conv",
    constants: [floats(4, 3, 3, 2), floats(4)],
    attributes: { pads: [1, 0, 2, 1], strides: [2, 1] },
  },
  { operator: "Conv", constants: [floats(3, 1, 3, 3)], attributes: { group: 3, dilations: [2, 1] } },
  {
    operator: "Conv",
    constants: [floats(2, 3, 4, 2)],
    attributes: { auto_pad: "SAME_UPPER", strides: [2, 2] },
  },
  {
    operator: "Conv",
    constants: [floats(2, 3, 4, 2)],
    attributes: { auto_pad: "SAME_LOWER", strides: [1, 2] },
  },
  { operator: "MaxPool", attributes: { ...window, pads: [1, 0, 1, 1] } },
  { operator: "MaxPool", attributes: { ...window, ceil_mode: 1 } },
  { operator: "AveragePool", attributes: { ...window, pads: [1, 0, 1, 1] } },
  { operator: "AveragePool", attributes: { ...window, pads: [1, 0, 1, 1], count_include_pad: 1 } },
  { operator: "AveragePool", opset: 19, attributes: { kernel_shape: [2, 2], strides: [2, 2], ceil_mode: 1 } },
  { operator: "GlobalAveragePool" },
  { operator: "GlobalMaxPool" },
  { operator: "MatMul", constants: [floats(5, 4)] },
  { operator: "BatchNormalization", constants: [floats(3), floats(3), floats(3), floats(3)] },
  { operator: "InstanceNormalization", constants: [floats(3), floats(3)] },
  { operator: "LayerNormalization", constants: [floats(6, 5), floats(6, 5)], attributes: { axis: 2 } },
  { operator: "LayerNormalization", constants: [floats(5)] },
  { operator: "LpNormalization", attributes: { axis: 1 } },
  ...[
    "Relu",
    "Sigmoid",
    "Tanh",
    "Erf",
    "Softplus",
    "HardSwish",
    "Mish",
    "Elu",
    "Selu",
    "Celu",
    "LeakyRelu",
  ].map((operator) => ({ operator })),
  { operator: "HardSigmoid", attributes: { alpha: float(1 / 6) } },
  { operator: "PRelu", constants: [floats(3, 1, 1)] },
  { operator: "Gelu", opset: 20 },
  { operator: "Gelu", opset: 20, attributes: { approximate: "tanh" } },
  { operator: "Clip", constants: [scalar(0), scalar(2)] },
  { operator: "Clip", constants: [scalar(0.5)] },
  { operator: "Softmax", opset: 11 },
  { operator: "Softmax", opset: 13 },
  { operator: "Softmax", attributes: { axis: 1 } },
  { operator: "LogSoftmax", opset: 11, attributes: { axis: 2 } },
  { operator: "ReduceMean", opset: 13, attributes: { axes: [2, 3], keepdims: 0 } },
  { operator: "ReduceMean", constants: [ints(-1, 1)] },
  { operator: "ReduceSum", opset: 11, attributes: { axes: [1] } },
  ...["ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"].map(
    (operator) => ({
      operator,
      constants: [ints(2)],
    }),
  ),
  { operator: "Reshape", constants: [ints(0, -1, 5)] },
  { operator: "Flatten" },
  { operator: "Transpose", attributes: { perm: [0, 2, 3, 1] } },
  { operator: "Unsqueeze", opset: 11, attributes: { axes: [1, -1] } },
  { operator: "Unsqueeze", constants: [ints(2)] },
  { operator: "Squeeze", opset: 11, before: "GlobalAveragePool", attributes: { axes: [2, -1] } },
  { operator: "Squeeze", before: "GlobalAveragePool", constants: [ints(3)] },
  { operator: "Expand", before: "GlobalAveragePool", constants: [ints(1, 3, 4, 2)] },
  { operator: "Slice", constants: [ints(-5, 1), ints(100, -1), ints(2, 3), ints(2, 1)] },
  { operator: "Slice", constants: [ints(-1), ints(-100), ints(3), ints(-2)] },
  { operator: "Gather", constants: [index(-1)], attributes: { axis: 2 } },
  { operator: "Gather", constants: [ints(2, 0, 2)], attributes: { axis: 1 } },
  { operator: "Pad", constants: [ints(0, 0, 1, 0, 0, 1, 2, -1), scalar(0.5)] },
  ...["reflect", "edge"].map((mode) => ({
    operator: "Pad",
    constants: [ints(0, 0, 2, 1, 0, 0, 1, 2)],
    attributes: { mode },
  })),
  { operator: "Tile", constants: [ints(1, 2, 1, 3)] },
  ...[
    { mode: "nearest", coordinate_transformation_mode: "asymmetric", nearest_mode: "floor" },
    { mode: "linear" },
    { mode: "linear", coordinate_transformation_mode: "align_corners" },
    { mode: "cubic", coordinate_transformation_mode: "pytorch_half_pixel" },
  ].map((attributes) => ({
    operator: "Resize",
    attributes,
    constants: [
      { type: "float", shape: [0], data: [] },
      { type: "float", shape: [0], data: [] },
      ints(2, 3, 9, 4),
    ] as OperatorCase["constants"] & object,
  })),
  { operator: "Pow", constants: [scalar(3)] },
  { operator: "Div", constants: [floats(3, 1, 1)] },
  { operator: "Max", constants: [scalar(0.3), scalar(0.1)] },
  { operator: "Mod", constants: [scalar(0.7)], attributes: { fmod: 1 } },
  ...["Ceil", "Floor", "Abs", "Neg", "Sign", "Exp", "Reciprocal"].map((operator) => ({ operator })),
  ...["Sqrt", "Log"].map((operator) => ({ operator, before: "Abs" })),
];

test.each(cases.map((each, i) => ({ ...each, i })))(
  "$operator, case $i, is what onnxruntime computes",
  async ({ i, ...each }) => {
    const { path, bytes } = write(`case-${i}`, each);
    const network = await readOnnxNetwork(path);
    const { logits, layers } = network.build(input("images", shape));
    const state = new State();
    initialise(layers.parameters.all, state, testRandom);
    const feeds = Object.fromEntries(layers.parameters.all.map(({ name }) => [name, state.get(name)]));
    const [got] = interpret([logits], { images: values, ...feeds });
    const runtime = await OnnxModel.open(path, { output: "out" }, bytes);
    const expected = await runtime.run(values, shape).finally(() => runtime.close());
    expect(got!.length).toBe(expected.length);
    const largest = Math.max(1, ...expected.map(Math.abs));
    // Float64 against the runtime's float32.
    for (const [at, value] of expected.entries())
      expect(Math.abs(got![at]! - value) / largest).toBeLessThan(2e-5);
  },
);

test.each([
  [{ operator: "QLinearConv" }, /QLinearConv, opset 18\) computes with quantised numbers/, /in floats/],
  [{ operator: "If" }, /If, opset 18\) is control flow/, /evaluation mode/],
  [{ operator: "Bogus" }, /Bogus, opset 18\) has no reader/, /another opset/],
  [{ operator: "FusedConv", domain: "com.microsoft" }, /com.microsoft.FusedConv/, /without a runtime's/],
  [{ operator: "Relu", opset: 9 }, /old operator set/, /export it again/],
] satisfies [OperatorCase, RegExp, RegExp][])("%o is refused by name", async (given, what, todo) => {
  const { path } = write(`refused-${given.operator}`, given);
  await expect(readOnnxNetwork(path)).rejects.toThrow(what);
  await expect(readOnnxNetwork(path)).rejects.toThrow(todo);
});

test("a graph of a few bytes cannot ask for gigabytes", async () => {
  const { path } = write("huge", { operator: "Expand", constants: [ints(100_000, 100_000, 1, 1, 1, 1, 1)] });
  const network = await readOnnxNetwork(path);
  expect(() => network.build(input("images", shape))).toThrow(
    /node "out" \(Expand, opset 18\)[\s\S]*--limit unpacked/,
  );
});

test.each([
  ["cut short", (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 9)],
  ["another file", () => Buffer.from("PK\u0003\u0004 no network at all")],
  ["nothing", () => new Uint8Array(0)],
])("%s is one error that names the file", async (name, damaged) => {
  const { path, bytes } = write(name.replaceAll(" ", "-"), { operator: "Relu" });
  writeFileSync(path, damaged(bytes));
  await expect(readOnnxNetwork(path)).rejects.toThrow(/no ONNX file that can be read[\s\S]*where: .*onnx/);
});

test("every operator that is read is a case above, or in PyTorch's networks, or listed here", () => {
  const elsewhere = new Set(
    `Add And ArgMax Attention Cast CastLike Concat Constant ConstantOfShape Dropout Equal GatherND Gemm Greater
     GreaterOrEqual GroupNormalization Identity Less LessOrEqual Min Mul NonZero Not Or RMSNormalization Range ReduceLogSum
     ReduceProd ScatterND Shape Size Split Sub Sum Swish Trilu Where`.split(/\s+/),
  );
  const tested = new Set(cases.map(({ operator }) => operator));
  expect([...operatorReaders.keys()].filter((each) => !tested.has(each) && !elsewhere.has(each))).toEqual([]);
});
