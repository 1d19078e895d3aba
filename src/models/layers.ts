/** Layers with parameters, named and initialised as in PyTorch unless a network says otherwise. */

import {
  add,
  batchNorm,
  batchNormInference,
  type ConvolutionOptions,
  conv2d,
  dropout,
  groupNorm,
  matmul,
  type Tensor,
  transpose,
  updateRunning,
} from "../engine/expressions.ts";
import { shapeError } from "../engine/shapes.ts";
import { filled, type Initialiser, torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { Parameters } from "../engine/training/parameters.ts";

export interface LayersOptions {
  /** In training, batch normalisation uses the batch's statistics and dropout is on. */
  mode: "train" | "evaluate";
  parameters?: Parameters;
  /** Put before all names, so that two networks can live in one graph. */
  prefix?: string;
}

export interface ConvolutionLayerOptions extends ConvolutionOptions {
  filters: number;
  kernel: number;
  bias?: boolean;
  initial?: Initialiser;
}

export class Layers {
  readonly parameters: Parameters;
  readonly mode: LayersOptions["mode"];
  /** Next values of running statistics, by name. */
  readonly updates: Record<string, Tensor> = {};
  readonly #prefix: string;
  #dropouts = 0;

  constructor({ mode, parameters = new Parameters(), prefix = "" }: LayersOptions) {
    this.mode = mode;
    this.parameters = parameters;
    this.#prefix = prefix;
  }

  parameter(name: string, shape: readonly number[], initial: Initialiser, trained = true): Tensor {
    return this.parameters.get(this.#prefix + name, shape, initial, trained);
  }

  /** [batch, inputs] → [batch, outputs]. */
  linear(name: string, x: Tensor, outputs: number): Tensor {
    const [, inputs] = x.shape;
    if (x.shape.length !== 2 || inputs === undefined)
      throw shapeError(`linear "${name}"`, "[batch, inputs]", x);
    const weight = this.parameter(`${name}.weight`, [outputs, inputs], torchWeight());
    const bias = this.parameter(`${name}.bias`, [outputs], torchBias(weight.shape));
    return add(matmul(x, transpose(weight)), bias);
  }

  /** [batch, channels, rows, columns] → [batch, filters, …]. */
  convolution(name: string, x: Tensor, options: ConvolutionLayerOptions): Tensor {
    const { filters, kernel, bias = true, initial = torchWeight(), ...geometry } = options;
    const shape = [filters, x.shape[1]! / (geometry.groups ?? 1), kernel, kernel];
    const weight = this.parameter(`${name}.weight`, shape, initial);
    if (!bias) return conv2d(x, weight, geometry);
    return conv2d(x, weight, {
      ...geometry,
      bias: this.parameter(`${name}.bias`, [filters], torchBias(shape)),
    });
  }

  groupNorm(name: string, x: Tensor, groups: number): Tensor {
    return groupNorm(x, ...this.#affine(name, x), groups);
  }

  /** Uses the batch's statistics in training, the running ones in evaluation. */
  batchNorm(name: string, x: Tensor): Tensor {
    const [gamma, beta] = this.#affine(name, x);
    const channels = [x.shape[1]!];
    const running = {
      mean: this.parameter(`${name}.running_mean`, channels, filled(0), false),
      variance: this.parameter(`${name}.running_var`, channels, filled(1), false),
    };
    if (this.mode === "evaluate") return batchNormInference(x, gamma, beta, running);
    const names = {
      mean: `${this.#prefix}${name}.running_mean`,
      variance: `${this.#prefix}${name}.running_var`,
    };
    // A network that is applied twice in one step moves its statistics twice.
    const latest = {
      mean: this.updates[names.mean] ?? running.mean,
      variance: this.updates[names.variance] ?? running.variance,
    };
    const next = updateRunning(x, latest);
    this.updates[names.mean] = next.mean;
    this.updates[names.variance] = next.variance;
    return batchNorm(x, gamma, beta);
  }

  dropout(x: Tensor, rate: number): Tensor {
    if (this.mode === "evaluate") return x;
    return dropout(x, rate, `${this.#prefix}dropout/${this.#dropouts++}`);
  }

  #affine(name: string, x: Tensor): [Tensor, Tensor] {
    const channels = [x.shape[1]!];
    return [
      this.parameter(`${name}.weight`, channels, filled(1)),
      this.parameter(`${name}.bias`, channels, filled(0)),
    ];
  }
}
