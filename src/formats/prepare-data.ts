/** Makes people's own images ready on reading: divided into splits by what is in their files, brought to one size. */

import { createHash } from "node:crypto";
import { attributeRecord } from "../core/attribute-record.ts";
import { type Dataset, type Splits, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { inSplitOrder, withSteps } from "../images/change-dataset.ts";
import { storedFileOf } from "../images/recipe.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";

export interface PreparationContext {
  path: string;
  /** Splits that are there are no word of the data's owner. */
  splitsAreOurs: boolean;
}

/** The same dataset with `given` done to it; what was done is told in its provenance. */
export async function preparedData(
  dataset: Dataset,
  given: Preparation,
  context: PreparationContext,
): Promise<Dataset> {
  const preparation = preparationOf(given);
  const { size, fit = "crop", split } = preparation;
  const divided =
    split === undefined
      ? dataset
      : inSplitOrder({
          ...dataset,
          splits: await divisionOf(dataset, preparation, context),
          attributes: withoutCue(dataset.attributes, preparation.splitBy),
        });
  const sized = size === undefined ? divided : withSteps(divided, [{ kind: "fit", size, fit }]);
  const { provenance } = sized;
  return { ...sized, provenance: { ...provenance, settings: { ...provenance.settings, ...preparation } } };
}

/** Splits by shares: of each image by the digest of its file, or of each value of a column by the value's. */
async function divisionOf(
  dataset: Dataset,
  { split: shares = [], stratify, splitBy }: Preparation,
  { path, splitsAreOurs }: PreparationContext,
): Promise<Splits> {
  if (!splitsAreOurs) refuseDivided(dataset, path);
  const bounds = boundsOf(shares);
  if (splitBy !== undefined) {
    const { valueNames, values } = attributeNamed(dataset, splitBy, path);
    const places = valueNames.map((value) => placeIn(bounds, positionOf(value)));
    return splitsOf(values, (value) => places[value]!);
  }
  const positions = await contentPositions(dataset);
  const places = stratify
    ? exactPlaces(dataset.labels, positions, shares)
    : positions.map((position) => placeIn(bounds, position));
  return splitsOf(places, (place) => place);
}

/** What stays together has no value in two splits, and cannot be measured as a cue. */
function withoutCue(attributes: Dataset["attributes"], name: string | undefined): Dataset["attributes"] {
  if (name === undefined) return attributes;
  return attributeRecord(
    Object.entries(attributes).map(([each, attribute]) => [
      each,
      each === name ? { ...attribute, role: "other" } : attribute,
    ]),
  );
}

function splitsOf<Value extends number>(
  values: Iterable<Value> & ArrayLike<Value>,
  placeOf: (value: Value) => number,
): Splits {
  return { names: standardSplits, values: Uint8Array.from(values, placeOf) };
}

/** Two shares are those of train and test. */
function boundsOf(shares: readonly number[]): { upTo: number; split: number }[] {
  const codes = shares.length === 2 ? [0, 2] : [0, 1, 2];
  return shares
    .map((_, i) => ({ upTo: shares.slice(0, i + 1).reduce((a, b) => a + b), split: codes[i]! }))
    .filter((_, i) => shares[i]! > 0);
}

/** An image's place depends on its own position alone: whatever is added or taken away, it stays. */
function placeIn(bounds: readonly { upTo: number; split: number }[], position: number): number {
  return (bounds.find(({ upTo }) => position < upTo) ?? bounds.at(-1)!).split;
}

/** From 0 up to 1, by digest: for texts of all kinds as if drawn evenly, and the same on every machine. */
function positionOf(content: string | Uint8Array): number {
  return createHash("sha256").update("cuelab split\n").update(content).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Equal files have equal positions, so that copies come into one split. */
async function contentPositions({ images }: Dataset): Promise<number[]> {
  const file = storedFileOf(images);
  const contentOf = async (i: number) => (file ? (await file(i)).bytes : (await images.pixels(i)).data);
  const positions: number[] = [];
  for (let start = 0; start < images.count; start += filesAtOnce) {
    const indices = Array.from({ length: Math.min(filesAtOnce, images.count - start) }, (_, i) => start + i);
    // An image that cannot be read is told of by whoever needs it; until then it is known by its name.
    const found = indices.map((i) => contentOf(i).then(positionOf, () => positionOf(images.describe(i))));
    positions.push(...(await Promise.all(found)));
  }
  return positions;
}

/** Read side by side: most of the time goes by waiting for each. */
const filesAtOnce = 32;

/** Within each class in the order of positions, so many as the shares say, halves up. */
function exactPlaces(labels: Uint16Array, positions: readonly number[], shares: readonly number[]): number[] {
  const bounds = boundsOf(shares);
  const places = positions.map(() => 0);
  const byClass = new Map<number, number[]>();
  for (const [i, label] of labels.entries()) {
    const members = byClass.get(label);
    if (members) members.push(i);
    else byClass.set(label, [i]);
  }
  for (const members of byClass.values()) {
    members.sort((a, b) => positions[a]! - positions[b]! || a - b);
    for (const [rank, i] of members.entries()) {
      const found = bounds.find(({ upTo }) => rank < Math.round(upTo * members.length));
      places[i] = (found ?? bounds.at(-1)!).split;
    }
  }
  return places;
}

function attributeNamed({ attributes }: Dataset, name: string, path: string) {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute) {
    const missing = attribute.valueNames.find((value) => value.trim() === "");
    if (missing === undefined) return attribute;
    throw new CuelabError({
      kind: "input",
      what: `column "${name}" is empty for some images, and cannot tell which of them stay together`,
      where: path,
      todo: "fill it in, or leave --split-by away",
    });
  }
  throw new CuelabError({
    kind: "usage",
    what: `there is no column "${name}" to split by`,
    where: path,
    expected:
      Object.keys(attributes).length === 0
        ? "data with columns beside the class"
        : `one of: ${Object.keys(attributes).join(", ")}`,
    ...didYouMean(name, Object.keys(attributes)),
  });
}

/** What its owner has divided stays so: whoever measures on it relies on that. */
function refuseDivided({ splits }: Dataset, path: string): void {
  const used = splits.names.filter((_, code) => splits.values.includes(code));
  if (used.length < 2) return;
  throw new CuelabError({
    kind: "usage",
    what: "the images are divided into splits already",
    where: path,
    got: `splits ${used.join(", ")}`,
    todo: "leave --split away; or, to divide anew, take a copy whose folders or table have no splits",
  });
}
