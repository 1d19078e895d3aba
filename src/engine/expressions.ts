/** Everything that methods and networks write expressions with; the runtime is not among it. */

export { type GradOptions, grad } from "./grad.ts";
export * from "./ops/activations.ts";
export * from "./ops/comparison.ts";
export { type ConvolutionOptions, conv2d, convTranspose2d } from "./ops/convolution.ts";
export * from "./ops/elementwise.ts";
export * from "./ops/gradient-control.ts";
export * from "./ops/indexing.ts";
export { broadcastTo, flip, reshape, reshapeOpen, transpose } from "./ops/layout.ts";
export * from "./ops/losses.ts";
export * from "./ops/matmul.ts";
export * from "./ops/movement.ts";
export * from "./ops/normalisation.ts";
export * from "./ops/pooling.ts";
export { project } from "./ops/project.ts";
export * from "./ops/reductions.ts";
export * from "./ops/resize.ts";
export * from "./ops/softmax.ts";
export {
  constant,
  full,
  input,
  type NumberStream,
  type RandomSource,
  randomNormal,
  randomUniform,
  scalar,
  stateInput,
  type TensorLike,
  zeros,
} from "./ops/sources.ts";
export { inverseDeviation, rowMean, standardise } from "./ops/standardise.ts";
export { stretch } from "./ops/stretch.ts";
export type { DType, Shape, Tensor } from "./tensor.ts";
