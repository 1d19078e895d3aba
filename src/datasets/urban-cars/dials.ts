/**
 * How hard the three things that a drawn image shows are to tell apart. Networks learn first what is easiest, so these
 * decide how much of the car is learned beside the shortcuts.
 */

import { z } from "zod";
import type { Pixels } from "../../core/dataset.ts";
import { drawnKinds, type PartName } from "./worlds.ts";

type KindOf<Part extends PartName> = (typeof drawnKinds)[Part][number][number];

/** For each part the kinds of the two worlds that are drawn. */
export type KindsOfWorlds = { readonly [Part in PartName]: readonly (readonly KindOf<Part>[])[] };

const kinds = <Part extends PartName>(part: Part, what: string) => {
  const all = drawnKinds[part].flat() as KindOf<Part>[];
  return z
    .array(z.enum(all))
    .default(all)
    .refine((given) => drawnKinds[part].every((own) => own.some((kind) => given.includes(kind))), {
      error: `at least one of each world: ${drawnKinds[part].map((own) => own.join(", ")).join("; ")}`,
    })
    .describe(`kinds of ${what} that are drawn; fewer are easier to tell apart`);
};

const haze = (what: string, usual: number) =>
  z.number().min(0).max(0.95).default(usual).describe(`how much of a drawn ${what} is lost in grey haze`);

export const dialSettings = {
  carKinds: kinds("car", "car"),
  backgroundKinds: kinds("background", "background"),
  coObjKinds: kinds("thing", "co-occurring object"),
  /** With it a small network leans on the two cues about as the paper's ResNet-50 does on photos: `docs/urban-cars.md`. */
  backgroundHaze: haze("background", 0.35),
  coObjHaze: haze("co-occurring object", 0),
};

const dialSchema = z.object(dialSettings);
export type Dials = z.output<typeof dialSchema>;

/** As they stand where nothing is said. */
export const usualDials: Dials = dialSchema.parse({});

/** In the order of the lists, whatever the order in which they were given. */
export function kindsOf(dials: Dials): KindsOfWorlds {
  const some = <Part extends PartName>(part: Part, given: readonly string[]) =>
    drawnKinds[part].map((own) => (own as readonly KindOf<Part>[]).filter((kind) => given.includes(kind)));
  return {
    car: some("car", dials.carKinds),
    background: some("background", dials.backgroundKinds),
    thing: some("thing", dials.coObjKinds),
  };
}

/** Of haze that nothing is seen through: the grey of an overcast sky. */
const hazeGrey = 170;

/** In place. */
export function inHaze<Picture extends Pixels>(picture: Picture, share: number): Picture {
  const { data } = picture;
  if (share > 0)
    for (let i = 0; i < data.length; i++) data[i] = Math.round((1 - share) * data[i]! + share * hazeGrey);
  return picture;
}
