/** The quick part of the golden record; `npm run golden -- check` compares the whole of it. */

import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Checkout } from "./golden/checkout.mjs";
import { differences, judge, tell } from "./golden/compare.mjs";
import { checkSection } from "./golden/record.mjs";

const checkout = new Checkout(resolve(import.meta.dirname, ".."));

test.each(["augmentations", "samplers", "data", "training"])(
  "%s is as it was recorded",
  async (name) => {
    const { others, skipped, compared } = await checkSection(name, checkout, { short: true });
    if (skipped !== undefined) console.warn(`bits of ${name} not compared: ${skipped}`);
    // Graphs and settings are compared on every processor, bits only on one like that of the record.
    expect(compared).toBeGreaterThan(skipped === undefined ? 40 : 10);
    expect(others.map(tell)).toEqual([]);
  },
  120_000,
);

describe("two records", () => {
  const floats = (...values: number[]) => ({
    float32: Buffer.from(Float32Array.from(values).buffer).toString("base64"),
  });

  test("differ where a value, a name or a bit does, and say where", () => {
    const stored = { run: { history: [{ loss: "0.5" }, { loss: "0.4" }], logits: floats(1, 2, 0) }, gone: 1 };
    const found = {
      run: { history: [{ loss: "0.5" }, { loss: "0.3" }], logits: floats(1, 2.5, -0) },
      new: 2,
    };
    expect(differences(stored, found, ["training"]).map(tell)).toEqual([
      'training › run › history › 1 › loss\n    stored "0.4"\n    found  "0.3"',
      'training › run › logits › 1\n    stored "2 (0x40000000)"\n    found  "2.5 (0x40200000), 2 of 3 differ"',
      "training › gone\n    stored 1\n    found  nothing",
      "training › new\n    stored nothing\n    found  2",
    ]);
    expect(differences(stored, structuredClone(stored))).toEqual([]);
  });

  test("are compared by name where there are names, and by text where there are lines", () => {
    const [a, b] = [
      { name: "a", n: 1 },
      { name: "b", n: 2 },
    ];
    expect(differences([a, b], [b, { ...a, n: 3 }, { name: "c" }])).toEqual([
      { path: ["(order)"], stored: ["a", "b"], found: ["b", "a", "c"] },
      { path: ["a", "n"], stored: 1, found: 3 },
      { path: ["c"], stored: undefined, found: { name: "c" } },
    ]);
    expect(differences(["x", "y", "z"], ["x", "new", "y", "Z"])).toEqual([
      { path: ["line 3"], stored: "z", found: undefined },
      { path: ["line 2"], stored: undefined, found: "new" },
      { path: ["line 4"], stored: undefined, found: "Z" },
    ]);
    expect(differences(["x", "y"], ["y", "x"])).toHaveLength(1);
  });

  test("may differ where the list of intended differences says so, and nowhere else", () => {
    const at = (...path: string[]) => ({ path, stored: 1, found: 2 });
    const found = [
      at("runs", "runs list", "0", "id"),
      at("runs", "runs list", "0", "accuracy"),
      at("surface", "help", "cuelab eval", "12"),
      at("surface", "help", "cuelab line", "3"),
    ];
    const ids = { path: ["runs", "*", "*", "id"] };
    const added = { path: ["surface", "help", "**"], only: "added" };
    const help = { path: ["surface", "help", "cuelab ev*", "**"] };
    const { others, used } = judge([...found, { ...found[3]!, stored: undefined }], [ids, help, added]);
    expect(others).toEqual([found[1], found[3]]);
    expect([ids, help, added].map((entry) => used.get(entry))).toEqual([1, 1, 1]);
  });

  test("may differ by rounding where the list allows that much", () => {
    const close = { path: ["eval", "mean"], stored: 0.4707792207792208, found: 0.47077922077922074 };
    const far = { ...close, found: 0.4708 };
    const word = { ...close, found: "0.4707" };
    const intended = [{ path: ["eval", "**"], within: 1e-12 }];
    expect(judge([close, far, word], intended).others).toEqual([far, word]);
  });
});
