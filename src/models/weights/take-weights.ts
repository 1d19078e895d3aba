/** Puts a file's tensors into a network's place, all of them or none. */

import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { countNotFinite } from "../../core/not-finite.ts";
import type { Model, ModelOptions } from "../model.ts";
import {
  fitsWholly,
  type MatchOptions,
  matchWeights,
  prefixRemark,
  type WantedTensor,
} from "./match-weights.ts";
import { weightsMisfit } from "./misfit.ts";
import { gridFor, type NetworkShape, wantedTensors } from "./network-shape.ts";
import { type Grid, positions, squareGrid, stretchPositions } from "./position-embedding.ts";

export type WeightTensors = ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>;

export interface WeightFile {
  tensors: WeightTensors;
  /** The network that the file says it is of, and its images; only ours say so. */
  of?: { model: string; options: ModelOptions; image: ImageShape };
}

export interface TakeOptions extends Pick<MatchOptions, "freshHead"> {
  /** Told what was guessed of the names, in a sentence. */
  onGuess?: ((remark: string) => void) | undefined;
}

/** Values by parameter; of the head too, unless a fresh one is asked for. */
export function takeWeights(
  model: Model,
  shape: NetworkShape,
  file: WeightFile,
  where: string,
  { onGuess, ...options }: TakeOptions = {},
): Map<string, Float32Array> {
  const wanted = wantedTensors(model, shape);
  const grid = file.of && gridFor(model, shape.options, file.of.image);
  const match = matchWeights(model, wanted, file.tensors, { ...options, grid });
  if (!fitsWholly(match)) throw weightsMisfit(model, shape, file, where, match);
  const guess = prefixRemark(match);
  if (guess !== undefined) onGuess?.(`${where}: ${guess}`);
  const values = new Map<string, Float32Array>();
  const harmed: { source: string; count: number }[] = [];
  for (const tensor of wanted) {
    const source = match.sources.get(tensor.name);
    if (source === undefined) continue;
    const { data } = lookUp(file.tensors, source);
    const count = countNotFinite(data);
    if (count > 0) harmed.push({ source, count });
    values.set(tensor.name, adapted(tensor, data, grid, gridFor(model, shape.options, shape.image)));
  }
  if (harmed.length > 0) throw notFinite(where, harmed);
  return values;
}

/** Positions are stretched from the file's grid, which is a square one where neither it nor its size says otherwise. */
function adapted(
  { name, shape }: WantedTensor,
  data: Float32Array,
  from: Grid | undefined,
  to: Grid | undefined,
): Float32Array {
  if (name !== positions || to === undefined) return data;
  const width = shape.at(-1)!;
  return stretchPositions(data, width, from ?? squareGrid(data.length / width - 1) ?? to, to);
}

function notFinite(where: string, harmed: readonly { source: string; count: number }[]): CuelabError {
  const [{ source, count }] = harmed as [(typeof harmed)[0]];
  const numbers = `${count.toLocaleString("en")} number${count === 1 ? "" : "s"} of tensor "${source}"`;
  const others = harmed.length === 1 ? "" : `, and some in ${harmed.length - 1} more`;
  return new CuelabError({
    kind: "input",
    what: "the weights hold numbers that are not finite",
    where,
    expected: "finite numbers, within what float32 can hold (up to 3.4e38)",
    got: `${numbers}${others}: NaN, infinite, or too large`,
    todo: "write the file again, from before the training that made it diverged",
  });
}
