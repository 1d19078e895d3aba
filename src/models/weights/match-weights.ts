/** Which tensor of a file is which parameter of a network, whoever wrote the file; and what does not fit. */

import { lookUp } from "../../core/look-up.ts";
import { sameShape, sizeOf } from "../../engine/shapes.ts";
import { type Alias, aliasesOf, type Model } from "../model.ts";
import { type Grid, positions, positionsFit } from "./position-embedding.ts";

export interface Shaped {
  readonly shape: readonly number[];
}

export interface WantedTensor extends Shaped {
  readonly name: string;
}

export interface Misshapen {
  name: string;
  expected: readonly number[];
  got: readonly number[];
}

export interface WeightMatch {
  /** Whose names the file uses: `torchvision`, `timm`, `own`. */
  names: string;
  /** Name in the file of each parameter that it holds in a usable shape. */
  sources: ReadonlyMap<string, string>;
  /** These three by the names that the file uses, or would use. */
  missing: string[];
  extra: string[];
  misshapen: Misshapen[];
}

export interface MatchOptions {
  /** The head is not taken from the file, whatever its form there. */
  freshHead?: boolean;
  /** Of the file's position embeddings, where it is known. */
  grid?: Grid | undefined;
}

/** Counters that PyTorch's batch normalisation keeps and nobody reads. */
const ignored = /(^|\.)num_batches_tracked$/;

/** What wrappers of PyTorch put before all names. */
const wrappers = ["module.", "_orig_mod."];

export function matchWeights(
  model: Model,
  wanted: readonly WantedTensor[],
  file: ReadonlyMap<string, Shaped>,
  { freshHead = false, grid }: MatchOptions = {},
): WeightMatch {
  const held = unwrapped([...file.keys()].filter((name) => !ignored.test(name)));
  const counted = Object.entries(aliasesOf(model)).map(([names, alias]) => ({
    names,
    alias,
    found: wanted.filter(({ name }) => held.has(alias(name))).length,
  }));
  const { names, alias } = counted.reduce((best, next) => (next.found > best.found ? next : best));
  const sources = new Map<string, string>();
  const [missing, misshapen]: [string[], Misshapen[]] = [[], []];
  const known = new Set<string>();
  for (const { name, shape } of wanted) {
    const theirs = alias(name);
    const source = held.get(theirs);
    known.add(theirs);
    if (freshHead && isWithin(name, model.head)) continue;
    if (source === undefined) {
      missing.push(theirs);
      continue;
    }
    const got = lookUp(file, source).shape;
    const fits = name === positions ? positionsFit(got, shape, grid) : sameNumbers(got, shape);
    if (fits) sources.set(name, source);
    else misshapen.push({ name: theirs, expected: shape, got });
  }
  const head = layerName(model.head, alias);
  const extra = [...held.keys()].filter((name) => !known.has(name) && !(freshHead && isWithin(name, head)));
  return { names, sources, missing, extra, misshapen };
}

/** What the file, by whose names it uses, calls the head. */
export function headName(model: Model, names: string): string {
  return layerName(model.head, aliasesOf(model)[names]!);
}

/** Aliases are of parameters, not of layers. */
function layerName(layer: string, alias: Alias): string {
  return alias(`${layer}.weight`).replace(/\.weight$/, "");
}

/** The shape in which a file holds a parameter, whoever named it; undefined where it does not. */
export function shapeInFile(
  model: Model,
  file: ReadonlyMap<string, Shaped>,
  parameter: string,
): readonly number[] | undefined {
  const names = Object.values(aliasesOf(model)).map((alias) => alias(parameter));
  const found = [...file].find(([key]) => names.some((name) => key === name || key.endsWith(`.${name}`)));
  return found?.[1].shape;
}

/** Whether a parameter belongs to the layer or group of layers `prefix`. */
export function isWithin(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}.`);
}

export function fitsWholly({ missing, extra, misshapen }: WeightMatch): boolean {
  return missing.length + extra.length + misshapen.length === 0;
}

/** Bare name → name in the file. */
function unwrapped(names: readonly string[]): Map<string, string> {
  let bare = new Map(names.map((name) => [name, name]));
  for (let again = true; again; ) {
    const wrapper = wrappers.find(
      (prefix) => bare.size > 0 && [...bare.keys()].every((name) => name.startsWith(prefix)),
    );
    again = wrapper !== undefined;
    if (wrapper !== undefined)
      bare = new Map([...bare].map(([name, source]) => [name.slice(wrapper.length), source]));
  }
  return bare;
}

/** Lengths of one say nothing: a scale for each channel is [96] here and [96, 1, 1] there. */
function sameNumbers(got: readonly number[], expected: readonly number[]): boolean {
  const essential = (shape: readonly number[]) => shape.filter((length) => length !== 1);
  return sizeOf(got) === sizeOf(expected) && sameShape(essential(got), essential(expected));
}
