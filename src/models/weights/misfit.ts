/** Why a file of weights does not fit a network, and what to change. */

import { CuelabError } from "../../core/errors.ts";
import { quoted } from "../../core/shell-words.ts";
import { formatShape } from "../../engine/shapes.ts";
import { models } from "../index.ts";
import { aliasesOf, type Model, type ModelOptions, resolveOptions } from "../model.ts";
import { identifyWeights } from "./identify-weights.ts";
import { headName, isWithin, type Misshapen, type WeightMatch } from "./match-weights.ts";
import type { NetworkShape } from "./network-shape.ts";
import { positions } from "./position-embedding.ts";
import type { WeightFile } from "./take-weights.ts";

/** So many of each kind are named; the rest is counted. */
const named = 5;

export function weightsMisfit(
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
  const settings = Object.entries(resolveOptions(model, shape.options)).map(
    ([key, value]) => `${key}=${value}`,
  );
  const other = file.of !== undefined && file.of.model !== model.name;
  const of = other ? `: these are weights of ${file.of?.model}` : "";
  const all = [missing, extra, misshapen].some(({ length }) => length > named)
    ? `; for the whole list: cuelab weights show ${quoted(where)} --model ${model.name}${assignments(unusual(model, shape.options))}`
    : "";
  return new CuelabError({
    kind: "input",
    what: `the weights do not fit model "${model.name}"${of}`,
    where,
    expected: `its tensors for ${shape.classes} classes${settings.length > 0 ? ` with ${settings.join(" ")}` : ""}`,
    got: [
      ...list("misshapen", misshapen.map(shapesInWords)),
      ...list("missing", missing),
      ...list("extra", extra),
    ].join("; "),
    todo: `${advice(model, shape, file, match)}${all}`,
  });
}

function shapesInWords({ name, expected, got }: Misshapen): string {
  return `${name} ${formatShape(got)} instead of ${formatShape(expected)}`;
}

function advice(
  model: Model,
  { options, classes, image }: NetworkShape,
  file: WeightFile,
  { names, missing, extra, misshapen }: WeightMatch,
): string {
  const ofHead = (name: string) => isWithin(name, headName(model, names));
  const backboneFits = [...missing, ...extra, ...misshapen.map(({ name }) => name)].every(ofHead);
  const head = misshapen.find(({ name }) => ofHead(name));
  if (backboneFits && head !== undefined && head.got[0] !== classes)
    return `the head has ${head.got[0]} classes and the data ${classes}: give --fresh-head`;
  if (backboneFits) return "the file has no head that fits: give --fresh-head";
  const first = misshapen.length === 1 && missing.length + extra.length === 0 ? misshapen[0]! : undefined;
  if (first?.name === aliasesOf(model)[names]!(positions)) return positionsAdvice(first, file);
  if (first?.expected[1] === image.channels && first.got[1] !== image.channels)
    return `the file is for images of ${first.got[1]} channels, these have ${image.channels}`;
  const sameNetwork = file.of?.model === model.name;
  const candidates = file.of === undefined ? identifyWeights(file.tensors) : [file.of];
  const likely = candidates.find((one) => one.model === model.name) ?? candidates[0];
  const differs = likely !== undefined && fitting(model, options, likely);
  if (differs) return `the file fits ${differs}`;
  if (sameNetwork)
    return "the file is of this very network, for images of another size: train it on such, or leave --weights away";
  return "see 'cuelab weights show' for what the file holds, and --model-set for width, stem, patch and the like";
}

function positionsAdvice({ got }: Misshapen, { of }: WeightFile): string {
  const patches = `its position embeddings are of ${(got[1] ?? 1) - 1} patches`;
  return of === undefined
    ? `${patches}, which form no square, and the file does not say their rows and columns: give images of as many patches`
    : `${patches}, which images of ${of.image.height} × ${of.image.width} do not have, and of those it says to be: write the file again`;
}

/** The options that choose the network which the file is of, and those not to give; undefined where all are right. */
function fitting(
  model: Model,
  given: ModelOptions,
  likely: { model: string; options: ModelOptions },
): string | undefined {
  const right = models.get(likely.model);
  const wanted = unusual(right, likely.options);
  if (right.name !== model.name) return `--model ${right.name}${assignments(wanted)}`;
  const ours = unusual(model, given);
  const idle = Object.entries(ours).filter(([key]) => !Object.hasOwn(wanted, key));
  if (idle.length === 0 && Object.entries(wanted).every(([key, value]) => ours[key] === value))
    return undefined;
  const without = idle.length === 0 ? "" : ` without${assignments(Object.fromEntries(idle))}`;
  return `--model ${model.name}${assignments(wanted)}${without}`;
}

/** Options other than the network's own. */
function unusual(model: Model, options: ModelOptions): ModelOptions {
  return Object.fromEntries(Object.entries(options).filter(([key, value]) => model.defaults[key] !== value));
}

function assignments(options: ModelOptions): string {
  return Object.entries(options)
    .map(([key, value]) => ` --model-set ${quoted(`${key}=${value}`)}`)
    .join("");
}
