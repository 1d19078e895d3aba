/** Which classes give the objects and which the backgrounds, and which background goes with which object. */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { nearest } from "../../core/nearest.ts";
import { randomStream } from "../../core/random.ts";
import type { HardSpuriousSettings } from "./settings.ts";

export interface ClassChoice {
  /** Classes of the objects, which are the labels. */
  objects: string[];
  /** Classes that backgrounds come from, those of the objects first; positions of both `partner` and labels. */
  all: string[];
  /** For each object's class, the position in `all` of the class that its random backgrounds come from. */
  partner: number[];
}

/**
 * One fixed other class for each class of objects, drawn by the seed: a cycle through a random order where objects and
 * backgrounds come from the same classes, so that every class serves once.
 */
export function chooseClasses(
  known: readonly string[],
  chosen: Pick<HardSpuriousSettings, "classes" | "backgroundClasses" | "version" | "v2Classes">,
  accuracies: ReadonlyMap<string, number> | undefined,
  seed: number,
): ClassChoice {
  const { objects, backgrounds } =
    chosen.version === 2 ? byAccuracy(known, chosen, accuracies!) : byName(known, chosen);
  const random = randomStream(seed, "hard-spurious/background-classes").at(0);
  const all = [...new Set([...objects, ...backgrounds])];
  const places = backgrounds.map((name) => all.indexOf(name));
  const order = Array.from(random.permutation(places.length), (i) => places[i]!);
  const own = objects.every((name) => backgrounds.includes(name)) && objects.length === backgrounds.length;
  if (own) {
    // Each takes the background of the one after it.
    const partner = objects.map((_, label) => order[(order.indexOf(label) + 1) % order.length]!);
    return { objects, all, partner };
  }
  const partner = objects.map((_, label) => {
    const first = order[label % order.length]!;
    return first === label ? order[(label + 1) % order.length]! : first;
  });
  return { objects, all, partner };
}

function byName(
  known: readonly string[],
  { classes, backgroundClasses }: Pick<HardSpuriousSettings, "classes" | "backgroundClasses">,
): { objects: string[]; backgrounds: string[] } {
  const objects =
    classes.length === 0 ? [...known] : classes.map((name) => knownName(name, known, "classes"));
  const backgrounds =
    backgroundClasses.length === 0
      ? objects
      : backgroundClasses.map((name) => knownName(name, known, "backgroundClasses"));
  for (const [setting, names] of Object.entries({ classes: objects, backgroundClasses: backgrounds })) {
    const twin = names.find((name, i) => names.indexOf(name) < i);
    if (twin === undefined) continue;
    throw new CuelabError({ kind: "usage", what: `${setting} names "${twin}" twice` });
  }
  if (backgrounds.length === 1 && objects.includes(backgrounds[0]!)) {
    throw new CuelabError({
      kind: "usage",
      what: `"${backgrounds[0]}" would be the random background of itself`,
      expected: "at least two classes",
      todo: "add a class to classes or backgroundClasses",
    });
  }
  return { objects, backgrounds };
}

const paperClasses = 10;

/** Version 2, section 4.1: backgrounds on which the class is known without its object, objects of which it is not. */
function byAccuracy(
  known: readonly string[],
  { classes, v2Classes = paperClasses }: Pick<HardSpuriousSettings, "classes" | "v2Classes">,
  accuracies: ReadonlyMap<string, number>,
): { objects: string[]; backgrounds: string[] } {
  const candidates =
    classes.length === 0 ? [...known] : classes.map((name) => knownName(name, known, "classes"));
  const unmeasured = candidates.filter((name) => !accuracies.has(name));
  if (unmeasured.length > 0) {
    throw new CuelabError({
      kind: "input",
      what: `backgroundAccuracy says nothing about ${unmeasured.length} of ${candidates.length} classes`,
      expected: "a row for each class",
      got: `no row for ${unmeasured.slice(0, 5).join(", ")}${unmeasured.length > 5 ? ", …" : ""}`,
      todo: "measure them too, or choose those that were measured with classes",
    });
  }
  if (2 * v2Classes > candidates.length) {
    throw new CuelabError({
      kind: "usage",
      what: `v2Classes=${v2Classes} needs ${2 * v2Classes} classes, and there are ${candidates.length}`,
      todo: `at most v2Classes=${Math.floor(candidates.length / 2)}`,
    });
  }
  // Where two are equally accurate, the one that comes first stays first.
  const ranked = candidates.toSorted((a, b) => lookUp(accuracies, b) - lookUp(accuracies, a));
  return { backgrounds: ranked.slice(0, v2Classes), objects: ranked.slice(-v2Classes) };
}

function knownName(name: string, known: readonly string[], setting: string): string {
  if (known.includes(name)) return name;
  const close = nearest(name, known);
  throw new CuelabError({
    kind: "usage",
    what: `there is no class "${name}"`,
    where: `the setting ${setting}`,
    expected: `some of: ${known.slice(0, 20).join(", ")}${known.length > 20 ? ", …" : ""}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
