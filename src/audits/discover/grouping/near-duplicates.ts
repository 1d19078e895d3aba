/**
 * Images that look the same: re-encoded, resized, mirrored, or a shade lighter. Candidates are found by their perceptual hashes, in far fewer
 * steps than there are pairs, and compared by their copies of 16 × 16 cells.
 */

import { setImmediate } from "node:timers/promises";
import { copyCells, copySide } from "../looks/small-copies.ts";
import type { MeasuredProperties } from "../measuring/measure-images.ts";
import { Joined } from "./joined.ts";

/** Bits of 64 in which hashes of one picture may differ. */
const mostBits = 7;
/** Of both copies' brightness, cell by cell. */
const leastCorrelation = 0.99;
/** Of 255, in any cell, once brightness is fitted: another thing in the same scene differs by more in some. */
const mostDifference = 12;
/** Of 255: plainer pictures are alike by having nothing to compare. */
const leastContrast = 2;
/** Different pictures of one hash: beyond, further ones are compared with these alone. */
const mostLeaders = 32;
/** Hashes looked up before others get their turn. */
const hashesAtOnce = 2000;

interface Hash {
  high: number;
  low: number;
}

/** Of one hash, the first image of each that looks different. */
interface HashGroup extends Hash {
  leaders: number[];
}

/** The lowest index among the images that look like it, for each image. */
export async function nearDuplicates(
  {
    hashes,
    mirroredHashes,
    light,
    broken,
    count,
  }: Pick<MeasuredProperties, "hashes" | "mirroredHashes" | "light" | "broken" | "count">,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const joined = new Joined(count);
  const copies = new Copies(light);
  const groups: HashGroup[] = [];
  const known = new Map<bigint, HashGroup>();
  for (let index = 0; index < count; index++) {
    if (broken.has(index) || copies.isPlain(index)) continue;
    const hash = hashes[index]!;
    const group = known.get(hash);
    if (group === undefined) {
      const made = { ...halvesOf(hash), leaders: [index] };
      known.set(hash, made);
      groups.push(made);
      continue;
    }
    const leader = group.leaders.find((each) => copies.alike(each, index));
    if (leader !== undefined) joined.join(leader, index);
    else if (group.leaders.length < mostLeaders) group.leaders.push(index);
  }
  const close = new CloseHashes();
  for (const [place, group] of groups.entries()) {
    await takeTurns(place, signal);
    for (const other of close.to(group))
      for (const a of other.leaders) for (const b of group.leaders) if (copies.alike(a, b)) joined.join(a, b);
    close.add(group);
  }
  for (const [place, { leaders }] of groups.entries()) {
    await takeTurns(place, signal);
    for (const a of leaders)
      for (const other of close.to(halvesOf(mirroredHashes[a]!)))
        for (const b of other.leaders) if (a !== b && copies.alike(a, b, "mirrored")) joined.join(a, b);
  }
  return joined.codes();
}

async function takeTurns(place: number, signal: AbortSignal | undefined): Promise<void> {
  if (place % hashesAtOnce !== 0) return;
  signal?.throwIfAborted();
  await setImmediate();
}

/**
 * Hashes that differ in at most seven bits: one of their four quarters then differs in at most one (Norouzi et al. 2012,
 * multi-index hashing), so that each quarter is looked up with each of its bits turned.
 */
class CloseHashes {
  readonly #tables = [0, 1, 2, 3].map(() => new Map<number, HashGroup[]>());

  add(group: HashGroup): void {
    for (const [q, table] of this.#tables.entries()) {
      const quarter = quarterOf(group, q);
      const own = table.get(quarter);
      if (own) own.push(group);
      else table.set(quarter, [group]);
    }
  }

  to(hash: Hash): Set<HashGroup> {
    const found = new Set<HashGroup>();
    for (const [q, table] of this.#tables.entries()) {
      const quarter = quarterOf(hash, q);
      for (let bit = -1; bit < 16; bit++)
        for (const other of table.get(bit < 0 ? quarter : quarter ^ (1 << bit)) ?? [])
          if (distance(other, hash) <= mostBits) found.add(other);
    }
    return found;
  }
}

function halvesOf(hash: bigint): Hash {
  return { high: Number(hash >> 32n), low: Number(hash & 0xffffffffn) };
}

function quarterOf({ high, low }: Hash, q: number): number {
  return ((q < 2 ? high : low) >>> (q % 2 === 0 ? 16 : 0)) & 0xffff;
}

function distance(a: Hash, b: Hash): number {
  return bitsOf(a.high ^ b.high) + bitsOf(a.low ^ b.low);
}

/** Set bits of 32 (Hacker's Delight, figure 5-2). */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

class Copies {
  readonly #light: Uint8Array;
  /** Of each image's cells. */
  readonly #sums: Float64Array;
  readonly #variances: Float64Array;

  constructor(light: Uint8Array) {
    const count = light.length / copyCells;
    this.#light = light;
    this.#sums = new Float64Array(count);
    this.#variances = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      let [sum, squares] = [0, 0];
      for (let at = index * copyCells; at < (index + 1) * copyCells; at++) {
        sum += light[at]!;
        squares += light[at]! ** 2;
      }
      this.#sums[index] = sum;
      this.#variances[index] = squares / copyCells - (sum / copyCells) ** 2;
    }
  }

  isPlain(index: number): boolean {
    return this.#variances[index]! < leastContrast ** 2;
  }

  /** Equal cell by cell, but for brightness and contrast of the whole; the first as it is or mirrored. */
  alike(a: number, b: number, turned?: "mirrored"): boolean {
    const light = this.#light;
    // Columns are counted by the lowest bits of a cell's place.
    const turn = turned === undefined ? 0 : copySide - 1;
    const [one, other] = [a * copyCells, b * copyCells];
    const [sumA, sumB] = [this.#sums[a]!, this.#sums[b]!];
    const [varianceA, varianceB] = [this.#variances[a]!, this.#variances[b]!];
    let products = 0;
    for (let i = 0; i < copyCells; i++) products += light[one + (i ^ turn)]! * light[other + i]!;
    const covariance = products / copyCells - (sumA * sumB) / copyCells ** 2;
    if (covariance < leastCorrelation * Math.sqrt(varianceA * varianceB)) return false;
    const slope = covariance / varianceA;
    const start = (sumB - slope * sumA) / copyCells;
    for (let i = 0; i < copyCells; i++)
      if (Math.abs(light[other + i]! - start - slope * light[one + (i ^ turn)]!) > mostDifference)
        return false;
    return true;
  }
}
