/** Regions of an image: how much of a map lies in one, and where one of equal size and form lies elsewhere. */

import type { Box } from "../core/box.ts";
import type { Random } from "../core/random.ts";

/** 1 where it is, 0 elsewhere; a place a pixel, row by row. */
export type Region = Uint8Array;

type MapSize = Readonly<{ height: number; width: number }>;

export function regionOfBox(box: Box, { height, width }: MapSize): Region {
  const region = new Uint8Array(height * width);
  for (let y = Math.max(0, box.top); y < Math.min(height, box.top + box.height); y++)
    region.fill(1, y * width + Math.max(0, box.left), y * width + Math.min(width, box.left + box.width));
  return region;
}

export function areaOf(region: Region): number {
  let places = 0;
  for (let i = 0; i < region.length; i++) places += region[i]!;
  return places / region.length;
}

/** Of what of the map is above 0, the share within the region; null where nothing is. */
export function shareWithin(map: Float32Array, region: Region): number | null {
  let [inside, all] = [0, 0];
  for (let i = 0; i < map.length; i++) {
    const value = Math.max(0, map[i]!);
    all += value;
    if (region[i] === 1) inside += value;
  }
  return all === 0 ? null : inside / all;
}

/** Places are tried in steps of a sixteenth of the image. */
const steps = 16;

/**
 * The same form elsewhere in the image, without a pixel in common: within the image where there is room, else parts of it come
 * in at the opposite side. Fewer than asked for, or none, where there is no room for them.
 */
export function elsewhere(
  region: Region,
  { height, width }: MapSize,
  wanted: number,
  random: Random,
): Region[] {
  const places = Uint32Array.from(region.keys()).filter((place) => region[place] === 1);
  if (places.length === 0 || 2 * places.length > region.length) return [];
  const rows = places.map((place) => Math.floor(place / width));
  const columns = places.map((place) => place % width);
  const [top, bottom] = ends(rows);
  const [left, right] = ends(columns);
  const moves = movesOf(height).flatMap((down) => movesOf(width).map((across) => ({ down, across })));
  random.shuffle(moves);
  const fits = (from: number, to: number, by: number, length: number) =>
    to + by < length || from + by - length >= 0;
  // Whole ones first; the sort keeps the random order among equals.
  const broken = ({ down, across }: { down: number; across: number }) =>
    fits(top, bottom, down, height) && fits(left, right, across, width) ? 0 : 1;
  const found: Region[] = [];
  for (const { down, across } of moves.sort((a, b) => broken(a) - broken(b))) {
    if (found.length === wanted) break;
    const moved = new Uint8Array(region.length);
    let overlaps = false;
    for (let i = 0; i < places.length && !overlaps; i++) {
      const place = ((rows[i]! + down) % height) * width + ((columns[i]! + across) % width);
      moved[place] = 1;
      overlaps = region[place] === 1;
    }
    if (!overlaps) found.push(moved);
  }
  return found;
}

function movesOf(length: number): number[] {
  const count = Math.min(steps, length);
  return Array.from({ length: count }, (_, i) => Math.floor((length * i) / count));
}

function ends(values: Uint32Array): [number, number] {
  let [low, high] = [values[0]!, values[0]!];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
