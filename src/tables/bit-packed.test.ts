/** What is added to keys straight from packed values is what one would add after unpacking them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { addHybrid, readHybrid } from "./bit-packed.ts";

/** Runs of equal values, and values packed by eights, as parquet-format's Encodings.md writes them. */
function hybrid(width: number, runs: readonly { equal: boolean; values: readonly number[] }[]): Uint8Array {
  const bytes: number[] = [];
  for (const { equal, values } of runs) {
    const header = equal ? values.length << 1 : ((values.length / 8) << 1) | 1;
    for (let left = header; ; left >>>= 7) {
      bytes.push(left < 128 ? left : (left & 127) | 128);
      if (left < 128) break;
    }
    if (equal) {
      for (let i = 0; i < (width + 7) >> 3; i++) bytes.push((values[0]! >>> (8 * i)) & 255);
      continue;
    }
    const packed = new Uint8Array((values.length * width) / 8);
    for (const [i, value] of values.entries()) {
      for (let bit = 0; bit < width; bit++) {
        const at = i * width + bit;
        packed[at >> 3]! |= ((value >>> bit) & 1) << (at & 7);
      }
    }
    bytes.push(...packed);
  }
  return Uint8Array.from(bytes);
}

const cases = fc.integer({ min: 1, max: 12 }).chain((width) => {
  const value = fc.integer({ min: 0, max: 2 ** width - 1 });
  const equal = fc.tuple(value, fc.integer({ min: 1, max: 200 })).map(([one, length]) => ({
    equal: true,
    values: Array.from({ length }, () => one),
  }));
  const packed = fc
    .integer({ min: 1, max: 9 })
    .chain((eights) =>
      fc
        .array(value, { minLength: 8 * eights, maxLength: 8 * eights })
        .map((values) => ({ equal: false, values })),
    );
  return fc.record({
    width: fc.constant(width),
    runs: fc.array(fc.oneof(equal, packed), { minLength: 1, maxLength: 5 }),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    unknown: fc.option(value),
  });
});

test("values of any width, in any mixture of runs, from any one to any other", () => {
  fc.assert(
    fc.property(cases, ({ width, runs, from, to, unknown }) => {
      const values = runs.flatMap((run) => run.values);
      const bytes = hybrid(width, runs);
      const packed = { bytes, at: 0, end: bytes.length, width };
      expect([...readHybrid(packed, values.length)]).toEqual(values);
      const skip = Math.floor(from * values.length);
      const count = Math.floor(to * (values.length - skip));
      const amounts = Int32Array.from({ length: 2 ** width }, (_, value) =>
        value === unknown ? -1 : 3 * value,
      );
      const keys = Int32Array.from({ length: count + 2 }, (_, i) => i);
      const asked = values.slice(skip, skip + count);
      // One that is equal to its neighbours may be looked at in vain, where they are left out.
      const known = addHybrid(packed, { skip, count }, amounts, keys, 1);
      if (asked.includes(unknown ?? -1)) expect(known).toBe(false);
      else if (!values.includes(unknown ?? -1)) expect(known).toBe(true);
      if (known) expect([...keys]).toEqual([0, ...asked.map((value, i) => 3 * value + i + 1), count + 1]);
    }),
    { numRuns: 300 },
  );
});

test("values that no dictionary has, and pages that end too soon", () => {
  const bytes = hybrid(4, [{ equal: false, values: [0, 1, 2, 3, 4, 5, 6, 7] }]);
  const packed = { bytes, at: 0, end: bytes.length, width: 4 };
  const keys = new Int32Array(16);
  expect(addHybrid(packed, { skip: 0, count: 8 }, new Int32Array(16).fill(-1, 7), keys, 0)).toBe(false);
  expect(addHybrid(packed, { skip: 0, count: 7 }, new Int32Array(16).fill(-1, 7), keys, 0)).toBe(true);
  expect(() => addHybrid(packed, { skip: 0, count: 9 }, new Int32Array(16), keys, 0)).toThrow(/damaged/);
  expect(() => readHybrid({ ...packed, end: 3 }, 8)).toThrow(/damaged/);
  expect(() => readHybrid({ ...packed, width: 33 }, 8)).toThrow(/damaged/);
});
