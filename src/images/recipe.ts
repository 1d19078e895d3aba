/**
 * How pictures come about, as plain data that another thread or process can follow. A recipe belongs to the very function
 * that gives the pictures: whoever puts another function in its place has pictures without a recipe, never with a wrong one.
 */

import type { Box } from "../core/box.ts";
import type {
  Boxes,
  Dataset,
  EncodedImage,
  ImageSet,
  ImageShape,
  Pixels,
  SideImages,
  StoredImages,
} from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import type { ImageStep } from "./steps.ts";

/** Typed arrays in it lie in shared memory: threads need no copy of a long list, processes are sent one. */
export type Recipe =
  /** By a dataset that has this name here. */
  | { kind: "made"; name: string; settings: Readonly<Record<string, unknown>>; seed: number }
  /** Opened from disk, with what was said about its columns; `hash` where the data says its own. */
  | { kind: "stored"; path: string; mapping: Readonly<Record<string, unknown>>; hash?: string }
  | { kind: "some"; of: Recipe; indices: Uint32Array }
  /** All of one shape, or of several, which only a look at each of them tells. */
  | { kind: "sized"; of: Recipe; shape: ImageShape | null }
  /** Of images alone: what goes with them stays what it was. */
  | { kind: "changed"; of: Recipe; steps: readonly ImageStep[] };

/** What a recipe gives. */
export type Inputs = Pick<Dataset, "images" | "sideImages" | "boxes">;

/** One thing that is asked for by index. */
export type Asked = ImageSet | SideImages | Boxes;

/** Which thing of a dataset. */
export type RecipePart = { kind: "images" } | { kind: "side" | "box"; name: string };

/** What a thing was made from in this thread. */
export type Origin =
  | { kind: "files"; files: Pick<StoredImages, "encoded" | "path" | "rawPixels"> }
  | { kind: "some"; of: Asked; indices: Uint32Array }
  | { kind: "sized"; of: Asked; shape: ImageShape | null }
  | { kind: "changed"; of: Asked; steps: readonly ImageStep[] };

type Giving = (index: number) => Pixels | Box | undefined | Promise<Pixels | Box | undefined>;

const recipes = new WeakMap<Giving, { recipe: Recipe; part: RecipePart }>();
const origins = new WeakMap<Giving, Origin>();

/** The recipe by which equal pictures or boxes can be had elsewhere; undefined where only this thread has them. */
export function recipeOf(asked: Asked): Recipe | undefined {
  const known = namedRecipeOf(asked)?.recipe;
  if (known !== undefined) return known;
  const origin = originOf(asked);
  if (origin === undefined || origin.kind === "files") return undefined;
  const of = recipeOf(origin.of);
  if (of === undefined) return undefined;
  switch (origin.kind) {
    case "some":
      return { kind: "some", of, indices: origin.indices };
    case "sized":
      return { kind: "sized", of, shape: origin.shape };
    case "changed":
      return { kind: "changed", of, steps: origin.steps };
    default:
      return origin satisfies never;
  }
}

/** The recipe that it was given itself, and which part of what the recipe makes it is. */
export function namedRecipeOf(asked: Asked): { recipe: Recipe; part: RecipePart } | undefined {
  return recipes.get(givingOf(asked));
}

export function originOf(asked: Asked): Origin | undefined {
  return origins.get(givingOf(asked));
}

type ReadFile = (index: number) => Promise<EncodedImage>;

/** Reads the file that holds an image as it is, where there is one. */
export function storedFileOf(asked: Asked): ReadFile | undefined {
  return isChanged(asked) ? undefined : fileBeneath(asked);
}

function isChanged(asked: Asked): boolean {
  const origin = originOf(asked);
  if (origin === undefined || origin.kind === "files") return false;
  return origin.kind === "changed" || isChanged(origin.of);
}

/** Reads the file that an image comes from, also where it was changed since. */
export function fileBeneath(asked: Asked): ReadFile | undefined {
  const origin = originOf(asked);
  if (origin === undefined) return undefined;
  if (origin.kind === "files") {
    const { files } = origin;
    return files.encoded && ((index) => files.encoded!(index));
  }
  const read = fileBeneath(origin.of);
  return origin.kind === "some" && read ? (index) => read(origin.indices[index]!) : read;
}

/** Says that following `recipe` gives these inputs. */
export function bindRecipe({ images, sideImages = {}, boxes = {} }: Inputs, recipe: Recipe): void {
  recipes.set(ownGivingOf(images), { recipe, part: { kind: "images" } });
  for (const [name, side] of Object.entries(sideImages))
    recipes.set(ownGivingOf(side), { recipe, part: { kind: "side", name } });
  for (const [name, box] of Object.entries(boxes))
    recipes.set(ownGivingOf(box), { recipe, part: { kind: "box", name } });
}

/** Says what a thing was made from; the thing itself, for writing it in one expression. */
export function withOrigin<Thing extends Asked>(thing: Thing, origin: Origin): Thing {
  origins.set(ownGivingOf(thing), origin);
  return thing;
}

/** The part of some inputs that `part` names. */
export function partOf({ images, sideImages = {}, boxes = {} }: Inputs, part: RecipePart): Asked {
  if (part.kind === "images") return images;
  const found = part.kind === "side" ? sideImages[part.name] : boxes[part.name];
  if (found !== undefined) return found;
  throw new CuelabError({ kind: "failure", what: `a recipe does not make the ${part.kind} "${part.name}"` });
}

function givingOf(asked: Asked): Giving {
  return Reflect.get(asked, "at" in asked ? "at" : "pixels") as Giving;
}

/** A method that all objects of a class share would be bound for all of them. */
function ownGivingOf(asked: Asked): Giving {
  if (Object.hasOwn(asked, "at" in asked ? "at" : "pixels")) return givingOf(asked);
  throw new CuelabError({
    kind: "failure",
    what: "a recipe needs a function that belongs to one object alone",
  });
}
