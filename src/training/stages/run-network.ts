/** A run's network in every form that it is written in: as it is trained, as it is evaluated, and its last layer alone. */

import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { input, type Tensor } from "../../engine/expressions.ts";
import { State } from "../../engine/state.ts";
import { initialise } from "../../engine/training/parameters.ts";
import type { NetworkExpressions, Own, Weights } from "../../methods/method.ts";
import { models } from "../../models/index.ts";
import { type Model, Network, type NetworkOptions } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { frozenLayers } from "../../models/weights/frozen.ts";
import type { RunSpec } from "../run-spec.ts";
import type { MethodData } from "./method-data.ts";
import { OwnParts } from "./own-parts.ts";

export interface WrittenNetwork {
  network: Network;
  own: OwnParts;
}

export class RunNetwork {
  readonly model: Model;
  readonly #common: Pick<NetworkOptions, "classes" | "options" | "pixels">;

  constructor({ model }: Pick<RunSpec, "model">, classes: number, pixels: PixelStatistics | undefined) {
    this.model = models.get(model.name);
    this.#common = { classes, options: model.options, pixels };
  }

  training(freeze: readonly string[]): WrittenNetwork {
    const frozen = frozenLayers(freeze, this.model.head);
    return this.#written({ ...this.#common, mode: "train", frozen }, freeze);
  }

  evaluated(): WrittenNetwork {
    return this.#written({ ...this.#common, mode: "evaluate" }, []);
  }

  /** The weights with first values of all that no stage has trained: what a stage on features is handed may be such. */
  completed(weights: Weights, seed: number, { height, width, channels }: ImageShape): Weights {
    const { network } = this.evaluated();
    network.logits(input("images", [1, height, width, channels], "byte"));
    const missing = network.parameters.all.filter(({ name }) => !weights.has(name));
    if (missing.length === 0) return weights;
    const first = new State();
    initialise(missing, first, (key) => randomStream(seed, key).at(0));
    return new Map([...weights, ...missing.map(({ name }) => [name, first.get(name)] as const)]);
  }

  #written(options: NetworkOptions, frozen: readonly string[]): WrittenNetwork {
    return {
      network: new Network(this.model, options),
      own: new OwnParts({
        mode: options.mode,
        another: (more) => new Network(this.model, { ...options, ...more }),
        frozen,
      }),
    };
  }
}

/** The same network for those who have its features already. */
export function overFeatures(network: Pick<NetworkExpressions, "head" | "prepared">): NetworkExpressions {
  const head = (features: Tensor) => network.head(features);
  const layer = (_: Tensor, name: string): never => {
    throw new CuelabError({
      kind: "usage",
      what: `features have no layer "${name}" before them`,
      todo: "train on images, or let the method read the features themselves",
    });
  };
  const prepared = (pixels: Tensor) => network.prepared(pixels);
  return { prepared, features: (features) => features, head, logits: head, layer };
}

/** What is the method's own, for those who have features already: its second networks have them too. */
export function ownOverFeatures(own: Own): Own {
  const { parameter, linear, layers, asHead } = own;
  return { parameter, linear, layers, asHead, twin: (name) => overFeatures(own.twin(name)) };
}

export interface Prediction {
  logits: Tensor;
  /** Of the network; undefined where the method predicts without it. */
  features: Tensor | undefined;
  /** Names of what the logits are computed with: weights and running statistics. */
  weights: string[];
  /** Those among them that are the method's own. */
  own: { name: string; shape: readonly number[] }[];
  /** What else the method shows, by name. */
  shown: Record<string, Tensor>;
  /** Pictures of what it has learnt, by name. */
  readonly drawn: () => Record<string, Tensor>;
}

/** What a run's model says of inputs: the method's own prediction, or the network's logits. */
export function predictionOf(
  run: RunNetwork,
  data: Pick<MethodData, "method" | "config" | "explicit">,
  inputs: Tensor,
  kind: "images" | "features",
): Prediction {
  const { method, config } = data;
  const { network: whole, own } = run.evaluated();
  const network = kind === "features" ? overFeatures(whole) : whole;
  // One expression of the features, however often the method asks for them.
  const known = new Map<Tensor, Tensor>();
  const featuresOf = (x: Tensor) => {
    const found = known.get(x) ?? network.features(x);
    known.set(x, found);
    return found;
  };
  const head = (x: Tensor) => network.head(x);
  const context = {
    network: {
      prepared: (pixels: Tensor) => network.prepared(pixels),
      features: featuresOf,
      head,
      logits: (x: Tensor) => head(featuresOf(x)),
      layer: (x: Tensor, name: string) => network.layer(x, name),
    },
    own: kind === "features" ? ownOverFeatures(own) : own,
    inputs,
    classes: whole.classes,
    known: { config, bias: (part: "train" | "val") => data.explicit(part, "values of cues").bias },
  };
  const logits = method.predict?.(context) ?? context.network.logits(inputs);
  // Of the images, or of what the method makes of them before the network sees it.
  const features = known.get(inputs) ?? [...known.values()][0];
  const all = (drawn: typeof method.shows) =>
    Object.fromEntries(Object.entries(drawn ?? {}).map(([name, show]) => [name, show(context)]));
  const shown = kind === "images" ? all(method.shows) : {};
  const weights = [...whole.parameters.all, ...own.parameters.all].map(({ name }) => name);
  const ofMethod = own.parameters.all.map(({ name, tensor }) => ({ name, shape: tensor.shape }));
  return { logits, features, weights, own: ofMethod, shown, drawn: () => all(method.draws) };
}
