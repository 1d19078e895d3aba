import { expect, test } from "vitest";
import { testRandom } from "../../test/engine/helpers.ts";
import { Executable } from "../engine/executable.ts";
import { input } from "../engine/expressions.ts";
import { Session, toValue } from "../engine/runtime.ts";
import { State } from "../engine/state.ts";
import { initialise } from "../engine/training/parameters.ts";
import { exportNetwork } from "./export.ts";
import { models } from "./index.ts";
import { Network } from "./model.ts";

const image = { height: 16, width: 16, channels: 3 };
const pixels = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };
const classNames = ["cat", "dog", "ünïcode"];

test.each(models.names)("%s exported and reloaded gives the same logits, at any batch size", async (name) => {
  const model = models.get(name);
  const network = new Network(model, { classes: 3, mode: "evaluate", pixels });
  const stream = testRandom("images");
  for (const batch of [1, 5]) {
    const shape = [batch, 16, 16, 3];
    const bytes = Uint8Array.from({ length: batch * 768 }, () => Math.floor(stream.uniform() * 256));
    const program = { outputs: { logits: network.logits(input("images", shape, "byte")) } };
    const state = new State();
    initialise(network.parameters.all, state, testRandom);
    const direct = await Executable.compile(program);
    const expected = (await direct.run({ images: bytes }, { state })).logits!;
    await direct.close();

    const exported = exportNetwork(model, state, { classNames, image, pixels });
    const session = await Session.open(exported);
    const results = await session.run(
      { images: toValue(bytes, shape, "byte") },
      { logits: null, features: null },
    );
    await session.close();
    expect(results.logits!.dims).toEqual([batch, 3]);
    const actual = results.logits!.data as Float32Array;
    for (const [i, value] of expected.entries())
      expect(Math.abs(actual[i]! - value)).toBeLessThan(1e-5 * Math.max(1, Math.abs(value)));
  }
});

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
