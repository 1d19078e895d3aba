/** How long a stage is, and how often validation images are looked at. */

import { expect, test } from "vitest";
import type { Stage } from "../../methods/stage.ts";
import type { RunSpec } from "../run-spec.ts";
import type { MethodData } from "./method-data.ts";
import { planStage } from "./stage-plan.ts";

/** Of a hundred training images the first counts a hundred and one times. */
const places = Uint32Array.from({ length: 200 }, (_, i) => Math.max(0, i - 100));
const data = { rows: () => new Uint32Array(100), method: { name: "jtt" } } as unknown as MethodData;
const build: Stage["build"] = () => {
  throw new Error("nothing is built here");
};

function planned(stage: Partial<Stage>, length: { epochs: number; steps?: number }) {
  const spec = { batchSize: 10, ...length } as RunSpec;
  const whole = { name: "retrain", build, from: { part: "train", places }, ...stage } as Stage;
  return planStage(whole, spec, data, { index: 1, features: false });
}

test("repeated images make an epoch longer, but not the time between looks at validation where a run is so many steps", () => {
  expect(planned({}, { epochs: 3 })).toMatchObject({
    count: 200,
    stepsPerEpoch: 20,
    length: { steps: 60, epochs: 3 },
  });
  expect(planned({}, { epochs: 45, steps: 45 })).toMatchObject({
    count: 200,
    stepsPerEpoch: 10,
    length: { steps: 45, epochs: 5 },
  });
});

test("two stages may be as long as the run, and accuracies are measured in the course of the last", () => {
  const before = planned({ length: "run" }, { epochs: 45, steps: 45 });
  expect(before).toMatchObject({ length: { steps: 45, epochs: 5 }, isMain: false });
  expect(planned({}, { epochs: 45, steps: 45 })).toMatchObject({ length: before.length, isMain: true });
});

test("a stage with a length of its own, or of fewer images than there are, has epochs of what it has", () => {
  const own = planned({ length: { epochs: 2 } }, { epochs: 45, steps: 45 });
  expect(own).toMatchObject({ stepsPerEpoch: 20, length: { steps: 40, epochs: 2 } });
  const few = planned({ from: { part: "train", places: places.subarray(0, 30) } }, { epochs: 9, steps: 9 });
  expect(few).toMatchObject({ stepsPerEpoch: 3, length: { steps: 9, epochs: 3 } });
});
