/** As many images of every group as the smallest has: the sample that SUBG trains on, and DFR its last layer. */

import type { Random } from "../core/random.ts";
import type { Numbered } from "./method.ts";

/** Groups of fewer images than this are told: what is learnt of them is learnt of these few. */
const fewImages = 4;

/** Places in order, drawn without replacement; of all images, or of those at the given places. */
export function balancedSubset(
  { codes }: Pick<Numbered, "codes">,
  random: Random,
  among: Uint32Array = Uint32Array.from(codes, (_, place) => place),
): Uint32Array {
  const members = membersOf(codes, among);
  const least = members.reduce((size, places) => Math.min(size, places.length), Number.POSITIVE_INFINITY);
  const chosen = members.flatMap((places) =>
    Array.from(random.permutation(places.length).subarray(0, least), (i) => places[i]!),
  );
  return Uint32Array.from(chosen).sort();
}

/** Two halves of every group at random; of an odd number the first has one more. */
export function halves(
  { codes }: Pick<Numbered, "codes">,
  random: Random,
): [first: Uint32Array, second: Uint32Array] {
  const all = Uint32Array.from(codes, (_, place) => place);
  const parts: [number[], number[]] = [[], []];
  for (const places of membersOf(codes, all)) {
    const middle = Math.ceil(places.length / 2);
    for (const [at, i] of random.permutation(places.length).entries())
      parts[at < middle ? 0 : 1].push(places[i]!);
  }
  return [Uint32Array.from(parts[0]).sort(), Uint32Array.from(parts[1]).sort()];
}

/** What people should know of a balanced sample. */
export function subsetNotes({ codes, sizes }: Numbered, images: string): string[] {
  const count = (n: number) => n.toLocaleString("en");
  const least = smallestOf({ sizes });
  const taken = `${count(least * sizes.length)} of ${count(codes.length)} ${images} images are used: ${count(least)} of each of ${count(sizes.length)} groups`;
  if (least >= fewImages) return [taken];
  return [
    taken,
    `the smallest group has ${least === 1 ? "one image" : `${least} images`}: all that is learnt of it`,
  ];
}

export function smallestOf({ sizes }: Pick<Numbered, "sizes">): number {
  let least = Number.POSITIVE_INFINITY;
  for (let group = 0; group < sizes.length; group++) least = Math.min(least, sizes[group]!);
  return least;
}

/** By group, those that occur, in the order of their numbers. */
function membersOf(codes: Int32Array, among: Uint32Array): number[][] {
  const members = new Map<number, number[]>();
  for (const place of among) {
    const code = codes[place]!;
    const known = members.get(code);
    if (known === undefined) members.set(code, [place]);
    else known.push(place);
  }
  return [...members].toSorted(([a], [b]) => a - b).map(([, places]) => places);
}
