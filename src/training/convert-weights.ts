/** A file of weights under other names: a run's for timm, timm's for torchvision, and so on. */

import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { readPlain } from "../disk/plain-file.ts";
import { checkFree, writeWhole } from "../disk/write-whole.ts";
import { models } from "../models/index.ts";
import { type Alias, aliasesOf, type Model, sameName } from "../models/model.ts";
import { identifyWeights } from "../models/weights/identify-weights.ts";
import { imageOfFile, wantedTensors } from "../models/weights/network-shape.ts";
import { takeWeights } from "../models/weights/take-weights.ts";
import { decodeSafetensors, encodeSafetensors, type TensorFile } from "../runs/safetensors.ts";
import { unreadableWeights, weightsPath } from "./weights.ts";
import { type NetworkAbout, networkAboutOf } from "./weights-about.ts";

export interface ConvertWeightsOptions {
  /** `own`, or whose names: see a model's aliases. */
  names: string;
  out: string;
  force: boolean;
}

export interface ConvertedWeights {
  model: string;
  names: string;
  tensors: number;
  out: string;
}

export async function convertWeights(
  given: string,
  { names, out, force }: ConvertWeightsOptions,
): Promise<ConvertedWeights> {
  await checkFree(out, { overwrite: force });
  const path = await weightsPath(given);
  const bytes = await readPlain(path).catch((cause: unknown) => {
    throw unreadableWeights(cause, path);
  });
  const file = decodeSafetensors(bytes, path);
  const about = networkAboutOf(file.metadata, path);
  const { model, shape } = networkOf(file.tensors, about, path);
  const alias = aliasOf(model, names);
  const values = takeWeights(model, shape, { tensors: file.tensors, ...(about && { of: about }) }, path);
  const tensors = new Map(
    wantedTensors(model, shape).map(({ name, shape: own }) => [
      alias(name),
      { shape: names === "timm" ? timmShape(own) : own, data: lookUp(values, name) },
    ]),
  );
  const metadata = { format: "pt", ...file.metadata, ...(about && { cuelab: JSON.stringify(about) }) };
  await writeWhole(out, encodeSafetensors({ tensors, metadata }), { overwrite: force });
  return { model: model.name, names, tensors: tensors.size, out };
}

/** timm keeps a scale for each channel as [channels], torchvision as [channels, 1, 1]. */
function timmShape(shape: readonly number[]): readonly number[] {
  return shape.length === 3 && shape[1] === 1 && shape[2] === 1 ? [shape[0]!] : shape;
}

/** The network that a file is of, with the images it was made for: as it says itself, or as its tensors look. */
function networkOf(tensors: TensorFile["tensors"], about: NetworkAbout | undefined, where: string) {
  if (about !== undefined) {
    const { options, classNames, image } = about;
    return { model: models.get(about.model), shape: { options, classes: classNames.length, image } };
  }
  const likely = identifyWeights(tensors)[0];
  if (likely?.classes == null) {
    throw new CuelabError({
      kind: "input",
      what: "no network is known that these weights belong to",
      where,
      expected: "weights that Cuelab wrote, or those of a published network with its head",
      todo: "see 'cuelab weights show' for what the file holds",
    });
  }
  const model = models.get(likely.model);
  const image = imageOfFile(model, likely.options, tensors);
  return { model, shape: { options: likely.options, classes: likely.classes, image } };
}

function aliasOf(model: Model, names: string): Alias {
  const known = { own: sameName, ...aliasesOf(model) };
  if (Object.hasOwn(known, names)) return known[names as keyof typeof known]!;
  throw new CuelabError({
    kind: "usage",
    what: `${names} has no names for model "${model.name}"`,
    expected: `one of: ${Object.keys(known).join(", ")}`,
  });
}
