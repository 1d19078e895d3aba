/**
 * What the tables of papers call methods, and how each is run here. Several are the standard model on changed images: what a change
 * reads beside them, such as masks, is what such a row is told.
 */

import { resolveSettings } from "../core/settings.ts";
import { resolveUse } from "../views/resolve-use.ts";
import type { ViewUse } from "../views/view.ts";
import { methods } from "./index.ts";
import { type Supervision, supervisionOf } from "./method.ts";
import { neededBy } from "./views-of-stage.ts";

export interface PrintedName {
  name: string;
  papers: readonly PrintedIn[];
  method: string;
  settings?: Readonly<Record<string, unknown>>;
  augment?: readonly ViewUse[];
}

type PrintedIn = "Shrestha et al. 2022" | "Li et al. 2023" | "Corner Cases" | "Eulig et al. 2021";

const [shrestha, li, corners, eulig] = [
  "Shrestha et al. 2022",
  "Li et al. 2023",
  "Corner Cases",
  "Eulig et al. 2021",
] as const;

export const printedNames: readonly PrintedName[] = [
  { name: "StdM", papers: [shrestha], method: "erm" },
  { name: "ERM", papers: [li, corners], method: "erm" },
  { name: "Up Wt", papers: [shrestha], method: "group-upweighting" },
  { name: "GDRO, gDRO", papers: [shrestha, li], method: "group-dro" },
  { name: "RUBi", papers: [shrestha], method: "rubi" },
  { name: "LNL", papers: [shrestha], method: "lnl" },
  { name: "IRMv1", papers: [shrestha], method: "irm-v1" },
  { name: "LFF, LfF", papers: [shrestha, li], method: "lff" },
  { name: "SD", papers: [shrestha, li], method: "spectral-decoupling" },
  { name: "Mixup", papers: [li], method: "erm", augment: [{ view: "mixup" }] },
  { name: "CutMix", papers: [li], method: "erm", augment: [{ view: "cutmix" }] },
  { name: "Cutout", papers: [li], method: "erm", augment: [{ view: "erase" }] },
  { name: "AugMix", papers: [li], method: "augmix" },
  { name: "CF+F Aug", papers: [li], method: "cf-f" },
  { name: "WTM Aug", papers: [li], method: "erm", augment: [{ view: "watermark" }] },
  {
    name: "BG Aug",
    papers: [li],
    method: "erm",
    augment: [
      {
        view: "one-of",
        with: {
          of: ["original", { view: "background-swap", with: { masks: ["mask"], background: "tiled" } }],
        },
      },
    ],
  },
  {
    name: "TXT Aug",
    papers: [li],
    method: "erm",
    augment: [{ view: "one-of", with: { of: ["original", { view: "copy", with: { side: "stylised" } }] } }],
  },
  {
    name: "LLE + Edge Aug",
    papers: [li],
    method: "last-layer-ensemble",
    settings: { views: ["background-swap", { view: "copy", with: { side: "edges" } }] },
  },
  { name: "JTT", papers: [li, corners], method: "jtt" },
  { name: "EIIL", papers: [li], method: "eiil" },
  { name: "DebiAN", papers: [li], method: "debian" },
  { name: "LfMF", papers: [li], method: "lfmf" },
  { name: "DI", papers: [li], method: "domain-independent" },
  { name: "SUBG", papers: [li], method: "subg" },
  { name: "DFR", papers: [li, corners], method: "dfr" },
  { name: "LLE", papers: [li], method: "last-layer-ensemble" },
  { name: "ASR (RN18)", papers: [eulig], method: "lens" },
  { name: "VAE", papers: [eulig], method: "vae" },
  { name: "β-VAE", papers: [eulig], method: "beta-vae" },
  { name: "Factor-VAE", papers: [eulig], method: "factor-vae" },
];

/** What such a row is handed beside training images and their classes, by its method and by the changes of its images. */
export function toldUnder({ method: name, settings = {}, augment = [] }: PrintedName): Supervision {
  const method = methods.get(name);
  const own = supervisionOf(method, resolveSettings(method.settings, settings));
  const changes = neededBy(augment.map(resolveUse));
  return {
    ...own,
    sides: [...(own.sides ?? []), ...(changes.sides ?? [])],
    boxes: [...(own.boxes ?? []), ...(changes.boxes ?? [])],
  };
}
