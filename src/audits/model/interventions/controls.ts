/** Controls that serve several interventions: they change as many pixels, and leave the cue as it is. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Random } from "../../../core/random.ts";

/**
 * The very changes that an intervention made, pixel by pixel, at other places of the image, drawn without looking: as many pixels
 * change by as much, and nothing is left of what they showed together.
 */
export function scattered(image: Pixels, changed: Pixels, random: Random): Pixels {
  const { channels } = image;
  const pixels = image.height * image.width;
  const touched = changedPixels(image, changed);
  const places = Uint32Array.from({ length: pixels }, (_, at) => at);
  const data = Uint8Array.from(image.data);
  touched.forEach((from, k) => {
    const drawn = k + random.integer(pixels - k);
    const to = places[drawn]!;
    places[drawn] = places[k]!;
    for (let c = 0; c < channels; c++) {
      const at = to * channels + c;
      data[at] = moved(
        image.data[at]!,
        changed.data[from * channels + c]! - image.data[from * channels + c]!,
      );
    }
  });
  return { ...image, data };
}

/** Every value of the image by as much as the intervention changes values on average, lighter or darker: its colours stay. */
export function shiftedLight(image: Pixels, changed: Pixels, random: Random): Pixels {
  let total = 0;
  for (let at = 0; at < image.data.length; at++) total += Math.abs(changed.data[at]! - image.data[at]!);
  const by = Math.round(total / image.data.length) * (random.boolean(0.5) ? 1 : -1);
  return { ...image, data: image.data.map((value) => Math.min(255, Math.max(0, value + by))) };
}

/** Every square of so many pixels mirrored in itself: layout and colours stay, and fine forms are others. */
export function mirroredPatches(image: Pixels, side: number): Pixels {
  const { data, height, width, channels } = image;
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const left = x - (x % side);
      const right = Math.min(width, left + side) - 1;
      const from = (y * width + left + right - x) * channels;
      result.set(data.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { ...image, data: result };
}

/** Places of the pixels that differ. */
export function changedPixels(image: Pixels, changed: Pixels): number[] {
  const { data, channels } = image;
  const places: number[] = [];
  for (let at = 0; at < data.length; at += channels)
    for (let c = 0; c < channels; c++)
      if (data[at + c] !== changed.data[at + c]) {
        places.push(at / channels);
        break;
      }
  return places;
}

/** The other way where there is no room, so that as much is changed. */
function moved(value: number, by: number): number {
  const fits = value + by >= 0 && value + by <= 255;
  const back = value - by >= 0 && value - by <= 255;
  return fits ? value + by : back ? value - by : Math.min(255, Math.max(0, value + by));
}
