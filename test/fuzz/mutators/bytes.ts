/** Changes that know nothing of the format: flipped, inserted, deleted, repeated, spliced and cut bytes, and odd numbers. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

const oddNumbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

const flip: Mutator = (bytes, chance) => {
  const changed = Buffer.from(bytes);
  for (let times = 1 + chance.below(4); times > 0; times--)
    if (changed.length > 0) changed[chance.below(changed.length)]! ^= 1 << chance.below(8);
  return changed;
};

const overwrite: Mutator = (bytes, chance) => {
  const changed = Buffer.from(bytes);
  const start = chance.below(bytes.length + 1);
  for (let i = start; i < Math.min(bytes.length, start + 1 + chance.below(8)); i++)
    changed[i] = chance.below(256);
  return changed;
};

const insert: Mutator = (bytes, chance) => {
  const at = chance.below(bytes.length + 1);
  const added = Buffer.from(Array.from({ length: 1 + chance.below(16) }, () => chance.below(256)));
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
};

const remove: Mutator = (bytes, chance) => {
  const { start, end } = part(bytes, chance);
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
};

const repeat: Mutator = (bytes, chance) => {
  const { start, end } = part(bytes, chance);
  return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start, end), bytes.subarray(end)]);
};

const splice: Mutator = (bytes, chance) => {
  const [from, to] = [part(bytes, chance), part(bytes, chance)];
  return Buffer.concat([
    bytes.subarray(0, to.start),
    bytes.subarray(from.start, from.end),
    bytes.subarray(to.end),
  ]);
};

const cut: Mutator = (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1));

const number: Mutator = (bytes, chance) => {
  const changed = Buffer.from(bytes);
  const size = chance.pick([1, 2, 4, 8]);
  if (changed.length < size) return changed;
  const at = chance.below(changed.length - size + 1);
  const value = chance.pick(oddNumbers);
  const word = Buffer.alloc(8);
  word.writeUInt32LE(value, 0);
  if (chance.happens(0.3)) word.writeUInt32LE(0xffffffff, 4);
  const written = word.subarray(0, size);
  (chance.happens(0.5) ? written : written.reverse()).copy(changed, at);
  return changed;
};

function part(bytes: Buffer, chance: Chance): { start: number; end: number } {
  const start = chance.below(bytes.length + 1);
  return { start, end: Math.min(bytes.length, start + 1 + chance.below(chance.pick([4, 64, 1024]))) };
}

export const byteMutators: readonly Mutator[] = [
  flip,
  flip,
  overwrite,
  insert,
  remove,
  repeat,
  splice,
  cut,
  number,
];

/** The same changes within some parts of the file: headers and footers, where a format's lies are told. */
export function within(regions: (bytes: Buffer) => readonly (readonly [number, number])[]): Mutator {
  return (bytes, chance) => {
    const places = regions(bytes).filter(([start, end]) => end > start);
    if (places.length === 0) return flip(bytes, chance);
    const [start, end] = chance.pick(places);
    // Lengths stay, so that what follows is still found.
    const change = chance.pick([flip, overwrite, number]);
    return Buffer.concat([
      bytes.subarray(0, start),
      change(Buffer.from(bytes.subarray(start, end)), chance),
      bytes.subarray(end),
    ]);
  };
}
