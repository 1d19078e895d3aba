/** Whoever groups images by class and attributes finds the same groups in the same order, whatever the order of rows. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { auditLine } from "../src/audits/line/audit-line.ts";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import { groupCounts } from "../src/core/cue-statistics.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { ReadColumn } from "../src/layouts/columns.ts";
import { countRows } from "../src/metrics/count-rows.ts";
import { evaluationOf, marginsFor } from "../src/metrics/evaluation.ts";
import { groupAttributes, measuredSets } from "../src/pools/measured-sets.ts";
import { openAccuracies } from "../src/predictions/accuracies/open-accuracies.ts";
import { chooseExplicit, explicitGroups } from "../src/training/groups.ts";
import { measure } from "../src/training/measurements.ts";
import { scoreOf } from "../src/training/selection.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();

interface Row {
  class: string;
  place: string;
  size: string;
  right: boolean;
}

/** A group by the texts of its class, place and size, and how many images it has. */
type Found = [group: string, images: number];

const attributes = ["place", "size"] as const;
const keyOf = ({ class: label, place, size }: Record<"class" | "place" | "size", string>) =>
  [label, place, size].join(" | ");

/** Worked out from the texts alone: numbers by size, then the others by their characters. */
function expected(rows: readonly Row[]): Found[] {
  const number = (text: string) => (/^-?[\d.]+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY);
  const compare = (a: string, b: string) => {
    if (number(a) !== number(b)) return number(a) < number(b) ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const distinct = [...new Map(rows.map((row) => [keyOf(row), row])).values()].sort(
    (a, b) => compare(a.class, b.class) || compare(a.place, b.place) || compare(a.size, b.size),
  );
  return distinct.map((group) => [keyOf(group), rows.filter((row) => keyOf(row) === keyOf(group)).length]);
}

/** As a folder of people's own images with a table would be read. */
function datasetOf(rows: readonly Row[]): Dataset {
  const column = (name: "class" | "place" | "size") => {
    const read = new ReadColumn(name);
    for (const row of rows) read.push(row[name]);
    return { ...read.factorised(), role: "cue" as const };
  };
  const { values, valueNames } = column("class");
  return {
    name: "rows",
    labels: values,
    classNames: valueNames,
    attributes: { place: column("place"), size: column("size") },
    splits: { names: ["train", "val", "test"], values: new Uint8Array(rows.length).fill(2) },
    provenance: {},
  } as unknown as Dataset;
}

/** Right where the row says so; else the next class, or of a single one that nobody has. */
function predictionsOf(rows: readonly Row[], { labels, classNames }: Dataset) {
  const classes = classNames.length + 1;
  const logits = new Float32Array(rows.length * classes);
  for (const [i, { right }] of rows.entries()) {
    logits[i * classes + ((labels[i]! + Number(!right)) % classes)] = 1;
  }
  return { indices: Uint32Array.from(rows.keys()), logits, classes };
}

function written(name: string, header: string, lines: readonly string[]): string {
  const path = join(root, name);
  writeFileSync(path, `${[header, ...lines].join("\n")}\n`);
  return path;
}

/** `class=a_b place=1 size=2`, back to texts. */
function fromColumn(column: string, rows: readonly Row[]): string {
  const word = (text: string) => text.replaceAll(/[ .]/g, "_");
  const found = rows.find(
    (row) => column === `class=${word(row.class)} place=${word(row.place)} size=${word(row.size)}`,
  );
  return found === undefined ? column : keyOf(found);
}

const consumers: Record<string, (rows: readonly Row[]) => Found[] | Promise<Found[]>> = {
  "data check": (rows) =>
    groupCounts(datasetOf(rows), [...attributes])
      .groups.map(({ label, values, counts }): Found => [[label, ...values].join(" | "), counts.test!])
      .filter(([, images]) => images > 0),

  metrics: (rows) => {
    const dataset = datasetOf(rows);
    const grouping = { by: ["class", ...attributes] };
    const table = { ...dataset, predicted: dataset.labels };
    const question = { grouping, cues: [], alphas: [], betas: [] };
    return evaluationOf(countRows(table, marginsFor({ grouping, cues: [] })), question)
      .groups.filter(({ count }) => count > 0)
      .map(({ label, values, count }) => [[label, values.place, values.size].join(" | "), count]);
  },

  "eval of a table": async (rows) => {
    const lines = rows.map(({ class: label, place, size }) => [label, label, place, size].join());
    const path = written("predictions.csv", "y_true,y_pred,place,size", lines);
    const { groups } = await evaluatePredictions({ tables: [path], groups: ["place", "class", "size"] });
    return groups
      .filter(({ n }) => n > 0)
      .map(({ class: label, values, n }) => [[label, values.place, values.size].join(" | "), n]);
  },

  "a pool": (rows) => {
    const outPart = Uint32Array.from(rows.keys());
    const environments = [{ name: "train", inPart: new Uint32Array(), outPart }];
    const options = { groups: [...attributes], testImages: 1 };
    const { sets } = measuredSets({ kind: "splits", environments }, datasetOf(rows), options);
    return sets.slice(1).map(({ column, indices }): Found => {
      expect(new Set(Array.from(indices, (i) => keyOf(rows[i]!))).size).toBe(1);
      return [fromColumn(column.slice("env0_out_acc ".length), rows), indices.length];
    });
  },

  "measurements of a run": (rows) => {
    const dataset = datasetOf(rows);
    const { indices, logits } = predictionsOf(rows, dataset);
    return measure(dataset, { indices, logits }, { measureGroups: ["place", "size"] })
      .slice(1)
      .map(({ slice, images }) => [fromColumn(slice.slice("test ".length), rows), images]);
  },

  "line of predictions": async (rows) => {
    const lines = rows.map(({ class: label, place, size }) => [label, label, place, size].join());
    const path = written("counted.csv", "y_true,y_pred,place,size", lines);
    const table = await openAccuracies([path], { groups: ["class", ...attributes] });
    return table.environments![0]!.groups.map(({ name, images }) => [fromColumn(name, rows), images]);
  },

  "line by subgroups": async (rows) => {
    const lines = rows.map(({ class: label, place, size }, i) =>
      [i / 100, i / 200, label, place, size].join(),
    );
    const path = written("accuracies.csv", "x,y,class,place,size", lines);
    const by = ["class", ...attributes];
    const { splits } = await auditLine({ tables: [path], id: ["x"], ood: ["y"], by, unit: "share" });
    return splits.slice(1).map(({ group, n }) => [keyOf(group as unknown as Row), n]);
  },

  // Numbered in the order of rows, on purpose: members and sizes are the same.
  samplers: (rows) => {
    const { groups } = explicitGroups(datasetOf(rows), attributes, Uint32Array.from(rows.keys()));
    const found = Array.from(groups.sizes, (size, number): Found => {
      const names = new Set(Array.from(groups.members(number), (i) => keyOf(rows[i]!)));
      expect(names.size).toBe(1);
      return [[...names][0]!, size];
    });
    const order = expected(rows).map(([group]) => group);
    return found.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  },
};

const value = fc.constantFrom("10", "1a", "9", "01", "1", "a b", "été", "-3", "0.5", "Z", "b");
const someRows = fc.array(fc.record<Row>({ class: value, place: value, size: value, right: fc.boolean() }), {
  minLength: 1,
  maxLength: 25,
});
const tables = someRows.chain((rows) =>
  fc.record({
    rows: fc.constant(rows),
    moved: fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
  }),
);

describe("groups of any table", () => {
  test.each(Object.entries(consumers))("%s: names, order and sizes", async (_, groupsIn) => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ rows, moved }) => {
        expect(await groupsIn(rows)).toEqual(expected(rows));
        expect(await groupsIn(moved)).toEqual(expected(rows));
      }),
      { numRuns: 25 },
    );
  });

  test("selection looks at the same groups", () => {
    fc.assert(
      fc.property(tables, ({ rows, moved }) => {
        const accuracies = expected(rows).map(([group, images]) => {
          return rows.filter((row) => row.right && keyOf(row) === group).length / images;
        });
        const score = (by: "val-worst-group" | "val-unbiased", some: readonly Row[]) => {
          const made = datasetOf(some);
          // A class that nobody has, for predictions of a table with a single one.
          const dataset = { ...made, classNames: [...made.classNames, "none"] };
          return scoreOf({ by, groups: [...attributes] }, dataset, predictionsOf(some, made));
        };
        expect(score("val-worst-group", rows)).toBe(Math.min(...accuracies));
        const mean = accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length;
        expect(score("val-unbiased", rows)).toBeCloseTo(mean, 12);
        // To the last bit: the order of groups, in which they are added up, is the same.
        expect(score("val-unbiased", moved)).toBe(score("val-unbiased", rows));
      }),
      { numRuns: 50 },
    );
  });
});

describe("values that no one order of comparing two fits", () => {
  const orders = [
    ["10", "1a", "9"],
    ["9", "10", "1a"],
    ["1a", "9", "10"],
  ];

  test.each(orders)("line lists 9, 10, 1a from rows in the order %s, %s, %s", async (...values) => {
    const path = written(
      "values.csv",
      "y_true,y_pred,place",
      values.map((place) => `a,a,${place}`),
    );
    const table = await openAccuracies([path], { groups: ["place"] });
    expect(table.columns.filter((name) => name.includes("place"))).toEqual([
      "all rows place=9",
      "all rows place=10",
      "all rows place=1a",
    ]);
    const rows = values.map((place) => `0.5,0.5,${place}`);
    const { splits } = await auditLine({
      tables: [written("by.csv", "x,y,place", rows)],
      id: ["x"],
      ood: ["y"],
      by: ["place"],
    });
    expect(splits.slice(1).map(({ group }) => group.place)).toEqual(["9", "10", "1a"]);
  });

  test("eval lists 01 before 1, whichever comes first, and as two values", async () => {
    for (const values of [
      ["1", "01"],
      ["01", "1"],
    ]) {
      const lines = values.map((place) => `a,a,${place}`);
      const path = written("ones.csv", "y_true,y_pred,place", lines);
      const { groups } = await evaluatePredictions({ tables: [path], groups: ["place"] });
      expect(groups.map(({ name }) => name)).toEqual(["place 01", "place 1"]);
    }
  });
});

describe("an attribute named class", () => {
  const refusal = /an attribute cannot be named "class"[\s\S]*rename/;
  const rows: Row[] = [
    { class: "a", place: "sea", size: "1", right: true },
    { class: "b", place: "hill", size: "2", right: true },
  ];
  const made = datasetOf(rows);
  const dataset = { ...made, attributes: { ...made.attributes, class: made.attributes.place! } };

  test("is refused by whoever would make groups by it, in the same words", async () => {
    const path = written("odd.csv", "y_true,y_pred,class,place", ["a,a,x,sea", "b,b,y,hill"]);
    expect(() => groupCounts(dataset, ["class"])).toThrow(refusal);
    await expect(evaluatePredictions({ tables: [path], groups: ["class"] })).rejects.toThrow(refusal);
    await expect(openAccuracies([path], { groups: ["class"] })).rejects.toThrow(refusal);
    expect(() => groupAttributes(dataset, ["class", "place"])).toThrow(refusal);
    const told = { name: "told", supervision: { groups: ["train" as const] } };
    expect(() => chooseExplicit(told, ["class"], dataset)).toThrow(refusal);
    const selection = { by: "val-unbiased" as const, groups: ["class"] };
    expect(() => scoreOf(selection, dataset, predictionsOf(rows, made))).toThrow(refusal);
  });

  test("is left out, and that is told, where nobody chose it", async () => {
    const path = written("odd.csv", "y_true,y_pred,class,place", ["a,a,x,sea", "b,b,y,hill"]);
    expect(groupCounts(dataset).attributes).not.toContain("class");
    const { groups, remarks } = await evaluatePredictions({ tables: [path] });
    expect(groups[0]!.name).toBe("class a, place hill");
    expect(remarks).toContainEqual(expect.stringMatching(/"class" is not used: .*rename/));
  });

  test("is in nobody's way where other attributes are named", async () => {
    const path = written("odd.csv", "y_true,y_pred,class,place", ["a,a,x,sea", "b,b,y,hill"]);
    const { groups } = await evaluatePredictions({ tables: [path], cues: ["place"] });
    expect(groups[0]!.name).toBe("class a, place hill");
    expect(groupAttributes(dataset, ["place"])).toEqual(["place"]);
  });
});
