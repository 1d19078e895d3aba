/** The rows of Tables 4, 7, 10 and 17: methods as they are named here, and the views that they learn from. */

import type { ViewUse } from "../../views/view.ts";
import type { LayerEntry } from "../jobs/layers-job.ts";

export const baseline = "ERM";
export const ensemble = "LLE";
export const ablations = {
  single: "LLE w/o ensemble",
  consistency: "LLE w/o ensemble, AugMix's loss",
  alike: "LLE w/o shift classifier",
} as const;
export const withEdges = "LLE + Edge Aug";
/** Against one shortcut each: by the views below. */
export const targeted = { watermark: "WTM Aug", texture: "TXT Aug", background: "BG Aug" } as const;
export const unaware = ["Mixup", "CutMix", "Cutout", "SD"];
export const inferring = ["LfF", "JTT", "EIIL", "DebiAN"];

/** What LLE and augmentations against one shortcut see beside the image, by shortcut. */
export interface ShortcutViews {
  watermark: ViewUse;
  texture: ViewUse;
  background: ViewUse;
  edges: ViewUse;
}

const mixing = { mixup: { alpha: 0.2 }, cutmix: { alpha: 1 }, erase: { probability: 0.5 } };

/** As a job extracts them: all that the rows below look at. */
export function viewsOf({ watermark, texture, background, edges }: ShortcutViews): ViewUse[][] {
  return [
    ...Object.entries(mixing).map(([view, settings]) => [{ view, with: settings }]),
    [{ view: "augmix" }],
    ...[texture, background, watermark, edges].map((use) => [use]),
  ];
}

export function entriesOf(views: ShortcutViews): LayerEntry[] {
  const { watermark, texture, background, edges } = views;
  const changed = (view: keyof typeof mixing) => ({
    method: "erm",
    augment: [{ view, with: mixing[view] }],
  });
  const seeing = (...uses: ViewUse[]) => ({
    method: "last-layer-ensemble",
    settings: { views: uses, ensemble: false },
  });
  const all = [texture, background, watermark];
  const lle = (settings: object, uses: readonly ViewUse[] = all) => ({
    method: "last-layer-ensemble",
    settings: { views: uses, ...settings },
  });
  return [
    { label: baseline, method: "erm" },
    { label: "Mixup", ...changed("mixup") },
    { label: "CutMix", ...changed("cutmix") },
    { label: "Cutout", ...changed("erase") },
    { label: "AugMix", method: "augmix" },
    {
      label: "SD",
      method: "spectral-decoupling",
      settings: { decay: 1e-4, shift: 0, form: "mean-square" },
    },
    { label: targeted.watermark, ...seeing(watermark) },
    { label: targeted.texture, ...seeing(texture) },
    { label: targeted.background, ...seeing(background) },
    { label: "LfF", method: "lff", settings: { amplification: 0.7 } },
    { label: "LfMF", method: "lfmf", settings: { second: "failures" } },
    { label: "JTT", method: "jtt", settings: { epochs: 1, upweight: 5 } },
    { label: "EIIL", method: "eiil", settings: { epochs: 1 } },
    { label: "DebiAN", method: "debian", settings: { discoverer: "linear" } },
    { label: ablations.single, ...lle({ ensemble: false }) },
    { label: ablations.consistency, ...lle({ ensemble: false, consistency: "js" }) },
    { label: ablations.alike, ...lle({ shift: false }) },
    { label: ensemble, ...lle({}) },
    { label: withEdges, ...lle({}, [...all, edges]) },
  ];
}
