/** What a method trains beside the network: heads and whole networks that are saved with a run but not exported. */

import type { Tensor } from "../engine/expressions.ts";
import { Parameters } from "../engine/training/parameters.ts";
import type { MethodContext } from "../methods/method.ts";
import type { Network, NetworkOptions } from "../models/model.ts";

const prefix = "branch/";

export class Branches {
  readonly parameters = new Parameters();
  readonly #twins = new Map<string, Network>();
  readonly #another: (options: Pick<NetworkOptions, "parameters" | "prefix">) => Network;

  /** `another` makes a network like the run's own, with these options beside the common ones. */
  constructor(another: (options: Pick<NetworkOptions, "parameters" | "prefix">) => Network) {
    this.#another = another;
  }

  /** The method's `parameter` function. */
  readonly parameter: MethodContext<unknown>["parameter"] = (name, shape, initial) =>
    this.parameters.get(prefix + name, shape, initial);

  /** The method's `twin` function; one name, one network. */
  readonly twin = (name: string): Network => {
    const network =
      this.#twins.get(name) ?? this.#another({ parameters: this.parameters, prefix: `${prefix}${name}/` });
    this.#twins.set(name, network);
    return network;
  };

  /** What the twins begin with where the network begins with these weights. */
  likeNetwork(weights: ReadonlyMap<string, Float32Array>): [string, Float32Array][] {
    const twins = [...this.#twins.keys()];
    return twins.flatMap((twin) =>
      [...weights].map(([name, values]): [string, Float32Array] => [`${prefix}${twin}/${name}`, values]),
    );
  }

  /** Next values of the twins' running statistics. */
  get statistics(): Record<string, Tensor> {
    return Object.assign({}, ...[...this.#twins.values()].map(({ layers }) => layers.updates)) as Record<
      string,
      Tensor
    >;
  }
}
