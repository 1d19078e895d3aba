/** Layers with parameters, named and initialised as in PyTorch unless a network says otherwise. */

import {
  add,
  batchNorm,
  batchNormInference,
  type ConvolutionOptions,
  cast,
  conv2d,
  convTranspose2d,
  div,
  dropout,
  greaterOrEqual,
  groupNorm,
  layerNorm,
  mul,
  project,
  type RunningStatistics,
  randomUniform,
  type Tensor,
  transpose,
  updateRunning,
} from "../engine/expressions.ts";
import { nameOfInput } from "../engine/ops/sources.ts";
import { shapeError } from "../engine/shapes.ts";
import { filled, type Initialiser, torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { Parameters } from "../engine/training/parameters.ts";

export interface LayersOptions {
  /** In training, batch normalisation uses the batch's statistics and dropout is on. */
  mode: "train" | "evaluate";
  parameters?: Parameters;
  /** Put before all names, so that two networks can live in one graph. */
  prefix?: string;
  /**
   * Which layers, by name, stay as they are: no gradient reaches their parameters, and they behave as in evaluation
   * (running statistics are used and kept, dropout is off).
   */
  frozen?: (name: string) => boolean;
}

export interface LinearLayerOptions {
  initial?: Initialiser;
  initialBias?: Initialiser;
}

export interface ConvolutionLayerOptions extends ConvolutionOptions {
  filters: number;
  kernel: number;
  bias?: boolean;
  initial?: Initialiser;
  initialBias?: Initialiser;
}

export class Layers {
  readonly parameters: Parameters;
  readonly mode: LayersOptions["mode"];
  /** Next values of running statistics, by name. */
  readonly updates: Record<string, Tensor> = {};
  /** Maps on the way to the features, by name, of the images that were last looked at. */
  readonly exposed = new Map<string, Tensor>();
  readonly #prefix: string;
  readonly #frozen: (name: string) => boolean;
  #dropouts = 0;

  constructor({ mode, parameters = new Parameters(), prefix = "", frozen = () => false }: LayersOptions) {
    this.mode = mode;
    this.parameters = parameters;
    this.#prefix = prefix;
    this.#frozen = frozen;
  }

  parameter(name: string, shape: readonly number[], initial: Initialiser, trained = true): Tensor {
    return this.parameters.get(this.#prefix + name, shape, initial, trained && !this.#frozen(name));
  }

  /** Lets methods read a map on its way: [batch, channels, rows, columns]. */
  expose(name: string, map: Tensor): Tensor {
    this.exposed.set(name, map);
    return map;
  }

  /** [batch, …, inputs] → [batch, …, outputs]. */
  linear(name: string, x: Tensor, outputs: number, options: LinearLayerOptions = {}): Tensor {
    const inputs = x.shape.at(-1);
    if (x.shape.length < 2 || inputs === undefined)
      throw shapeError(`linear "${name}"`, "[batch, …, inputs]", x);
    const { initial = torchWeight(), initialBias = torchBias([outputs, inputs]) } = options;
    const weight = this.parameter(`${name}.weight`, [outputs, inputs], initial);
    const bias = this.parameter(`${name}.bias`, [outputs], initialBias);
    return this.linearOf(x, weight, bias);
  }

  /** The same with parameters that have names of their own. */
  linearOf(x: Tensor, weight: Tensor, bias: Tensor): Tensor {
    return add(project(x, transpose(weight)), bias);
  }

  /** [batch, channels, rows, columns] → [batch, filters, …]. */
  convolution(name: string, x: Tensor, options: ConvolutionLayerOptions): Tensor {
    const { filters, kernel, bias = true, initial = torchWeight(), initialBias, ...geometry } = options;
    const shape = [filters, x.shape[1]! / (geometry.groups ?? 1), kernel, kernel];
    const weight = this.parameter(`${name}.weight`, shape, initial);
    if (!bias) return conv2d(x, weight, geometry);
    return conv2d(x, weight, {
      ...geometry,
      bias: this.parameter(`${name}.bias`, [filters], initialBias ?? torchBias(shape)),
    });
  }

  /** [batch, channels, rows, columns] → [batch, filters, …], larger by the stride; weights as PyTorch's [channels, filters, …]. */
  transposedConvolution(
    name: string,
    x: Tensor,
    {
      filters,
      kernel,
      outputPadding = 0,
      ...geometry
    }: Pick<ConvolutionLayerOptions, "filters" | "kernel" | "stride" | "padding"> & {
      outputPadding?: number | readonly [number, number];
    },
  ): Tensor {
    const shape = [x.shape[1]!, filters, kernel, kernel];
    const weight = this.parameter(`${name}.weight`, shape, torchWeight());
    const bias = this.parameter(`${name}.bias`, [filters], torchBias(shape));
    return convTranspose2d(x, weight, { ...geometry, outputPadding, bias });
  }

  groupNorm(name: string, x: Tensor, groups: number): Tensor {
    return groupNorm(x, ...this.#affine(name, x.shape[1]!), groups);
  }

  /** Over the last axis. */
  layerNorm(name: string, x: Tensor, epsilon?: number): Tensor {
    return layerNorm(x, ...this.#affine(name, x.shape.at(-1)!), epsilon);
  }

  /** Uses the batch's statistics in training, the running ones in evaluation. */
  batchNorm(name: string, x: Tensor): Tensor {
    const [gamma, beta] = this.#affine(name, x.shape[1]!);
    const channels = [x.shape[1]!];
    const running = {
      mean: this.parameter(`${name}.running_mean`, channels, filled(0), false),
      variance: this.parameter(`${name}.running_var`, channels, filled(1), false),
    };
    return this.batchNormOf(name, x, gamma, beta, running);
  }

  /** The same with parameters that have names of their own. */
  batchNormOf(
    name: string,
    x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    running: RunningStatistics,
    epsilon?: number,
  ): Tensor {
    if (this.#rests(name)) return batchNormInference(x, gamma, beta, running, epsilon);
    const names = { mean: nameOfInput(running.mean), variance: nameOfInput(running.variance) };
    // A network that is applied twice in one step moves its statistics twice.
    const latest = {
      mean: this.updates[names.mean] ?? running.mean,
      variance: this.updates[names.variance] ?? running.variance,
    };
    const next = updateRunning(x, latest);
    this.updates[names.mean] = next.mean;
    this.updates[names.variance] = next.variance;
    return batchNorm(x, gamma, beta, epsilon);
  }

  /** What layer `name` gives, with some of it left out at random. */
  dropout(name: string, x: Tensor, rate: number): Tensor {
    if (this.#rests(name)) return x;
    return dropout(x, rate, `${this.#prefix}dropout/${this.#dropouts++}`);
  }

  /** Leaves out the whole branch of an image with probability `rate`, and scales the others up (Huang et al. 2016). */
  stochasticDepth(name: string, branch: Tensor, rate: number): Tensor {
    if (this.#rests(name) || rate === 0) return branch;
    const images = [branch.shape[0]!, ...branch.shape.slice(1).map(() => 1)];
    const drawn = randomUniform(`${this.#prefix}depth/${name}`, images);
    return mul(branch, div(cast(greaterOrEqual(drawn, rate), "float"), 1 - rate));
  }

  /** Whether a layer behaves as in evaluation. */
  #rests(name: string): boolean {
    return this.mode === "evaluate" || this.#frozen(name);
  }

  #affine(name: string, channels: number): [Tensor, Tensor] {
    return [
      this.parameter(`${name}.weight`, [channels], filled(1)),
      this.parameter(`${name}.bias`, [channels], filled(0)),
    ];
  }
}
