/** Two-dimensional convolution with its two gradients, which are ops too: the three are closed under differentiation. */

import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { blockedPays, emitBlocked } from "./convolution-blocked.ts";
import { lowerConvolution, lowerFilterGradient, lowerInputGradient } from "./convolution-formulations.ts";
import { add } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { sum } from "./reductions.ts";

/** Fewer channels than this, as images have, make matrices that are too thin for a `Conv`. */
export const fewChannels = 8;

export interface ConvolutionOptions {
  stride?: number | readonly [number, number];
  /** One amount for all sides, [rows, columns], or [top, left, bottom, right]. */
  padding?: number | readonly [number, number] | readonly [number, number, number, number];
  dilation?: number | readonly [number, number];
  groups?: number;
}

export interface Geometry {
  stride: readonly [number, number];
  /** Top, left, bottom, right. */
  padding: readonly [number, number, number, number];
  dilation: readonly [number, number];
  groups: number;
}

export function geometryOf({
  stride = 1,
  padding = 0,
  dilation = 1,
  groups = 1,
}: ConvolutionOptions): Geometry {
  const pair = (value: number | readonly [number, number]): readonly [number, number] =>
    typeof value === "number" ? [value, value] : value;
  const sides: Geometry["padding"] =
    typeof padding === "number"
      ? [padding, padding, padding, padding]
      : padding.length === 2
        ? [padding[0], padding[1], padding[0], padding[1]]
        : padding;
  return { stride: pair(stride), padding: sides, dilation: pair(dilation), groups };
}

/** Rows and columns of the result of sliding a kernel over a map. */
export function outputSize(
  map: Shape,
  kernel: Shape,
  { stride, padding, dilation }: Geometry,
): [number, number] {
  const length = (axis: 0 | 1) => {
    const covered =
      map[axis]! + padding[axis] + padding[axis + 2]! - dilation[axis] * (kernel[axis]! - 1) - 1;
    return Math.floor(covered / stride[axis]) + 1;
  };
  return [length(0), length(1)];
}

/**
 * Calls `visit` for every product that a convolution sums: y[n, o, r, c] += x[n, i, r′, c′] · w[o, i, u, v], with
 * flat offsets into the three.
 */
function forEachProduct(
  x: Shape,
  w: Shape,
  y: Shape,
  { stride, padding, dilation, groups }: Geometry,
  visit: (x: number, w: number, y: number) => void,
): void {
  const [batch, channels, height, width] = x as [number, number, number, number];
  const [filters, depth, kernelHeight, kernelWidth] = w as [number, number, number, number];
  const [rows, columns] = y.slice(2) as [number, number];
  for (let n = 0; n < batch; n++)
    for (let o = 0; o < filters; o++)
      for (let i = 0; i < depth; i++)
        for (let u = 0; u < kernelHeight; u++)
          for (let v = 0; v < kernelWidth; v++) {
            const channel = Math.floor(o / (filters / groups)) * depth + i;
            const weight = ((o * depth + i) * kernelHeight + u) * kernelWidth + v;
            for (let r = 0; r < rows; r++) {
              const row = r * stride[0] + u * dilation[0] - padding[0];
              if (row < 0 || row >= height) continue;
              for (let c = 0; c < columns; c++) {
                const column = c * stride[1] + v * dilation[1] - padding[1];
                if (column < 0 || column >= width) continue;
                visit(
                  ((n * channels + channel) * height + row) * width + column,
                  weight,
                  ((n * filters + o) * rows + r) * columns + c,
                );
              }
            }
          }
}

const convolutionOp: Op<Geometry> = {
  name: "conv2d",
  gradient(node, dy) {
    const [x, w, bias] = node.inputs as [Tensor, Tensor, Tensor?];
    const dx = inputGradient(dy, w, x.shape, node.attributes);
    const dw = filterGradient(x, dy, w.shape, node.attributes);
    return bias === undefined ? [dx, dw] : [dx, dw, sum(dy, [0, 2, 3])];
  },
  interpret(node, [x, w, bias]) {
    const area = sizeOf(node.shape.slice(2));
    const filters = node.shape[1]!;
    const y = Float64Array.from(
      { length: sizeOf(node.shape) },
      (_, i) => bias?.[Math.floor(i / area) % filters] ?? 0,
    );
    forEachProduct(
      node.inputs[0]!.shape,
      node.inputs[1]!.shape,
      node.shape,
      node.attributes,
      (xi, wi, yi) => {
        y[yi]! += x![xi]! * w![wi]!;
      },
    );
    return y;
  },
  lower: lowerConvolution,
  emit(node, inputs, emitter) {
    const attributes = onnxAttributes(node.attributes, node.inputs[1]!.shape);
    return blockedPays(node, emitter.blockSize)
      ? emitBlocked(node, inputs, attributes, emitter)
      : emitter.node("Conv", inputs, attributes);
  },
};

/** x [batch, channels, rows, columns] with w [filters, channels / groups, rows, columns], plus a bias [filters]. */
export function conv2d(
  x: Tensor,
  w: Tensor,
  { bias, ...options }: ConvolutionOptions & { bias?: Tensor } = {},
): Tensor {
  return convolve(x, w, geometryOf(options), bias);
}

export function convolve(x: Tensor, w: Tensor, geometry: Geometry, bias?: Tensor): Tensor {
  const { groups } = geometry;
  const fits =
    x.shape.length === 4 &&
    w.shape.length === 4 &&
    x.shape[1] === w.shape[1]! * groups &&
    w.shape[0]! % groups === 0;
  if (!fits || x.dtype !== "float" || w.dtype !== "float") {
    throw shapeError(
      "conv2d",
      `[batch, channels, rows, columns] and [filters, channels / ${groups}, rows, columns]`,
      x,
      w,
    );
  }
  const [rows, columns] = outputSize(x.shape.slice(2), w.shape.slice(2), geometry);
  if (rows < 1 || columns < 1) throw shapeError("conv2d", "a kernel that fits into the padded map", x, w);
  if (bias !== undefined && bias.shape.join() !== String(w.shape[0])) {
    throw shapeError("conv2d", "a bias [filters]", w, bias);
  }
  const inputs = bias === undefined ? [x, w] : [x, w, bias];
  return new Tensor(convolutionOp, inputs, geometry, [x.shape[0]!, w.shape[0]!, rows, columns]);
}

const inputGradientOp: Op<Geometry> = {
  name: "conv2dInputGradient",
  gradient(node, dx) {
    const [dy, w] = node.inputs as [Tensor, Tensor];
    return [convolve(dx, w, node.attributes), filterGradient(dx, dy, w.shape, node.attributes)];
  },
  interpret(node, [dy, w]) {
    const dx = new Float64Array(sizeOf(node.shape));
    forEachProduct(
      node.shape,
      node.inputs[1]!.shape,
      node.inputs[0]!.shape,
      node.attributes,
      (xi, wi, yi) => {
        dx[xi]! += dy![yi]! * w![wi]!;
      },
    );
    return dx;
  },
  lower: lowerInputGradient,
  emit(node, inputs, emitter) {
    const kernel = node.inputs[1]!.shape;
    const { stride, padding, dilation } = node.attributes;
    const rest = ([0, 1] as const).map((axis) => {
      const reached =
        (node.inputs[0]!.shape[axis + 2]! - 1) * stride[axis] + dilation[axis] * (kernel[axis + 2]! - 1) + 1;
      return node.shape[axis + 2]! + padding[axis] + padding[axis + 2]! - reached;
    });
    return emitter.node("ConvTranspose", inputs, {
      ...onnxAttributes(node.attributes, kernel),
      output_padding: rest,
    });
  },
};

export function isInputGradient(x: Tensor): x is Tensor<Geometry> {
  return x.op.name === inputGradientOp.name;
}

/** The x for which dy · conv(x, w) is steepest: a transposed convolution of dy that gives `shape`. */
export function inputGradient(dy: Tensor, w: Tensor, shape: Shape, geometry: Geometry): Tensor {
  return new Tensor(inputGradientOp, [dy, w], geometry, shape);
}

export interface TransposedOptions extends ConvolutionOptions {
  /** Rows and columns that are added at the end. */
  outputPadding?: number | readonly [number, number];
  /** [channels] */
  bias?: Tensor;
}

/**
 * Transposed convolution: x [batch, filters, …] with w [filters, channels / groups, …]. `outputPadding` adds rows and
 * columns at the end, which a stride leaves undecided.
 */
export function convTranspose2d(
  x: Tensor,
  w: Tensor,
  { outputPadding = 0, bias, ...options }: TransposedOptions = {},
): Tensor {
  const geometry = geometryOf(options);
  const added = typeof outputPadding === "number" ? [outputPadding, outputPadding] : outputPadding;
  const { stride, padding, dilation, groups } = geometry;
  if (x.shape.length !== 4 || w.shape.length !== 4 || x.shape[1] !== w.shape[0]) {
    throw shapeError("convTranspose2d", "[batch, filters, …] and [filters, channels, rows, columns]", x, w);
  }
  const size = ([0, 1] as const).map((axis) => {
    const reached = (x.shape[axis + 2]! - 1) * stride[axis] + dilation[axis] * (w.shape[axis + 2]! - 1) + 1;
    return reached - padding[axis] - padding[axis + 2]! + added[axis]!;
  });
  const shape = [x.shape[0]!, w.shape[1]! * groups, ...size];
  const back = outputSize(size, w.shape.slice(2), geometry);
  if (back[0] !== x.shape[2] || back[1] !== x.shape[3]) {
    throw shapeError("convTranspose2d", "an output padding smaller than the stride", x, w);
  }
  const y = inputGradient(x, w, shape, geometry);
  return bias === undefined ? y : add(y, reshape(bias, [1, -1, 1, 1]));
}

const filterGradientOp: Op<Geometry> = {
  name: "conv2dFilterGradient",
  gradient(node, dw) {
    const [x, dy] = node.inputs as [Tensor, Tensor];
    return [inputGradient(dy, dw, x.shape, node.attributes), convolve(x, dw, node.attributes)];
  },
  interpret(node, [x, dy]) {
    const dw = new Float64Array(sizeOf(node.shape));
    forEachProduct(
      node.inputs[0]!.shape,
      node.shape,
      node.inputs[1]!.shape,
      node.attributes,
      (xi, wi, yi) => {
        dw[wi]! += x![xi]! * dy![yi]!;
      },
    );
    return dw;
  },
  lower: lowerFilterGradient,
};

/** The w for which dy · conv(x, w) is steepest. */
export function filterGradient(x: Tensor, dy: Tensor, shape: Shape, geometry: Geometry): Tensor {
  return new Tensor(filterGradientOp, [x, dy], geometry, shape);
}

function onnxAttributes({ stride, padding, dilation, groups }: Geometry, kernel: Shape) {
  return {
    kernel_shape: kernel.slice(2),
    strides: stride,
    pads: padding,
    dilations: dilation,
    group: groups,
  };
}
