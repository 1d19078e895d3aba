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
    expect(compared).toBeGreaterThan(40);
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

  test("may differ where the list of intended differences says so, and nowhere else", () => {
    const at = (...path: string[]) => ({ path, stored: 1, found: 2 });
    const found = [
      at("runs", "runs list", "0", "id"),
      at("runs", "runs list", "0", "accuracy"),
      at("surface", "help", "cuelab eval", "12"),
      at("surface", "help", "cuelab line", "3"),
    ];
    const ids = { path: ["runs", "*", "*", "id"] };
    const help = { path: ["surface", "help", "cuelab ev*", "**"] };
    const { others, used } = judge(found, [ids, help]);
    expect(others).toEqual([found[1], found[3]]);
    expect([used.get(ids), used.get(help)]).toEqual([1, 1]);
  });
});
