/** Noise is no shortcut: what is seen by chance, and what is not. */

import { expect, test } from "vitest";
import { cueAssociation } from "./cue-association.ts";
import type { CueColumns } from "./cue-statistics.ts";
import { randomStream } from "./random.ts";
import { associationOf } from "./statistics/index.ts";

const train = { name: "train", has: () => true };

/** Rows with a class each, and columns of texts. */
function columns(labels: readonly number[], texts: Record<string, readonly string[]>): CueColumns {
  return {
    labels: Uint16Array.from(labels),
    classNames: ["dog", "panda"],
    splits: { names: ["train"], values: new Uint8Array(labels.length) },
    attributes: Object.fromEntries(
      Object.entries(texts).map(([name, values]) => {
        const valueNames = [...new Set(values)].sort();
        return [
          name,
          { role: "cue", valueNames, values: Uint16Array.from(values, (v) => valueNames.indexOf(v)) },
        ];
      }),
    ),
  };
}

function asked(dataset: CueColumns, cue: string) {
  return cueAssociation(dataset, cue, dataset.attributes[cue]!, train);
}

/** What a newcomer brought: fifty rows, and columns that were made without looking at the classes. */
function noise(seed: number): CueColumns {
  const random = randomStream(seed, "noise").at(0);
  const rows = Array.from({ length: 50 }, (_, i) => i);
  return columns(
    rows.map(() => random.integer(2)),
    {
      temperature: rows.map(() => (36 + 2 * random.uniform()).toFixed(1)),
      coin: rows.map(() => ["heads", "tails"][random.integer(2)]!),
      ward: rows.map(() => `ward ${random.integer(9)}`),
    },
  );
}

test("columns that know nothing of the class are told from chance in one of twenty draws, not in all", () => {
  const draws = 120;
  const names = ["temperature", "coin", "ward"];
  let [seen, corrected, uncorrected] = [0, 0, 0];
  for (let seed = 0; seed < draws; seed++) {
    const dataset = noise(seed);
    for (const name of names) {
      const { pValue, v, expectedByChance } = asked(dataset, name);
      seen += Number(pValue! < 0.05);
      corrected += v! / (draws * names.length);
      uncorrected += expectedByChance! / (draws * names.length);
    }
  }
  // Of 360 tests 5% are 18; twice that has a probability below 1 in 10,000.
  expect(seen).toBeLessThan(36);
  expect(corrected).toBeLessThan(0.1);
  // What was shown before: as if these were shortcuts.
  expect(uncorrected).toBeGreaterThan(0.2);
});

test("numbers are put into four parts of about equal size, which equal numbers share", () => {
  const labels = Array.from({ length: 80 }, (_, i) => Number(i >= 40));
  const dataset = columns(labels, {
    size: labels.map((_, i) => String(i)),
    few: labels.map((_, i) => String(i % 4)),
  });
  const { bins, leading, v, pValue } = asked(dataset, "size");
  expect({ bins, leading }).toEqual({
    bins: 4,
    leading: { class: "dog", value: "0 to 19", share: 0.5, elsewhere: 0 },
  });
  // 2 × 4 with 20 images of one class in each part: φ² = 1; Bergsma's correction leaves 1 as it is nearly.
  expect(v).toBeCloseTo(1, 1);
  expect(pValue).toBeLessThan(0.01);
  expect(asked(dataset, "few").bins).toBeNull();
});

test("the value that goes with a class is named with its share there and elsewhere", () => {
  const labels = Array.from({ length: 200 }, (_, i) => i % 2);
  const camera = labels.map((label, i) => (i % 10 === 1 || label === 0 ? "phone" : "reflex"));
  const { leading, v, low, high, pValue } = asked(columns(labels, { camera }), "camera");
  expect(leading).toEqual({ class: "dog", value: "phone", share: 1, elsewhere: 0.2 });
  // By hand: 100, 0, 20, 80 give φ² = (100·80)²/(100·100·120·80) = 2/3.
  expect(v!).toBeCloseTo(Math.sqrt(2 / 3), 1);
  expect(low!).toBeLessThanOrEqual(v!);
  expect(high!).toBeGreaterThanOrEqual(v!);
  expect(pValue).toBeLessThan(0.01);
});

test("numbers that some rows lack are put into parts all the same", () => {
  const labels = Array.from({ length: 100 }, (_, i) => Number(i >= 50));
  const age = labels.map((_, i) => (i % 5 === 0 ? "" : String(i)));
  const { bins, leading } = asked(columns(labels, { age }), "age");
  // 80 numbers: the first 20 of them are those below 25.
  expect(bins).toBe(4);
  expect(leading).toEqual({ class: "dog", value: "1 to 24", share: 0.4, elsewhere: 0 });
  const mostly = labels.map((_, i) => (i < 88 ? "NaN" : String(i)));
  expect(asked(columns(labels, { mostly }), "mostly").bins).toBe(4);
});

test("a class of two images that all have some value does not lead where many images tell more", () => {
  const labels = [0, 0, ...Array.from({ length: 100 }, () => 1), ...Array.from({ length: 100 }, () => 2)];
  const view = labels.map((label, i) => (label === 0 ? "lateral" : label === 1 && i % 10 > 0 ? "PA" : "AP"));
  const dataset = { ...columns(labels, { view }), classNames: ["rare", "ill", "well"] };
  // 100 of 100 against 10 of 102; of the rare class 2 of 2 against none, where two images allow 34% and more.
  const leading = { class: "well", value: "AP", share: 1, elsewhere: 10 / 102 };
  expect(asked(dataset, "view").leading).toEqual(leading);
});

test("one class, or one value, goes with nothing", () => {
  const one = columns([0, 0, 0], { place: ["a", "b", "a"] });
  expect(asked(one, "place")).toMatchObject({ v: null, pValue: null, leading: null });
  const same = columns([0, 1, 0], { place: ["a", "a", "a"] });
  expect(asked(same, "place")).toMatchObject({ v: null, pValue: null });
});

test("of many images χ² tells what shuffling would; a rare value among them is shuffled", () => {
  const random = randomStream(5, "many").at(0);
  const labels = Array.from({ length: 2000 }, () => random.integer(2));
  const leaning = labels.map((label) => (random.uniform() < 0.48 + 0.04 * label ? "a" : "b"));
  const rare = labels.map((_, i) => (i < 6 ? "once" : "often"));
  const dataset = columns(labels, { leaning, rare });
  for (const [cue, texts] of Object.entries({ leaning, rare })) {
    const codes = Uint32Array.from(texts, (text) => Number(text === texts[0]));
    const { pValue } = associationOf(labels, codes, { random, permutations: 1999 });
    // Two shufflings of 999 and 1,999 differ by 0.04 in one of a hundred cases at p = 0.5.
    expect(Math.abs(asked(dataset, cue).pValue! - pValue)).toBeLessThan(0.05);
  }
  // By shuffling a p-value is a multiple of 1 / 1000.
  const thousandths = (cue: string) => asked(dataset, cue).pValue! * 1000;
  expect(thousandths("rare")).toBeCloseTo(Math.round(thousandths("rare")), 9);
  expect(thousandths("leaning")).not.toBeCloseTo(Math.round(thousandths("leaning")), 9);
});
