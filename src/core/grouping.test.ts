/** Groups worked out by hand, and for any table against a grouping by texts and sorting alone. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Columns } from "./group-axes.ts";
import { namedAttributes } from "./group-axes.ts";
import { groupsOf, spelled } from "./grouping.ts";

const attribute = (valueNames: string[], ...values: number[]) => ({
  valueNames,
  values: Uint16Array.from(values),
});

const birds: Columns = {
  labels: Uint16Array.of(1, 0, 1, 1, 0),
  classNames: ["land bird", "water bird"],
  attributes: {
    place: attribute(["sea", "hill"], 0, 1, 1, 0, 1),
    "in sun": attribute(["0", "1"], 0, 1, 1, 1, 0),
    in_sun: attribute(["0", "1"], 1, 0, 0, 0, 0),
  },
};

test("groups that occur, in the order of classes and values", () => {
  const groups = groupsOf(birds, { by: ["class", "place"] });
  expect([...groups.codes]).toEqual([1, 0, 2, 1, 0]);
  expect([...groups.sizes]).toEqual([2, 2, 1]);
  expect(groups.nominal).toBe(4);
  expect([0, 1, 2].map((code) => [...groups.members(code)])).toEqual([[1, 4], [0, 3], [2]]);
  expect(groups.group(0)).toMatchObject({ class: "land bird", values: { place: "hill" } });
  expect([0, 1, 2].map((code) => spelled(groups.group(code), "words"))).toEqual([
    "class land bird, place hill",
    "class water bird, place sea",
    "class water bird, place hill",
  ]);
  expect(groups.listed().map(({ group, code }) => [spelled(group, "column"), code])).toEqual([
    ["class=land_bird place=sea", undefined],
    ["class=land_bird place=hill", 0],
    ["class=water_bird place=sea", 1],
    ["class=water_bird place=hill", 2],
  ]);
});

test("of some rows, by anything, and by nothing", () => {
  const rows = Uint32Array.of(4, 2, 0);
  const groups = groupsOf(birds, { by: ["place"] }, rows);
  expect([...groups.codes]).toEqual([1, 1, 0]);
  expect([...groups.members(1)]).toEqual([0, 1]);
  expect(groups.group(1)).toMatchObject({ values: { place: "hill" } });
  expect(groups.group(1)).not.toHaveProperty("class");
  const all = groupsOf(birds, { by: [] }, rows);
  expect([...all.sizes]).toEqual([3]);
  expect(spelled(all.group(0), "words")).toBe("all images");
  expect(groupsOf(birds, { by: ["class"] }, new Uint32Array()).sizes).toHaveLength(0);
});

test("overlapping groups: each yes by class, a row in several or none", () => {
  const groups = groupsOf(birds, { by: ["class", "in sun", "in_sun"], overlapping: true });
  expect(groups.listed().map(({ group, code }) => [spelled(group, "column"), code])).toEqual([
    ["class=land_bird in_sun=yes", 0],
    ["class=water_bird in_sun=yes", 1],
    // Names that come out alike stay apart.
    ["class=land_bird in_sun~2=yes", undefined],
    ["class=water_bird in_sun~2=yes", 2],
  ]);
  expect([...groups.sizes]).toEqual([1, 2, 1]);
  expect([0, 1, 2].map((code) => [...groups.members(code)])).toEqual([[1], [2, 3], [0]]);
  expect(groups.group(2)).toMatchObject({ class: "water bird", values: { in_sun: "yes" } });
  const alone = groupsOf(birds, { by: ["in sun"], overlapping: true }, Uint32Array.of(3, 0, 2));
  expect([...alone.members(0)]).toEqual([0, 2]);
  expect(() => groupsOf(birds, { by: ["place"], overlapping: true })).toThrow(/more than yes and no/);
});

test("sixteen overlapping groups, as CivilComments has them: each against a filter of the rows", () => {
  const identities = ["male", "female", "LGBTQ", "christian", "muslim", "other_religions", "black", "white"];
  const count = 2_000;
  // Some are about several identities, some about none.
  const said = identities.map((_, i) =>
    Uint16Array.from({ length: count }, (_, row) =>
      Number((Math.imul(row, 0x9e3779b1 + 2 * i) >>> 8) % (5 + i) === 0),
    ),
  );
  const labels = Uint16Array.from({ length: count }, (_, row) =>
    Number((Math.imul(row, 0x85ebca6b) >>> 8) % 9 === 0),
  );
  const comments: Columns = {
    labels,
    classNames: ["fine", "toxic"],
    attributes: Object.fromEntries(
      identities.map((name, i) => [name, { values: said[i]!, valueNames: ["0", "1"] }]),
    ),
  };
  const groups = groupsOf(comments, { by: ["class", ...identities], overlapping: true });
  expect(groups).not.toHaveProperty("codes");
  expect(groups.nominal).toBe(16);
  const expected = identities.flatMap((name, i) =>
    ["fine", "toxic"].map((word, label) => ({
      name: `class ${word}, ${name} yes`,
      rows: [...labels.keys()].filter((row) => said[i]![row] === 1 && labels[row] === label),
    })),
  );
  expect(groups.listed().map(({ group }) => spelled(group, "words"))).toEqual(
    expected.map(({ name }) => name),
  );
  expect(Array.from(groups.sizes, (_, code) => [...groups.members(code)])).toEqual(
    expected.map(({ rows }) => rows),
  );
  const memberships = groups.sizes.reduce((sum, size) => sum + size, 0);
  const inAny = labels.filter((_, row) => said.some((values) => values[row] === 1)).length;
  expect(memberships).toBeGreaterThan(inAny);
  expect(inAny).toBeLessThan(count);
});

test("names that there are not, twice or the class's own are refused", () => {
  expect(() => groupsOf(birds, { by: ["plce"] })).toThrow(/no attribute "plce"[\s\S]*did you mean "place"/);
  expect(() => groupsOf(birds, { by: ["constructor"] })).toThrow(/no attribute "constructor"/);
  expect(() => groupsOf(birds, { by: ["place", "place"] })).toThrow(/"place" is named twice/);
  expect(() => groupsOf(birds, { by: ["class", "class"] })).toThrow(/cannot be named "class"/);
  const { labels: _, classNames: __, ...rows } = { ...birds, attributes: { class: birds.attributes.place! } };
  // Rows that have no class of their own can have a column of that name.
  expect(groupsOf(rows, { by: ["class"] }).group(0)).toMatchObject({ values: { class: "sea" } });
  const strange = { ...birds, attributes: { place: attribute(["sea"], 0, 0, 1, 0, 0) } };
  expect(() => groupsOf(strange, { by: ["place"] })).toThrow(/stands for no value[\s\S]*row 3/);
});

test("what people name beside the class: the class may be named, and changes nothing", () => {
  const named = (given: string[], datasetOrder = false) =>
    namedAttributes(birds, given, { where: "--groups", datasetOrder });
  expect(named(["in sun", "class", "place"])).toEqual(["in sun", "place"]);
  expect(named(["in sun", "class", "place"], true)).toEqual(["place", "in sun"]);
  expect(named(["class"])).toEqual([]);
  expect(() => named(["sun"])).toThrow(/no attribute "sun"[\s\S]*--groups/);
  expect(() => named(["place", "place"])).toThrow(/named twice/);
  const odd = { attributes: { ...birds.attributes, class: birds.attributes.place! } };
  expect(() => namedAttributes(odd, ["class"], { where: "--groups" })).toThrow(/cannot be named "class"/);
  expect(namedAttributes(odd, ["place"], { where: "--groups" })).toEqual(["place"]);
});

test("nominal groups beyond any table, and beyond 2⁵³", () => {
  const wide = (...values: number[]) =>
    attribute(
      Array.from({ length: 50_000 }, (_, i) => `v${i}`),
      ...values,
    );
  const last = 49_999;
  const columns: Columns = {
    attributes: Object.fromEntries(
      ["a", "b", "c", "d", "e"].map((name) => [name, wide(last, 0, last, last, 0)]),
    ),
  };
  const different = { attributes: { ...columns.attributes, f: wide(7, 3, 5, 7, 2) } };
  const groups = groupsOf(different, { by: ["a", "b", "c", "d", "e", "f"] });
  expect(groups.nominal).toBeGreaterThan(1e28);
  expect([...groups.codes]).toEqual([3, 1, 2, 3, 0]);
  expect(groups.listed()).toHaveLength(4);
});

test("any table: the same groups as by texts and sorting, whatever the order of rows", () => {
  const many = Array.from({ length: 40_000 }, (_, i) => `v${i}`);
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      sizes: fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(40_000)), {
        minLength: width,
        maxLength: width,
      }),
      cells: fc.array(fc.array(fc.nat(), { minLength: width, maxLength: width }), { maxLength: 30 }),
      seed: fc.nat(),
    }),
  );
  fc.assert(
    fc.property(table, ({ sizes, cells, seed }) => {
      const rows = cells.map((row) => row.map((cell, i) => cell % sizes[i]!));
      const names = sizes.map((size) => many.slice(0, size));
      const by = sizes.map((_, i) => `column ${i}`);
      const columnsOf = (all: number[][]): Columns => ({
        attributes: Object.fromEntries(
          by.map((name, i) => [name, attribute(names[i]!, ...all.map((row) => row[i]!))]),
        ),
      });
      const compare = (a: number[], b: number[]) =>
        a[a.findIndex((code, i) => code !== b[i])]! - b[a.findIndex((code, i) => code !== b[i])]!;
      const distinct = [...new Map(rows.map((row) => [row.join(), row])).values()].sort(compare);
      const groups = groupsOf(columnsOf(rows), { by });
      expect(Array.from(groups.codes)).toEqual(
        rows.map((row) => distinct.findIndex((other) => other.join() === row.join())),
      );
      const order = rows.map((_, i) => i).sort((a, b) => ((a * 7 + seed) % 31) - ((b * 7 + seed) % 31));
      const moved = groupsOf(columnsOf(order.map((i) => rows[i]!)), { by });
      expect([...moved.sizes]).toEqual([...groups.sizes]);
      expect(Array.from(moved.codes)).toEqual(order.map((i) => groups.codes[i]));
      for (const [code, combination] of distinct.entries()) {
        expect(spelled(moved.group(code), "words")).toBe(
          combination.map((value, i) => `column ${i} v${value}`).join(", "),
        );
      }
    }),
  );
});
