/** What regions weigh: shares of maps in them against their area, and what hiding them costs against hiding as much elsewhere. */

import { effectOutcomes } from "../../core/statistics/index.ts";
import { type HiddenRegion, hideRegions } from "../../saliency/hidden-regions.ts";
import { areaOf, type Region } from "../../saliency/regions.ts";
import { imageSize, type SeenNetwork } from "../../saliency/saliency-method.ts";
import { imageMean, type LookedVersion, type MethodInRegion, type RegionLook } from "./answer.ts";

/** Nearer to 0 no effect on a probability matters. */
export const margin = 0.03;

export const allImages = "all images";

export interface RegionChoice {
  network: SeenNetwork;
  version: LookedVersion;
  chosen: Int32Array;
  /** The images' places in their dataset, for random numbers. */
  keys: Uint32Array;
  groups: readonly string[];
  /** By method, then by region, an image. */
  shares: ReadonlyMap<string, ReadonlyMap<string, readonly (number | null | undefined)[]>>;
  batch: number;
  seed: number;
  fill: readonly number[];
}

/** With the effects that a verdict rests on, an image. */
export interface UnjudgedRegion {
  look: RegionLook;
  effects: readonly number[];
}

export async function takeRegion(region: string, choice: RegionChoice): Promise<UnjudgedRegion[]> {
  const { version, groups } = choice;
  const places = version.regions.get(region)!;
  const has = places.flatMap((place, i) => (place === undefined ? [] : [i]));
  const hidden = await hide(places, has, choice);
  const names = [...new Set(groups)].filter((name) => name !== allImages).sort();
  return [allImages, ...names].map((group) => {
    const rows = has.filter((i) => group === allImages || groups[i] === group);
    const { effects, ...means } = falls(rows.map((i) => hidden.get(i)!));
    const methods = [...choice.shares].map(([method, shares]) =>
      inRegion(method, shares.get(region)!, places, rows),
    );
    return { look: { version: version.name, region, group, methods, ...means, verdict: null }, effects };
  });
}

async function hide(
  places: readonly (Region | undefined)[],
  rows: readonly number[],
  { network, version, chosen, keys, batch, seed, fill }: RegionChoice,
): Promise<Map<number, HiddenRegion>> {
  const size = imageSize(network.image);
  const found = new Map<number, HiddenRegion>();
  for (const i of rows) {
    const image = version.bytes.subarray(i * size, (i + 1) * size);
    const options = { batch, seed, fill };
    const [one] = await hideRegions(network, image, [places[i]!], [chosen[i]!], [keys[i]!], options);
    found.set(i, one!);
  }
  return found;
}

function inRegion(
  method: string,
  shares: readonly (number | null | undefined)[],
  places: readonly (Region | undefined)[],
  rows: readonly number[],
): MethodInRegion {
  const known = rows.filter((i) => typeof shares[i] === "number");
  const areas = known.map((i) => areaOf(places[i]!));
  return {
    method,
    share: imageMean(known.map((i) => shares[i]!)),
    area: imageMean(areas),
    above: imageMean(known.map((i, k) => shares[i]! - areas[k]!)),
    blank: rows.length - known.length,
  };
}

function falls(hidden: readonly HiddenRegion[]) {
  const controlled = hidden.flatMap((one) =>
    one.elsewhere === null || one.logitFallElsewhere === null
      ? []
      : [{ ...one, elsewhere: one.elsewhere, logitFallElsewhere: one.logitFallElsewhere }],
  );
  const effects = controlled.map(({ hidden, elsewhere }) => elsewhere - hidden);
  return {
    fall: imageMean(hidden.map(({ before, hidden }) => before - hidden)),
    fallElsewhere: imageMean(controlled.map(({ before, elsewhere }) => before - elsewhere)),
    effect: imageMean(effects),
    logitEffect: imageMean(
      controlled.map(({ logitFall, logitFallElsewhere }) => logitFall - logitFallElsewhere),
    ),
    withoutControl: hidden.length - controlled.length,
    effects,
  };
}

/** One family: all regions of all versions, of all images together. */
export function judged(regions: readonly UnjudgedRegion[]): RegionLook[] {
  const family = regions.filter(({ look, effects }) => look.group === allImages && effects.length > 0);
  const outcomes = effectOutcomes(
    family.map(({ effects }) => ({ values: effects, expected: "above" as const })),
    { margin },
  );
  return regions.map((region) => {
    const found = outcomes[family.indexOf(region)];
    if (found === undefined) return region.look;
    const { outcome, adjusted, smallestSeen } = found;
    const verdict = { outcome, pValue: adjusted.pValue ?? null, smallestSeen: smallestSeen ?? null };
    return { ...region.look, verdict };
  });
}
