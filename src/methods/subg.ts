/** SUBG: empirical risk minimisation on one fixed sample in which every group has as many images as the smallest. */

import { z } from "zod";
import { balancedSubset, subsetNotes } from "./balanced-subset.ts";
import { meanLoss } from "./mean-loss.ts";
import { defineMethod } from "./method.ts";
import { urbanCars } from "./presets.ts";

export const subg = defineMethod({
  name: "subg",
  version: 1,
  title: "Subsampling groups",
  paper: "Idrissi et al. 2022, as in Li et al. 2023",
  supervision: { groups: ["train"] },
  settings: z.object({}),
  search: {},
  presets: { "urban-cars": urbanCars({}) },
  *stages({ groups, random }) {
    const known = groups("train");
    const places = balancedSubset(known, random("subset"));
    yield {
      name: "train",
      from: { part: "train", places },
      convex: true,
      build: meanLoss,
      notes: subsetNotes(known, "training"),
      reports: { used: usedOf(places, known.codes.length) },
    };
    return undefined;
  },
});

/** 1 for each image that is trained on. */
function usedOf(places: Uint32Array, images: number): Int32Array {
  const used = new Int32Array(images);
  for (const place of places) used[place] = 1;
  return used;
}
