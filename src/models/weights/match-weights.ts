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
  /** What stands before them in the file, such as `model.` of Lightning; "" mostly. */
  prefix: string;
  /** How many tensors do not have that before them, and are of something else. */
  outside: number;
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

export function matchWeights(
  model: Model,
  wanted: readonly WantedTensor[],
  file: ReadonlyMap<string, Shaped>,
  { freshHead = false, grid }: MatchOptions = {},
): WeightMatch {
  const inFile = [...file.keys()].filter((name) => !ignored.test(name));
  const counted = Object.entries(aliasesOf(model)).map(([names, alias]) => ({
    names,
    alias,
    ...commonPrefix(inFile, new Set(wanted.map(({ name }) => alias(name)))),
  }));
  const { names, alias, prefix } = counted.reduce((best, next) => (next.found > best.found ? next : best));
  const within = inFile.filter((name) => name.startsWith(prefix));
  const held = new Map(within.map((name) => [name.slice(prefix.length), name]));
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
  return { names, prefix, outside: inFile.length - within.length, sources, missing, extra, misshapen };
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

/** What was taken for a prefix, and what was left for it; undefined where names are as published. */
export function prefixRemark({
  prefix,
  outside,
}: Pick<WeightMatch, "prefix" | "outside">): string | undefined {
  if (prefix === "") return undefined;
  const left = outside === 0 ? "" : `; ${outside} tensors without it are left out`;
  return `"${prefix}" stands before the names of the network${left}`;
}

/**
 * What stands before most of these names in the file: `module.` and `_orig_mod.` by PyTorch's wrappers, `model.` by Lightning's modules,
 * `backbone.` or `encoder.` by people's own. The shortest where it makes no difference.
 */
function commonPrefix(
  inFile: readonly string[],
  names: ReadonlySet<string>,
): { prefix: string; found: number } {
  const counts = new Map([["", 0]]);
  for (const name of inFile) {
    for (let at = 0; at >= 0; at = nextPart(name, at)) {
      if (names.has(name.slice(at))) counts.set(name.slice(0, at), (counts.get(name.slice(0, at)) ?? 0) + 1);
    }
  }
  let best = { prefix: "", found: counts.get("")! };
  for (const [prefix, found] of counts) {
    const shorter = found === best.found && prefix.length < best.prefix.length;
    if (found > best.found || shorter) best = { prefix, found };
  }
  return best;
}

/** Where the next part of a name begins; -1 after the last. */
function nextPart(name: string, at: number): number {
  const dot = name.indexOf(".", at);
  return dot < 0 ? -1 : dot + 1;
}

/** Lengths of one say nothing: a scale for each channel is [96] here and [96, 1, 1] there. */
function sameNumbers(got: readonly number[], expected: readonly number[]): boolean {
  const essential = (shape: readonly number[]) => shape.filter((length) => length !== 1);
  return sizeOf(got) === sizeOf(expected) && sameShape(essential(got), essential(expected));
}
