/** How large the mole board is made. */

import type { PresetCard, PresetName } from "../study.ts";
import { type MoleWorld, urbanCarsWorlds, worldsOf } from "./worlds.ts";

export interface MolesPreset extends PresetCard {
  worlds: readonly MoleWorld[];
  /** Of methods; the baseline is always there. */
  rows: readonly string[] | "all";
  seeds: readonly number[];
}

const quickRows = ["LfF", "JTT", "LLE", "Group DRO"];

export const presets: Readonly<Record<PresetName, MolesPreset>> = {
  smoke: {
    reduces: "everything: a hundred and sixty images, a handful of steps, a network of a few filters",
    shows: "that every part runs; its accuracies are chance and mean nothing",
    cost: "half a minute on two cores",
    worlds: urbanCarsWorlds("smoke").slice(0, 1),
    rows: ["LLE", "Group DRO"],
    seeds: [0, 1],
  },
  quick: {
    reduces:
      "one world, UrbanCars at 64 pixels and as it is calibrated; five of twelve methods, at their published settings but for the length; nothing is searched",
    shows: "what each did to both cues, over five seeds, where differences are a few points or more",
    cost: "about half an hour on two idle cores, by 0.71 core hours that were measured",
    worlds: urbanCarsWorlds("quick").slice(0, 1),
    rows: quickRows,
    seeds: [0, 1, 2, 3, 4],
  },
  day: {
    reduces: "images of 64 pixels or less and small networks; published settings, nothing is searched",
    shows:
      "the board: twelve methods on five worlds, and whether verdicts on UrbanCars depend on how easy each cue is",
    cost: "about a day on two cores",
    worlds: worldsOf("day"),
    rows: "all",
    seeds: [0, 1, 2, 3, 4],
  },
  paper: {
    reduces: "the start from ImageNet weights, which cannot be part of this package",
    shows:
      "the board at the papers' image sizes, networks and lengths, where verdicts need not be those of small networks",
    cost: "months of two cores: a ResNet-50 at 256 pixels for 300 epochs, hundreds of times",
    worlds: worldsOf("paper"),
    rows: "all",
    seeds: [0, 1, 2, 3, 4, 5],
  },
};
