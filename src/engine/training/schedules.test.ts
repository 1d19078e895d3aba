import { expect, test } from "vitest";
import { constantSchedule, cosineSchedule, delayed, stepSchedule, warmUp } from "./schedules.ts";

const at = (schedule: (step: number) => number, ...steps: number[]) =>
  steps.map((step) => Number(schedule(step).toFixed(6)));

test("schedules at their corners", () => {
  expect(at(constantSchedule(), 0, 1000)).toEqual([1, 1]);
  expect(at(cosineSchedule(10), 0, 5, 10, 11)).toEqual([1, 0.5, 0, 0]);
  expect(at(cosineSchedule(10, 0.2), 0, 5, 10)).toEqual([1, 0.6, 0.2]);
  expect(at(stepSchedule([3, 6], 0.1), 2, 3, 5, 6)).toEqual([1, 0.1, 0.1, 0.01]);
  expect(at(warmUp(4), 0, 2, 3, 4, 100)).toEqual([0.25, 0.75, 1, 1, 1]);
  expect(at(delayed(4, cosineSchedule(10)), 0, 3, 4, 9, 14)).toEqual([1, 1, 1, 0.5, 0]);
  expect(() => cosineSchedule(0)).toThrow(/at least one step/);
});
