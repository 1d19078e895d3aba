/** Pairs of pictures whose prediction a change turns, and its control does not: plain at the left, changed at the right. */

import type { Pixels } from "../../core/dataset.ts";
import type { Gallery, Section } from "../../core/section.ts";
import { thumbnail } from "../../images/thumbnail.ts";
import type { ModelAnswer } from "./answer.ts";
import { strongest } from "./in-short.ts";
import type { SeenFlip } from "./tally.ts";
import { verdictText } from "./verdict-words.ts";

/** Between both pictures, as a part of their width. */
const gap = 1 / 16;

export function flipGalleries(answer: ModelAnswer): Section[] {
  const { variants, classNames, seen } = answer;
  const galleries = strongest(variants)
    .filter(({ shown }) => shown.length > 0)
    .map((one): Gallery => {
      const v = variants.indexOf(one);
      return {
        name: `flips-${one.intervention}`,
        caption: `${one.intervention}, ${one.variant} (${verdictText(one)}): ${one.flips.lost} of ${one.images} images right before and wrong after; those whose probability falls most and that the control leaves right`,
        pictures: one.shown.map((flip) => ({
          label: labelOf(flip, classNames),
          alt: `Image ${flip.index} plain and changed: ${labelOf(flip, classNames)}`,
          draw: async () => thumbnail(await pairOf(seen, v, flip)),
        })),
      };
    });
  if (galleries.length === 0) return [];
  return [{ name: "flips", heading: "Predictions that a change turned: plain | changed", galleries }];
}

function labelOf({ before, after }: SeenFlip, classNames: readonly string[]): string {
  const said = (one: SeenFlip["before"]) => `${classNames[one.class]!} ${Math.round(100 * one.probability)}%`;
  return `${said(before)} | ${said(after)}`;
}

async function pairOf(seen: ModelAnswer["seen"], variant: number, { index }: SeenFlip): Promise<Pixels> {
  const { plain, changed } = await seen.again(variant, index);
  return besideEachOther(plain, changed);
}

function besideEachOther(one: Pixels, other: Pixels): Pixels {
  const { height, width, channels } = one;
  const between = Math.max(1, Math.round(gap * width));
  const wide = 2 * width + between;
  const data = new Uint8Array(height * wide * channels).fill(255);
  for (let y = 0; y < height; y++) {
    const row = (from: Pixels) => from.data.subarray(y * width * channels, (y + 1) * width * channels);
    data.set(row(one), y * wide * channels);
    data.set(row(other), (y * wide + width + between) * channels);
  }
  return { data, height, width: wide, channels };
}
