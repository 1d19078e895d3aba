/** What a network is: a function from images to features, with a linear head on top. */

import type { ImageShape } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { globalAveragePool, type Tensor } from "../engine/expressions.ts";
import type { Parameters } from "../engine/training/parameters.ts";
import { Layers, type LayersOptions, type LinearLayerOptions } from "./layers.ts";
import { type PixelKind, type PixelStatistics, preparePixels, prepareUnit } from "./pixels.ts";

export type ModelOptions = Readonly<Record<string, number | string>>;

/** A network's definition: one file, one line in the registry. */
export interface Model<Options extends ModelOptions = ModelOptions> {
  readonly name: string;
  readonly description: string;
  /** Who described it first. */
  readonly paper: string;
  readonly pixels: PixelKind;
  readonly defaults: Options;
  /** What an option takes, where it is not any text, or a whole number from 1. */
  readonly rules?: Readonly<Record<string, OptionRule>>;
  /** Options that make a large network small, for tests and slow machines. */
  readonly small?: Partial<Options>;
  /** Images must have at least as many rows and columns. */
  leastSide?(options: Options): number;
  /** Name of the head's parameters. */
  readonly head: string;
  /** How the head begins, where it is not as PyTorch's linear layers do. */
  readonly headInitial?: LinearLayerOptions | ((options: ModelOptions) => LinearLayerOptions);
  /** Whose mean and deviation its weights were trained with, for a network that comes with weights. */
  readonly usualPixels?: "imagenet";
  /** What others call a parameter, by whose name it is; a network of ours alone has none. */
  readonly aliases?: Readonly<Record<string, Alias>>;
  /** [batch, channels, rows, columns] → [batch, features]. */
  features(layers: Layers, images: Tensor, options: Options): Tensor;
}

export type Alias = (name: string) => string;

/** Where others say the same. */
export const sameName: Alias = (name) => name;

/** Replaces the first pattern that fits; a name that none fits stays as it is. */
export function renamed(...patterns: readonly (readonly [RegExp, string])[]): Alias {
  return (name) => {
    const found = patterns.find(([pattern]) => pattern.test(name));
    return found === undefined ? name : name.replace(found[0], found[1]);
  };
}

export function aliasesOf({ aliases }: Model): Readonly<Record<string, Alias>> {
  return aliases ?? { own: sameName };
}

/** Asked only of values of the option's type. */
export interface OptionRule {
  expected: string;
  fits(value: number | string): boolean;
}

const counting: OptionRule = {
  expected: "a whole number from 1",
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
};

const anyText: OptionRule = { expected: "a text", fits: () => true };

export const rateRule: OptionRule = {
  expected: "a number from 0 to below 1",
  fits: (rate) => Number(rate) >= 0 && Number(rate) < 1,
};

/** How a network begins: as for ImageNet's large images, or keeping the resolution of small ones. */
export const stemRule: OptionRule = {
  expected: "imagenet or small",
  fits: (stem) => stem === "imagenet" || stem === "small",
};

/** Blocks in each of four stages, such as `3,4,6,3`. */
export const blocksRule: OptionRule = {
  expected: "four whole numbers from 1, by commas",
  fits: (blocks) => {
    const counts = blockCounts(String(blocks));
    return counts.length === 4 && counts.every((count) => counting.fits(count));
  },
};

export function blockCounts(blocks: string): number[] {
  return blocks.split(",").map((count) => (count.trim() === "" ? Number.NaN : Number(count)));
}

export function defineModel<Options extends ModelOptions>(model: Model<Options>): Model<Options> {
  return model;
}

export interface NetworkOptions {
  classes: number;
  mode: "train" | "evaluate";
  options?: ModelOptions;
  /** For a network that standardises them. */
  pixels?: PixelStatistics | undefined;
  /** Shared with another network, such as the training and the evaluation form of one model. */
  parameters?: Parameters;
  prefix?: string;
  frozen?: NonNullable<LayersOptions["frozen"]>;
}

/** A network to write expressions with. Calling it twice uses the same parameters. */
export class Network {
  readonly model: Model;
  readonly layers: Layers;
  readonly classes: number;
  readonly #options: ModelOptions;
  readonly #pixels: PixelStatistics | undefined;
  /** Maps of images that were looked at, so that asking for one does not look again. */
  readonly #maps = new WeakMap<Tensor, ReadonlyMap<string, Tensor>>();

  constructor(model: Model, { classes, options = {}, pixels, ...layers }: NetworkOptions) {
    this.model = model;
    this.classes = classes;
    this.layers = new Layers(layers);
    this.#pixels = pixels;
    this.#options = resolveOptions(model, options);
  }

  get parameters(): Parameters {
    return this.layers.parameters;
  }

  /** Pixels from 0 to 1 [batch, channels, rows, columns] → the same as the network takes them. */
  prepared(pixels: Tensor): Tensor {
    return prepareUnit(pixels, this.model.pixels, this.#pixels);
  }

  /** Bytes [batch, rows, columns, channels], or prepared floats [batch, channels, rows, columns] → [batch, features]. */
  features(images: Tensor): Tensor {
    const prepared =
      images.dtype === "byte" ? preparePixels(images, this.model.pixels, this.#pixels) : images;
    this.#checkSize(prepared);
    this.layers.exposed.clear();
    const features = this.model.features(this.layers, prepared, this.#options);
    this.#maps.set(images, new Map(this.layers.exposed));
    return features;
  }

  /** The mean over rows and columns of a map on the way to the features: [batch, channels]. */
  layer(images: Tensor, name: string): Tensor {
    if (!this.#maps.has(images)) this.features(images);
    const maps = this.#maps.get(images)!;
    const map = maps.get(name);
    if (map !== undefined) return globalAveragePool(map);
    const names = [...maps.keys()];
    throw new CuelabError({
      kind: "usage",
      what: `model "${this.model.name}" shows no layer "${name}"`,
      expected:
        names.length === 0
          ? "a model that shows layers, such as resnet18 or small-cnn"
          : `one of: ${names.join(", ")}`,
      ...didYouMean(name, names),
    });
  }

  /** [batch, features] → [batch, classes]. */
  head(features: Tensor): Tensor {
    const { head, headInitial } = this.model;
    const initial = typeof headInitial === "function" ? headInitial(this.#options) : headInitial;
    return this.layers.linear(head, features, this.classes, initial);
  }

  logits(images: Tensor): Tensor {
    return this.head(this.features(images));
  }

  #checkSize(images: Tensor): void {
    const [height, width] = images.shape.slice(2) as [number, number];
    checkImageSize(this.model, this.#options, { height, width });
  }
}

/** How people get them. */
export const largerImages =
  "larger images (--set size=<n> for datasets by name that have it; else enlarge your files)";

/** Refuses images of which a network would have nothing left. Where weights give the stem, no other one helps. */
export function checkImageSize(
  model: Model,
  given: ModelOptions,
  { height, width }: Pick<ImageShape, "height" | "width">,
  { stemIsGiven = () => false }: { stemIsGiven?: () => boolean } = {},
): void {
  const options = resolveOptions(model, given);
  const least = model.leastSide?.(options) ?? 1;
  if (Math.min(height, width) >= least) return;
  const { stem } = options;
  throw new CuelabError({
    kind: "usage",
    what: `the images are too small for model "${model.name}"${stem === undefined ? "" : ` with stem ${stem}`}`,
    expected: `${least} rows and columns or more`,
    got: `${height} × ${width}`,
    todo:
      stem !== "imagenet"
        ? `choose another network, or ${largerImages}`
        : stemIsGiven()
          ? `take ${largerImages}: the weights do not fit stem=small`
          : "give --model-set stem=small",
  });
}

/** Reads `key=value` texts by the types of the model's defaults. */
export function parseModelOptions(model: Model, assignments: readonly string[]): ModelOptions {
  const options = assignments.map((assignment): [string, number | string] => {
    const equals = assignment.indexOf("=");
    const [key, text] = [assignment.slice(0, Math.max(0, equals)), assignment.slice(equals + 1)];
    return [key === "" ? assignment : key, typeof model.defaults[key] === "number" ? numberOf(text) : text];
  });
  // An assignment by name would set the prototype where the name is `__proto__`, and leave nothing to refuse.
  return resolveOptions(model, Object.fromEntries(options));
}

/** An empty text is no number, whatever JavaScript says; a text that is none stays as it is, to be told. */
function numberOf(text: string): number | string {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/** Given options and the defaults of the others; refuses what the network does not take. */
export function resolveOptions(model: Model, given: ModelOptions): ModelOptions {
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(model.defaults, name)) {
      checkOption(model, name, value);
      continue;
    }
    throw new CuelabError({
      kind: "usage",
      what: `model "${model.name}" has no option ${name} = ${value}`,
      expected:
        Object.entries(model.defaults)
          .map(([key, kind]) => `${key} (${typeof kind})`)
          .join(", ") || "no options",
      ...didYouMean(name, Object.keys(model.defaults)),
    });
  }
  return { ...model.defaults, ...given };
}

function checkOption(model: Model, name: string, value: number | string): void {
  const isNumber = typeof model.defaults[name] === "number";
  const rule = model.rules?.[name] ?? (isNumber ? counting : anyText);
  if (typeof value === typeof model.defaults[name] && rule.fits(value)) return;
  throw new CuelabError({
    kind: "usage",
    what: `option ${name} of model "${model.name}" cannot be ${typeof value === "string" ? JSON.stringify(value) : value}`,
    expected: rule.expected,
  });
}
