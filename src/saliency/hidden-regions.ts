/** What a class loses where a region is hidden, against regions of equal size and form elsewhere in the same image. */

import { randomStream } from "../core/random.ts";
import { hideRegion } from "./hide.ts";
import { batchesOf } from "./in-batches.ts";
import { probabilityAt } from "./probabilities.ts";
import { elsewhere, type Region } from "./regions.ts";
import { imageSize, type SeenNetwork } from "./saliency-method.ts";

/** Hidden regions elsewhere, of which the mean counts: one alone may happen to lie on something. */
const controls = 4;

export interface HiddenRegion {
  /** Of the class, in the image as it is. */
  before: number;
  hidden: number;
  /** Mean over regions elsewhere; null where there is no room for one. */
  elsewhere: number | null;
  /** Of the logit: what hiding takes away, here and elsewhere. */
  logitFall: number;
  logitFallElsewhere: number | null;
}

export interface HideOptions {
  batch: number;
  seed: number;
  fill: readonly number[];
}

/** Of each image with its region, for the class that is asked about; `keys` tell images apart for random numbers. */
export async function hideRegions(
  network: SeenNetwork,
  images: Uint8Array,
  regions: readonly Region[],
  chosen: ArrayLike<number>,
  keys: ArrayLike<number>,
  { batch, seed, fill }: HideOptions,
): Promise<HiddenRegion[]> {
  const stream = randomStream(seed, "saliency/elsewhere");
  const taken = imageSize(network.image);
  const versions = regions.flatMap((region, i) => [
    { image: i, hides: undefined },
    { image: i, hides: region },
    ...elsewhere(region, network.image, controls, stream.at(keys[i]!)).map((hides) => ({ image: i, hides })),
  ]);
  const found = regions.map((): { probability: number; logit: number }[] => []);
  for (const { first, used } of batchesOf(versions.length, batch)) {
    const asked = new Uint8Array(used * taken);
    for (let j = 0; j < used; j++) {
      const { image, hides } = versions[first + j]!;
      asked.set(images.subarray(image * taken, (image + 1) * taken), j * taken);
      if (hides !== undefined)
        hideRegion(asked.subarray(j * taken, (j + 1) * taken), network.image, hides, fill);
    }
    const rows = await network.logits(asked, used);
    for (let j = 0; j < used; j++) {
      const { image } = versions[first + j]!;
      const row = rows.subarray(j * network.classes, (j + 1) * network.classes);
      found[image]!.push({ probability: probabilityAt(row, chosen[image]!), logit: row[chosen[image]!]! });
    }
  }
  return found.map(([before, hidden, ...others]) => {
    const meanOf = (pick: (one: { probability: number; logit: number }) => number) =>
      others.length === 0 ? null : others.reduce((total, one) => total + pick(one), 0) / others.length;
    const logitElsewhere = meanOf(({ logit }) => logit);
    return {
      before: before!.probability,
      hidden: hidden!.probability,
      elsewhere: meanOf(({ probability }) => probability),
      logitFall: before!.logit - hidden!.logit,
      logitFallElsewhere: logitElsewhere === null ? null : before!.logit - logitElsewhere,
    };
  });
}
