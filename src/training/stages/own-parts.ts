/** What a method trains beside the network: parameters, layers and whole networks under names of its own. */

import type { Shape, Tensor } from "../../engine/expressions.ts";
import type { Initialiser } from "../../engine/training/initialisers.ts";
import { Parameters } from "../../engine/training/parameters.ts";
import type { Own, Weights } from "../../methods/method.ts";
import { Layers } from "../../models/layers.ts";
import type { Network, NetworkOptions } from "../../models/model.ts";

const prefix = "branch/";

/** Under which a parameter of the method's own is kept beside the network's. */
export function ownName(name: string): string {
  return prefix + name;
}

export interface OwnOptions {
  mode: "train" | "evaluate";
  /** Makes a network like the run's own, with these options beside the common ones. */
  another: (options: Pick<NetworkOptions, "parameters" | "prefix">) => Network;
  /** Things of its own that stay as they are. */
  frozen?: readonly string[];
}

export class OwnParts implements Own {
  readonly parameters = new Parameters();
  readonly #options: OwnOptions;
  readonly #twins = new Map<string, Network>();
  readonly #layers = new Map<string, Layers>();
  readonly #asHead = new Set<string>();

  constructor(options: OwnOptions) {
    this.#options = options;
  }

  readonly parameter = (name: string, shape: Shape, initial: Initialiser): Tensor =>
    this.parameters.get(ownName(name), shape, initial, !this.#isFrozen(name));

  readonly linear = (name: string, width: number) => {
    // The layer's tensors are `name.weight` and `name.bias`: it needs no folder of its own.
    const layers = new Layers({
      mode: this.#options.mode,
      parameters: this.parameters,
      prefix,
      frozen: () => this.#isFrozen(name),
    });
    return (inputs: Tensor): Tensor => layers.linear(name, inputs, width);
  };

  readonly layers = (name: string): Layers => {
    const known = this.#layers.get(name);
    if (known !== undefined) return known;
    const layers = new Layers({
      mode: this.#options.mode,
      parameters: this.parameters,
      prefix: `${ownName(name)}/`,
      frozen: () => this.#isFrozen(name),
    });
    this.#layers.set(name, layers);
    return layers;
  };

  readonly twin = (name: string): Network => {
    const network =
      this.#twins.get(name) ??
      this.#options.another({ parameters: this.parameters, prefix: `${ownName(name)}/` });
    this.#twins.set(name, network);
    return network;
  };

  readonly asHead = (name: string): void => {
    this.#asHead.add(name);
  };

  /** What those begin with that stand for the network's last layer, once or several times over. */
  likeHead(weights: Weights | undefined, head: string): [string, Float32Array][] {
    return [...this.#asHead].flatMap((name) =>
      (["weight", "bias"] as const).flatMap((part): [string, Float32Array][] => {
        const values = weights?.get(`${head}.${part}`);
        const own = this.parameters.all.find((parameter) => parameter.name === `${ownName(name)}.${part}`);
        if (values === undefined || own === undefined) return [];
        const size = own.tensor.shape.reduce((a, b) => a * b, 1);
        return [[own.name, Float32Array.from({ length: size }, (_, i) => values[i % values.length]!)]];
      }),
    );
  }

  /** What the twins begin with where the network begins with these weights. */
  likeNetwork(weights: Weights): [string, Float32Array][] {
    return [...this.#twins.keys()].flatMap((twin) =>
      [...weights].map(([name, values]): [string, Float32Array] => [`${ownName(twin)}/${name}`, values]),
    );
  }

  /** Next values of running statistics. */
  get statistics(): Record<string, Tensor> {
    const layers = [...[...this.#twins.values()].map((twin) => twin.layers), ...this.#layers.values()];
    return Object.assign({}, ...layers.map(({ updates }) => updates)) as Record<string, Tensor>;
  }

  #isFrozen(name: string): boolean {
    return this.#options.frozen?.includes(name) ?? false;
  }
}

/** Whether a tensor belongs to a thing of the method's own: itself, its weight and bias, or what lies within it. */
export function isPartOf(tensor: string, name: string): boolean {
  const whole = ownName(name);
  return tensor === whole || tensor.startsWith(`${whole}.`) || tensor.startsWith(`${whole}/`);
}

export function isOwn(tensor: string): boolean {
  return tensor.startsWith(prefix);
}
