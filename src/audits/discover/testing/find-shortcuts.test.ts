/** Statements, their numbers by hand, and how often chance alone finds anything. */

import { expect, test } from "vitest";
import { randomStream } from "../../../core/random.ts";
import { MeasuredNames, MeasuredNumbers } from "../measuring/measured-column.ts";
import { findShortcuts } from "./find-shortcuts.ts";
import { cutProperty } from "./parts.ts";
import { statementWords, strongestStatement } from "./statement.ts";

const about = (name: string, circle?: number) => ({ name, of: "pixels" as const, description: "", circle });
const units = (count: number) => Uint32Array.from({ length: count }, (_, i) => i);
const numbers = (values: readonly (number | null)[]) => {
  const column = new MeasuredNumbers(values.length);
  column.set(0, values);
  return column;
};
const names = (values: readonly (string | null)[]) => {
  const column = new MeasuredNames(values.length);
  column.set(0, values);
  return column;
};
const thresholds = { effect: 0.2, rate: 0.05 };

test("shares of the held-out half, by hand", async () => {
  // Of 80 images every other one judges: of 20 "a" 15 are grey, of 20 "b" 5.
  const labels = Array.from({ length: 80 }, (_, i) => (i < 40 ? 0 : 1));
  const chosen = Uint8Array.from(labels, (_, i) => i % 2);
  const values = labels.map((label, i) => ((i >> 1) % 20 < (label === 0 ? 15 : 5) ? "grey" : "colour"));
  const cut = cutProperty(about("colour mode"), names(values), units(80), chosen)!;
  const { found, tests } = await findShortcuts({ cuts: [cut], labels, chosen, classes: 2, thresholds });
  expect(tests).toBe(2);
  expect(found.map(({ label, words }) => [label, words])).toEqual([
    [0, "colour mode is grey"],
    [1, "colour mode is colour"],
  ]);
  const { measured } = found[0]!;
  expect(measured).toMatchObject({ effect: 0.5, share: 0.75, elsewhere: 0.25, images: 20, others: 20 });
  // SciPy's fisher_exact([[15, 5], [5, 15]], alternative="greater"); two tests make BY's factor 1.5.
  expect(measured.pValue).toBeCloseTo(0.0019237636541887646, 12);
  expect(measured.adjusted).toBeCloseTo(1.5 * measured.pValue, 12);
  // The other class says the same of the same images.
  expect(found[1]!.explainedBy).toBe(0);
});

test("ranges: in the middle, across the end of a circle, and having none", () => {
  const cutOf = (values: readonly (number | null)[], circle?: number) =>
    cutProperty(
      about("hue", circle),
      numbers(values),
      units(values.length),
      new Uint8Array(values.length).fill(1),
    )!;
  const best = (values: readonly (number | null)[], labels: readonly number[], circle?: number) => {
    const cut = cutOf(values, circle);
    const [counts, totals] = [new Float64Array(2 * cut.parts.length), new Float64Array(cut.parts.length)];
    for (const [i, label] of labels.entries()) {
      counts[label * cut.parts.length + cut.codes[i]!]!++;
      totals[cut.codes[i]!]!++;
    }
    return { statement: strongestStatement(cut, counts, totals, 1)!, parts: cut.parts };
  };
  const spread = Array.from({ length: 160 }, (_, i) => i);
  const middle = best(
    spread,
    spread.map((i) => (i >= 60 && i < 90 ? 1 : 0)),
  );
  expect(middle.parts[middle.statement.first]).toMatchObject({ low: 60 });
  expect(middle.parts[middle.statement.last]).toMatchObject({ high: 90 });
  const around = best(
    spread,
    spread.map((i) => (i < 20 || i >= 140 ? 1 : 0)),
    160,
  );
  expect(around.statement.first).toBeGreaterThan(around.statement.last);
  const none = best(
    spread.map((i) => (i < 40 ? null : i)),
    spread.map((i) => (i < 40 ? 1 : 0)),
  );
  expect(none.parts[none.statement.first]).toEqual({ kind: "none" });
});

test("shares are told in per cent, other numbers as they are", () => {
  const range = (low?: number, high?: number) => ({ kind: "range" as const, low, high });
  const words = (share: true | undefined, low?: number, high?: number) =>
    statementWords(
      { property: { ...about("dark pixels"), share }, parts: [range(low, high)] },
      { first: 0, last: 0 },
    );
  expect(words(true, undefined, 0.0000407)).toBe("dark pixels below 0.0041%");
  expect(words(true, 0.000116, 0.312)).toBe("dark pixels 0.012% to 31.2%");
  expect(words(true, 0, 0.5)).toBe("dark pixels 0% to 50%");
  expect(words(undefined, 0.0562)).toBe("dark pixels at least 0.0562");
});

test("of equally strong findings the one that names what is there comes first", async () => {
  const labels = Array.from({ length: 80 }, (_, i) => i % 2);
  const chosen = Uint8Array.from(labels, (_, i) => (i >> 1) % 2);
  const measured = [
    { name: "share of magenta", column: numbers(labels.map((label, i) => label + 0.001 * i)) },
    { name: "border colour", column: names(labels.map((label) => (label === 1 ? "pink" : null))) },
  ];
  const cuts = measured.map(({ name, column }) => cutProperty(about(name), column, units(80), chosen)!);
  const { found } = await findShortcuts({ cuts, labels, chosen, classes: 2, thresholds });
  expect(found[0]).toMatchObject({ label: 1, words: "border colour is pink", measured: { effect: 1 } });
  expect(found.slice(1).map(({ explainedBy }) => explainedBy)).toEqual([0, 0, 0]);
});

test("a second cue stays, what follows from the first is explained by it", async () => {
  const random = randomStream(0, "explained").at(0);
  const labels = Array.from({ length: 2000 }, () => random.integer(2));
  const cue = (share: number) => labels.map((label) => (random.uniform() < share ? label : 1 - label));
  const [first, second] = [cue(0.95), cue(0.8)];
  const follows = first.map((value) => value + 0.3 * random.normal());
  const chosen = Uint8Array.from(labels, () => random.integer(2));
  const cuts = [first, second, follows].map(
    (values, i) =>
      cutProperty(about(["first", "second", "follows"][i]!), numbers(values), units(2000), chosen)!,
  );
  const { found } = await findShortcuts({ cuts, labels, chosen, classes: 2, thresholds });
  const own = found.filter(({ explainedBy }) => explainedBy === undefined).map(({ cut }) => cut);
  expect(own).toEqual([0, 1]);
  expect(found.some(({ cut, explainedBy }) => cut === 2 && found[explainedBy!]?.cut === 0)).toBe(true);
});

test("shuffled labels: at most 16 of 200 draws find anything, though images depend on each other's properties", async () => {
  const [images, classes] = [400, 4];
  const random = randomStream(1, "discover/null").at(0);
  const chosen = Uint8Array.from({ length: images }, () => random.integer(2));
  const common = Array.from({ length: images }, () => random.normal());
  // Forty properties that depend on each other: half of each is common to all, and some are names, few, rare or missing.
  const cuts = Array.from({ length: 40 }, (_, p) => {
    const values = common.map((shared) => shared + random.normal());
    const column =
      p % 4 === 0
        ? names(values.map((value) => (value < -1 ? null : `value ${Math.floor(value * (1 + (p % 3)))}`)))
        : numbers(values.map((value) => (p % 5 === 0 && value > 1 ? null : value)));
    return cutProperty(about(`property ${p}`), column, units(images), chosen)!;
  });
  let draws = 0;
  for (let draw = 0; draw < 200; draw++) {
    // A plain test at p ≤ 0.05 of each would find something in nearly every draw.
    const labels = Array.from({ length: images }, () => random.integer(classes));
    const { found } = await findShortcuts({
      cuts,
      labels,
      chosen,
      classes,
      thresholds: { effect: 0, rate: 0.05 },
    });
    if (found.length > 0) draws++;
  }
  expect(draws).toBeLessThanOrEqual(16);
});
