/** Each way to compute a convolution's parts gives the same numbers; equal threads and kernels give equal bytes. */

import { describe, expect, test } from "vitest";
import { findBlockSize } from "../../src/engine/blocked.ts";
import { type CompileOptions, Executable } from "../../src/engine/executable.ts";
import {
  batchNorm,
  conv2d,
  crossEntropy,
  grad,
  input,
  matmul,
  maxPool2d,
  mean,
  mul,
  square,
  sum,
  type Tensor,
  transpose,
} from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { joinParts, sumOverParts } from "../../src/engine/ops/by-parts.ts";
import { filterGradient, geometryOf, inputGradient } from "../../src/engine/ops/convolution.ts";
import {
  filterFormulations,
  forwardByColumns,
  inputGradientByColumns,
  inputGradientByFlipping,
} from "../../src/engine/ops/convolution-formulations.ts";
import { pad } from "../../src/engine/ops/movement.ts";
import { window } from "../../src/engine/ops/window.ts";
import {
  winogradFilterGradient,
  winogradForward,
  winogradInputGradient,
} from "../../src/engine/ops/winograd.ts";
import { emitProgram } from "../../src/engine/program.ts";
import { sizeOf } from "../../src/engine/shapes.ts";
import { State } from "../../src/engine/state.ts";
import { adam } from "../../src/engine/training/optimisers.ts";
import { initialise } from "../../src/engine/training/parameters.ts";
import { trainingStep } from "../../src/engine/training/step.ts";
import { models } from "../../src/models/index.ts";
import { Network } from "../../src/models/model.ts";
import { testRandom } from "./helpers.ts";

function numbers(shape: readonly number[], key: string): Float32Array {
  const stream = testRandom(key);
  return Float32Array.from({ length: sizeOf(shape) }, () => stream.uniform() - 0.5);
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!)));
}

describe("formulations, in the interpreter", () => {
  const geometries = [
    { x: [2, 3, 6, 5], w: [4, 3, 3, 2], options: { padding: [1, 0] as const } },
    { x: [2, 3, 7, 8], w: [4, 3, 3, 3], options: { stride: 2, padding: 1 } },
    { x: [1, 2, 9, 9], w: [3, 2, 3, 3], options: { dilation: 2, padding: [1, 2, 0, 1] as const } },
  ];
  test.each(geometries)("$x $w $options", ({ x: xShape, w: wShape, options }) => {
    const geometry = geometryOf(options);
    const [x, w] = [input("x", xShape), input("w", wShape)];
    const y = conv2d(x, w, options);
    const dy = input("dy", y.shape);
    const feeds = { x: numbers(xShape, "x"), w: numbers(wShape, "w"), dy: numbers(y.shape, "dy") };
    const same = (actual: Tensor, reference: Tensor, what: string) => {
      const [a, b] = interpret([actual, reference], feeds);
      // Both in float64: only the order of the sums differs.
      expect(largestDifference(a!, b!), what).toBeLessThan(1e-12);
    };
    same(forwardByColumns(x, w, y.shape, geometry), y, "forward by columns");
    for (const [name, formulation] of Object.entries(filterFormulations)) {
      same(formulation(x, dy, wShape, geometry), filterGradient(x, dy, wShape, geometry), name);
    }
    const back = inputGradient(dy, w, xShape, geometry);
    same(inputGradientByColumns(dy, w, xShape, geometry), back, "input gradient by columns");
    if (geometry.stride[0] === 1)
      same(inputGradientByFlipping(dy, w, geometry), back, "input gradient by flipping");
  });
});

describe("Winograd's products", () => {
  test.each([
    { x: [2, 3, 6, 5], padding: [1, 1, 1, 1] as const, side: 4 as const },
    { x: [1, 3, 9, 3], padding: [0, 2, 1, 0] as const, side: 4 as const },
    { x: [2, 3, 6, 5], padding: [1, 0, 2, 1] as const, side: 2 as const },
  ])("tiles of $side on $x, padding $padding, in the interpreter", ({ x: xShape, padding, side }) => {
    const geometry = geometryOf({ padding });
    const [x, w] = [input("x", xShape), input("w", [4, 3, 3, 3])];
    const y = conv2d(x, w, { padding });
    const dy = input("dy", y.shape);
    const tiling = ([, , height, width]: readonly number[]) => ({
      side,
      rows: Math.ceil(height! / side),
      columns: Math.ceil(width! / side),
    });
    const pairs = [
      [winogradForward(x, w, y.shape, geometry, tiling(y.shape)), y],
      [
        winogradInputGradient(dy, w, xShape, geometry, tiling(xShape)),
        inputGradient(dy, w, xShape, geometry),
      ],
      [
        winogradFilterGradient(x, dy, w.shape, geometry, tiling(y.shape)),
        filterGradient(x, dy, w.shape, geometry),
      ],
    ] as const;
    const feeds = { x: numbers(xShape, "x"), w: numbers(w.shape, "w"), dy: numbers(y.shape, "dy") };
    for (const pair of pairs) {
      const [actual, expected] = interpret(pair, feeds);
      // Both in float64: only the order of the sums differs, and factors of up to 25.
      expect(largestDifference(actual!, expected!)).toBeLessThan(1e-12);
    }
  });

  // Whole, in parts of 15 and 14 images, and a prime number that has no parts; [.., 2, 2] has tiles of 2.
  test.each([
    [3, 64, 7, 9],
    [30, 64, 9, 10],
    [28, 64, 16, 5],
    [31, 64, 9, 9],
    [2, 96, 2, 2],
  ])("the runtime agrees with a 5×5 kernel whose border is zero: %j, %j, %j, %j", async (...xShape) => {
    const [x, w, bias] = [input("x", xShape), input("w", [64, xShape[1]!, 3, 3]), input("bias", [64])];
    const wide = pad(w, [0, 0, 1, 1], [0, 0, 1, 1]);
    const outputs = Object.fromEntries(
      [conv2d(x, w, { padding: 1, bias }), conv2d(x, wide, { padding: 2, bias })].flatMap((y, way) =>
        [y, ...grad(mean(square(y)), [x, w])].map((tensor, i) => [`${way}${i}`, tensor]),
      ),
    );
    const feeds = { x: numbers(xShape, "x"), w: numbers(w.shape, "w"), bias: numbers([64], "bias") };
    const executable = await Executable.compile({ outputs });
    const results = await executable.run(feeds);
    await executable.close();
    for (const i of [0, 1, 2]) {
      const expected = results[`1${i}`]!;
      const scale = Array.from(expected).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const difference = Array.from(results[`0${i}`]!).reduce(
        (most, value, at) => Math.max(most, Math.abs(value - expected[at]!)),
        0,
      );
      // Float32 and factors of up to 25 between: about ten roundings more than a plain sum.
      expect(difference / scale, `result ${i}`).toBeLessThan(5e-6);
    }
  });

  test("are in training programs, not in models whose batch is open", () => {
    const y = conv2d(input("x", [2, 64, 8, 8]), input("w", [64, 64, 3, 3]), { padding: 1 });
    const text = (options: { freeBatch?: string }) =>
      Buffer.from(emitProgram({ outputs: { y } }, options).model).toString("latin1");
    expect(text({})).not.toContain("Conv");
    expect(text({ freeBatch: "batch" })).toContain("Conv");
    expect(text({ freeBatch: "batch" })).not.toContain("Gather");
  });
});

describe("blocked kernels", () => {
  test.each([
    { x: [2, 32, 8, 9], w: [48, 32, 3, 3], options: { padding: 1 } },
    { x: [2, 32, 17, 17], w: [32, 32, 3, 3], options: { padding: 1, stride: 2 } },
    { x: [1, 64, 12, 12], w: [32, 64, 3, 3], options: { padding: [0, 1, 2, 1] as const, dilation: 2 } },
    { x: [2, 3, 12, 11], w: [32, 3, 5, 5], options: { padding: 2 } },
    { x: [2, 1, 21, 20], w: [16, 1, 7, 7], options: { padding: 3, stride: 2 } },
  ])("$x $w $options agree with standard ops", async ({ x: xShape, w: wShape, options }) => {
    const [x, w, bias] = [input("x", xShape), input("w", wShape), input("bias", [wShape[0]!])];
    const y = conv2d(x, w, { ...options, bias });
    const [dx, dw] = grad(mean(square(y)), [x, w]);
    const program = { outputs: { y, dx: dx!, dw: dw! } };
    const feeds = { x: numbers(xShape, "x"), w: numbers(wShape, "w"), bias: numbers([wShape[0]!], "bias") };
    const results = await Promise.all(
      (["standard", "fastest"] as const).map(async (kernels) => {
        const executable = await Executable.compile(program, { kernels });
        const result = await executable.run(feeds);
        await executable.close();
        return result;
      }),
    );
    // Sums of up to 576 products of numbers below a half, in float32.
    for (const name of ["y", "dx", "dw"]) {
      expect(largestDifference(results[0]![name]!, results[1]![name]!), name).toBeLessThan(1e-5);
    }
  });

  test("are in no program that does not ask for them", async () => {
    const y = conv2d(input("x", [1, 32, 8, 8]), input("w", [32, 32, 3, 3]), { padding: 1 });
    const text = (blockSize: number | undefined) =>
      Buffer.from(emitProgram({ outputs: { y } }, { blockSize }).model).toString("latin1");
    expect(text(undefined)).not.toContain("nchwc");
    expect(text(8)).toContain("nchwc");
    expect([undefined, 8, 16]).toContain(await findBlockSize());
  });
});

test.each<CompileOptions["kernels"]>(["standard", "fastest"])(
  "two threads give equal bytes every time (%s kernels)",
  async (kernels) => {
    const shape = [8, 20, 20, 2];
    const stream = testRandom("images");
    const feeds = {
      images: Uint8Array.from({ length: sizeOf(shape) }, () => Math.floor(stream.uniform() * 256)),
      labels: Int32Array.from({ length: 8 }, (_, i) => i % 2),
    };
    const train = async () => {
      const network = new Network(models.get("mnist-convnet"), { classes: 2, mode: "train" });
      const logits = network.logits(input("images", shape, "byte"));
      const loss = mean(crossEntropy(logits, input("labels", [8], "int")));
      const step = trainingStep({ loss, parameters: network.parameters.trained, optimiser: adam() });
      const state = new State();
      initialise(network.parameters.all, state, testRandom);
      step.prepare(state);
      const executable = await Executable.compile(step.program, {
        threads: 2,
        ...(kernels === undefined ? {} : { kernels }),
      });
      for (let i = 0; i < 3; i++) await executable.run({ ...feeds, ...step.scalars(i, 1e-3) }, { state });
      await executable.close();
      return Object.fromEntries(state.names.map((name) => [name, state.get(name)]));
    };
    expect(await train()).toEqual(await train());
  },
);

describe("gradients that are not put together", () => {
  const geometries = [
    { batch: 8, side: [12, 11], pool: { kernel: 3, stride: 2, padding: 1 } },
    { batch: 4, side: [9, 13], pool: { kernel: [2, 3] as const, stride: [1, 2] as const } },
    { batch: 4, side: [11, 9], pool: { kernel: 2, stride: 3 } },
  ];
  const build = ({ batch, side, pool }: (typeof geometries)[number]) => {
    const [x, w, bias] = [input("x", [batch, 3, ...side]), input("w", [8, 3, 5, 5]), input("bias", [8])];
    const [gamma, beta] = [input("gamma", [3]), input("beta", [3])];
    const y = maxPool2d(conv2d(batchNorm(x, gamma, beta), w, { padding: 2, bias }), pool);
    const weights = input("weights", y.shape);
    const gradients = grad(sum(mul(y, weights)), [gamma, beta, w, bias]);
    const inputs = { x, w, bias, gamma, beta, weights };
    const feeds = Object.fromEntries(
      Object.entries(inputs).map(([key, { shape }]) => [key, numbers(shape, key)]),
    );
    return { loss: sum(mul(y, weights)), inputs, gradients, feeds };
  };

  test.each(geometries)(
    "normalise, convolve, pool $pool: the runtime agrees with differences",
    async (geometry) => {
      const { loss, inputs, gradients, feeds } = build(geometry);
      const outputs = Object.fromEntries(gradients.entries());
      const executable = await Executable.compile({ outputs });
      const results = Object.values(await executable.run(feeds));
      await executable.close();
      for (const [i, key] of (["gamma", "beta", "w", "bias"] as const).entries()) {
        for (const at of [0, Math.floor(feeds[key]!.length / 2), feeds[key]!.length - 1]) {
          const shifted = (change: number) => {
            const moved = Float64Array.from(feeds[key]!);
            moved[at]! += change;
            return interpret([loss], { ...feeds, [key]: moved })[0]![0]!;
          };
          const slope = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
          expect(results[i]![at]!, `${key}[${at}] of ${inputs[key].toString()}`).toBeCloseTo(slope, 3);
        }
      }
    },
  );

  test("a sum over parts of the batch is the sum over the batch", async () => {
    const [x, y] = [input("x", [6, 4]), input("y", [6, 3])];
    const product = (a: Tensor, b: Tensor) => matmul(transpose(a), b);
    const outputs = {
      parts: sumOverParts([x, y], 2, ([a, b]) => product(a!, b!)),
      whole: product(x, y),
    };
    const feeds = { x: numbers(x.shape, "x"), y: numbers(y.shape, "y") };
    const [parts, whole] = interpret([outputs.parts, outputs.whole], feeds);
    expect(largestDifference(parts!, whole!)).toBeLessThan(1e-12);
    const executable = await Executable.compile({ outputs });
    const results = await executable.run(feeds);
    await executable.close();
    expect(largestDifference(results.parts!, whole!)).toBeLessThan(1e-6);
  });

  test("what is done to parts of the batch is joined in order", async () => {
    const [x, w] = [input("x", [6, 4]), input("w", [4, 3])];
    const outputs = {
      parts: joinParts([x], [w], 3, ([part], [whole]) => matmul(part!, whole!)),
      whole: matmul(x, w),
    };
    const feeds = { x: numbers(x.shape, "x"), w: numbers(w.shape, "w") };
    const [parts, whole] = interpret([outputs.parts, outputs.whole], feeds);
    expect(parts).toEqual(whole);
    const executable = await Executable.compile({ outputs });
    const results = await executable.run(feeds);
    await executable.close();
    expect(largestDifference(results.parts!, whole!)).toBeLessThan(1e-6);
  });

  test("a window may reach over every edge", async () => {
    const x = input("x", [2, 3, 4]);
    const outputs = { y: window(x, [-1, 1, 2], [4, 2, 3], 7) };
    const feeds = { x: Float32Array.from({ length: 24 }, (_, i) => i) };
    const executable = await Executable.compile({ outputs });
    const { y } = await executable.run(feeds);
    await executable.close();
    // By hand: maps −1 and 2 are outside; of maps 0 and 1, rows 1 and 2, columns 2 and 3, then one outside.
    const inside = [6, 7, 7, 10, 11, 7, 18, 19, 7, 22, 23, 7];
    const outside = [7, 7, 7, 7, 7, 7];
    expect([...y!]).toEqual([...outside, ...inside, ...outside]);
    expect([...interpret([outputs.y], feeds)[0]!]).toEqual([...y!]);
  });
});
