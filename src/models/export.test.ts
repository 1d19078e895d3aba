import { expect, test } from "vitest";
import { testRandom } from "../../test/engine/helpers.ts";
import { input } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { initialise } from "../engine/training/parameters.ts";
import { exportNetwork } from "./export.ts";
import { models } from "./index.ts";
import { Network } from "./model.ts";

const image = { height: 16, width: 16, channels: 3 };
const classNames = ["cat", "dog", "ünïcode"];

test("the file says what it is, and uses standard ops only", () => {
  const model = models.get("logistic-regression");
  const network = new Network(model, { classes: 3, mode: "evaluate" });
  network.logits(input("images", [1, 16, 16, 3], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, testRandom);
  const text = Buffer.from(
    exportNetwork(model, state, { classNames, image, metadata: { run: "r1" } }),
  ).toString("utf8");
  for (const part of ["images", "logits", JSON.stringify(classNames), "batch", "preprocessing", "r1"])
    expect(text).toContain(part);
  expect(text).not.toContain("com.microsoft");
});
