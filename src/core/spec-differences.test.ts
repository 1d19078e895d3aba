import { expect, test } from "vitest";
import { decidingLeaves, differingLeaves } from "./spec-differences.ts";

const spec = (more: object = {}) => ({
  id: "0",
  data: { name: "d", path: "/x", seed: 0, identity: "i" },
  method: { name: "erm", settings: {} },
  seed: 0,
  ...more,
});

const differing = (...specs: object[]) => differingLeaves(specs.map(decidingLeaves));

test("seeds, names and places make no other model", () => {
  const moved = { name: "d", path: "/y", places: { folder: "/z" }, seed: 3, identity: "i" };
  expect(differing(spec(), spec({ id: "1", seed: 1, data: moved }))).toEqual([]);
});

test("everything else does, and is named", () => {
  expect(differing(spec(), spec({ method: { name: "group-dro", settings: { stepSize: 1 } } }))).toEqual([
    "method.name",
    "method.settings.stepSize",
  ]);
  expect(differing(spec({ augment: ["flip"] }), spec({ augment: [] }))).toEqual(["augment"]);
});

test("views of a list are told by their names, and their settings stand under these", () => {
  const mixed = (alpha: number) => ({ augment: [{ view: "mixup", version: 1, with: { alpha } }] });
  expect(differing(spec(mixed(0.1)), spec(mixed(0.2)))).toEqual(["augment.mixup.alpha"]);
  expect(decidingLeaves(mixed(0.1))).toEqual(
    new Map([
      ["augment", "mixup"],
      ["augment.mixup.version", "1"],
      ["augment.mixup.alpha", "0.1"],
    ]),
  );
  const choice = { view: "one-of", version: 1, with: { of: [{ view: "flip", with: { probability: 1 } }] } };
  expect(decidingLeaves({ augment: [choice] }).get("augment.one-of.of.flip.probability")).toBe("1");
});

test("two versions of a plugin are two models, wherever they lie", () => {
  const plugged = (path: string, digest: string) => spec({ plugins: [{ path, digest }] });
  expect(differing(plugged("/a/m.ts", "sha256:1"), plugged("/b/m.ts", "sha256:1"))).toEqual([]);
  expect(differing(plugged("/a/m.ts", "sha256:1"), plugged("/a/m.ts", "sha256:2"))).toEqual(["plugins"]);
});
