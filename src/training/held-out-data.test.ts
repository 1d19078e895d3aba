/** Environments held out: which images are trained and measured on, and that nothing else changes. */

import { expect, test } from "vitest";
import { runId } from "../runs/run-folder.ts";
import { describeTrainingData } from "./data-book.ts";
import { planEnvironments } from "./environments.ts";
import { namedHeldOut, withHeldOut } from "./held-out-data.ts";
import { resolveSpec } from "./run-spec.ts";
import { evaluatedSplits, indicesOf } from "./splits.ts";
import { openTrainingData } from "./training-data.ts";

const choice = { name: "colored-mnist", settings: { trainPerEnvironment: 200 }, seed: 3 };
const data = await describeTrainingData(choice);
const whole = await openTrainingData(data);
const limits = { trainImages: 60, testImages: 30, seed: 5 };

test("training has the in parts, validation their out parts, test the out part of what is held out", async () => {
  const { environments } = planEnvironments(whole, { ...limits, by: undefined });
  const heldOut = namedHeldOut(whole, { holdOut: "0.2", ...limits });
  expect(heldOut).toEqual({ by: null, trainOn: ["0.1", "0.9"], ...limits });
  expect(namedHeldOut(whole, { trainOn: ["0.9", "0.1"], ...limits })).toEqual(heldOut);
  const view = await openTrainingData({ ...data, environments: heldOut });
  const joined = (...parts: Uint32Array[]) => parts.flatMap((part) => [...part]).toSorted((a, b) => a - b);
  const [first, second, third] = environments as [{ inPart: Uint32Array; outPart: Uint32Array }, ...never[]] &
    typeof environments;
  expect([...indicesOf(view, "train")]).toEqual(joined(first!.inPart, third!.inPart));
  expect([...indicesOf(view, "val")]).toEqual(joined(first!.outPart, third!.outPart));
  expect([...indicesOf(view, "test")]).toEqual([...second!.outPart]);
  expect([60, 60, 30].map((_, i) => indicesOf(view, ["train", "val", "test"][i]!).length)).toEqual([
    120, 60, 30,
  ]);
  expect(evaluatedSplits(view)).toEqual(["val", "test"]);
  expect(view.provenance.shiftedSplits).toEqual(["test"]);
  expect([view.images.count, view.labels]).toEqual([whole.images.count, whole.labels]);
  expect((await view.images.pixels(7)).data).toEqual((await whole.images.pixels(7)).data);
});

test("shifted splits are held out together, and a shifted validation split is not the run's own", () => {
  const { statisticsBy: _, ...provenance } = whole.provenance;
  const plain = {
    ...whole,
    attributes: { color: whole.attributes.color! },
    provenance: { ...provenance, shiftedSplits: ["val", "test"] },
  };
  const heldOut = namedHeldOut(plain, { trainOn: ["train"] });
  expect(heldOut.trainOn).toEqual(["train"]);
  const view = withHeldOut(plain, heldOut);
  expect(evaluatedSplits(view)).toEqual(["val", "shifted val", "test"]);
  expect([...indicesOf(view, "shifted val")]).toEqual([...indicesOf(plain, "val")]);
  expect([...indicesOf(view, "train"), ...indicesOf(view, "val")].toSorted((a, b) => a - b)).toEqual([
    ...indicesOf(plain, "train"),
  ]);
  expect(indicesOf(view, "val")).toHaveLength(0.2 * indicesOf(plain, "train").length);
});

test.each([
  [{ holdOut: "0.3" }, /no environment is called "0.3"[\s\S]*0\.1, 0\.2, 0\.9/],
  [{ trainOn: ["0.1", "x"] }, /no environment is called "x"/],
  [{ trainOn: ["0.1", "0.2", "0.9"] }, /none is left/],
  [{ holdOut: "all" }, /a run holds out one environment/],
  [{ holdOut: "0.1", trainOn: ["0.2"] }, /either[\s\S]*both/],
  [{}, /either[\s\S]*neither/],
  [{ holdOut: "0.1", by: "colour" }, /no attribute "colour"/],
])("%j is refused", (asked, message) => {
  expect(() => namedHeldOut(whole, asked)).toThrow(message);
});

test("runs that ask for none of this keep the id that they had before it could be asked for", () => {
  const given = {
    data: { name: "colored-mnist", identity: "colored-mnist@1 x", settings: {} },
    model: { name: "small-cnn", options: { width: 8 } },
  };
  // The id of the version before, but for the run format that is part of it.
  expect(runId(resolveSpec(given))).toBe("4bd35e03f2438b99");
  const { environments, ...others } = {
    environments: { trainOn: ["0.1"] },
    measureSteps: [10],
    steps: 100,
    keep: "accuracies" as const,
  };
  const changed = [
    { ...given, data: { ...given.data, environments } },
    ...Object.entries(others).map(([name, value]) => ({ ...given, [name]: value })),
  ];
  expect(new Set([given, ...changed].map((spec) => runId(resolveSpec(spec)))).size).toBe(5);
  expect(resolveSpec({ ...given, steps: 100 }).epochs).toBe(100);
});
