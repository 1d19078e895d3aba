/** Which tensor of a file is which parameter of a network, whoever wrote the file; and what does not fit. */

import { sameShape, sizeOf } from "../../engine/shapes.ts";
import { aliasesOf, type Model } from "../model.ts";
import { positionsFit } from "./position-embedding.ts";

export interface Shaped {
  readonly shape: readonly number[];
}

export interface WantedTensor extends Shaped {
  readonly name: string;
}

interface Misshapen {
  name: string;
  expected: readonly number[];
  got: readonly number[];
}

export interface WeightMatch {
  /** Whose names the file uses: `torchvision`, `timm`, `own`. */
  names: string;
  /** Name in the file of each parameter that it holds in a usable shape. */
  sources: ReadonlyMap<string, string>;
  missing: string[];
  extra: string[];
  misshapen: Misshapen[];
}

export interface MatchOptions {
  /** The head is not taken from the file. */
  freshHead?: boolean;
}

/** Counters that PyTorch's batch normalisation keeps and nobody reads. */
const ignored = /(^|\.)num_batches_tracked$/;

/** What wrappers of PyTorch put before all names. */
const wrappers = ["module.", "_orig_mod."];

export function matchWeights(
  model: Model,
  wanted: readonly WantedTensor[],
  file: ReadonlyMap<string, Shaped>,
  { freshHead = false }: MatchOptions = {},
): WeightMatch {
  const held = unwrapped([...file.keys()].filter((name) => !ignored.test(name)));
  const counted = Object.entries(aliasesOf(model)).map(([names, alias]) => ({
    names,
    alias,
    found: wanted.filter(({ name }) => held.has(alias(name))).length,
  }));
  const { names, alias } = counted.reduce((best, next) => (next.found > best.found ? next : best));
  const match = { names, sources: new Map<string, string>(), missing: [], misshapen: [] } as Omit<
    WeightMatch,
    "sources" | "extra"
  > & { sources: Map<string, string> };
  const known = new Set<string>();
  for (const { name, shape } of wanted) {
    const source = held.get(alias(name));
    known.add(alias(name));
    if (freshHead && isWithin(name, model.head)) continue;
    if (source === undefined) match.missing.push(name);
    else if (shapeFits(name, file.get(source)!.shape, shape)) match.sources.set(name, source);
    else match.misshapen.push({ name, expected: shape, got: file.get(source)!.shape });
  }
  return { ...match, extra: [...held.keys()].filter((name) => !known.has(name)) };
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
function shapeFits(name: string, got: readonly number[], expected: readonly number[]): boolean {
  const essential = (shape: readonly number[]) => shape.filter((length) => length !== 1);
  const same = sizeOf(got) === sizeOf(expected) && sameShape(essential(got), essential(expected));
  return same || positionsFit(name, got, expected);
}
