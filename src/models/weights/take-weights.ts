/** Puts a file's tensors into a network's place, all of them or none; says in full what does not fit. */

import { CuelabError } from "../../core/errors.ts";
import { formatShape, sizeOf } from "../../engine/shapes.ts";
import { type Model, resolveOptions } from "../model.ts";
import { identifyWeights } from "./identify-weights.ts";
import {
  fitsWholly,
  isWithin,
  type MatchOptions,
  matchWeights,
  type WantedTensor,
  type WeightMatch,
} from "./match-weights.ts";
import { type NetworkShape, wantedTensors } from "./network-shape.ts";
import { stretchPositions } from "./position-embedding.ts";

export type WeightTensors = ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>;

export interface WeightFile {
  tensors: WeightTensors;
  /** The network that the file says it is of; only ours say so. */
  of?: { model: string; options: Readonly<Record<string, number | string>> };
}

/** Values by parameter; of the head too, unless a fresh one is asked for. */
export function takeWeights(
  model: Model,
  shape: NetworkShape,
  file: WeightFile,
  where: string,
  options: MatchOptions = {},
): Map<string, Float32Array> {
  const wanted = wantedTensors(model, shape);
  const match = matchWeights(model, wanted, file.tensors, options);
  if (!fitsWholly(match)) throw misfit(model, shape, file, where, match);
  const values = new Map<string, Float32Array>();
  for (const tensor of wanted) {
    const source = match.sources.get(tensor.name);
    if (source !== undefined)
      values.set(tensor.name, adapted(model, shape, tensor, file.tensors.get(source)!.data));
  }
  return values;
}

function adapted(
  model: Model,
  { options, image }: NetworkShape,
  { shape }: WantedTensor,
  data: Float32Array,
): Float32Array {
  if (data.length === sizeOf(shape)) return data;
  return stretchPositions(data, shape.at(-1)!, image, Number(resolveOptions(model, options).patch));
}

/** So many of each kind are named; the rest is counted. */
const named = 5;

function misfit(
  model: Model,
  shape: NetworkShape,
  file: WeightFile,
  where: string,
  match: WeightMatch,
): CuelabError {
  const { missing, extra, misshapen } = match;
  const list = (what: string, entries: readonly string[]) =>
    entries.length === 0
      ? []
      : [
          `${entries.length} ${what}: ${entries.slice(0, named).join(", ")}${entries.length > named ? `, and ${entries.length - named} more` : ""}`,
        ];
  const shapes = misshapen.map(
    ({ name, expected, got }) => `${name} ${formatShape(got)} instead of ${formatShape(expected)}`,
  );
  const settings = Object.entries(resolveOptions(model, shape.options)).map(
    ([key, value]) => `${key}=${value}`,
  );
  const other = file.of !== undefined && file.of.model !== model.name;
  const of = other ? `: these are weights of ${file.of?.model}` : "";
  return new CuelabError({
    kind: "input",
    what: `the weights do not fit model "${model.name}"${of}`,
    where,
    expected: `its tensors for ${shape.classes} classes${settings.length > 0 ? ` with ${settings.join(" ")}` : ""}`,
    got: [...list("misshapen", shapes), ...list("missing", missing), ...list("extra", extra)].join("; "),
    todo: advice(model, shape, file, match),
  });
}

function advice(
  model: Model,
  { options, classes, image }: NetworkShape,
  file: WeightFile,
  match: WeightMatch,
): string {
  const { missing, extra, misshapen } = match;
  const ofHead = (name: string) => isWithin(name, model.head);
  const backboneFits = [...missing, ...misshapen.map(({ name }) => name)].every(ofHead);
  const head = misshapen.find(({ name }) => ofHead(name));
  if (backboneFits && head !== undefined)
    return `the head has ${head.got[0]} classes and the data ${classes}: give --fresh-head`;
  if (backboneFits && missing.length > 0) return "the file has no head that fits: give --fresh-head";
  const first = misshapen.length === 1 && missing.length + extra.length === 0 ? misshapen[0]! : undefined;
  if (first?.expected[1] === image.channels && first.got[1] !== image.channels)
    return `the file is for images of ${first.got[1]} channels, these have ${image.channels}`;
  if (file.of?.model === model.name && sameOptions(model, file.of.options, options))
    return "the file is of this very network, for images of another size: train it on such, or leave --weights away";
  const likely = file.of ?? identifyWeights(file.tensors)[0];
  if (likely !== undefined) {
    const set = Object.entries(likely.options).map(([key, value]) => ` --model-set ${key}=${value}`);
    return `the file fits --model ${likely.model}${set.join("")}`;
  }
  return "see 'cuelab weights show' for what the file holds, and --model-set for width, stem and the like";
}

function sameOptions(model: Model, ...both: [NetworkShape["options"], NetworkShape["options"]]): boolean {
  const [one, other] = both.map((options) => JSON.stringify(resolveOptions(model, options)));
  return one === other;
}
