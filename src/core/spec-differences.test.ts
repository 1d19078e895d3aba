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
