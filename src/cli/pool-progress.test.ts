import { expect, test } from "vitest";
import { secondsLeft } from "./pool-progress.ts";

const run = (state: "waiting" | "running" | "done", progress = 0, seconds?: number, found = false) => ({
  state,
  progress,
  // All that run began ten seconds ago.
  startedMs: state === "running" ? 0 : undefined,
  seconds,
  found,
});
const now = 10_000;

test("nothing is said before a run is far enough to tell", () => {
  expect(secondsLeft([run("running", 0.01), run("waiting")], 2, 2, now)).toBeUndefined();
  // What was found tells nothing of what a run takes.
  expect(secondsLeft([run("done", 1, 0.1, true), run("running", 0)], 2, 2, now)).toBeUndefined();
});

test("the rest of what runs and all that waits, shared out among workers", () => {
  // Half done after 10 s: 10 s left each; the third would take 20 s: 40 s of work for two.
  const half = [run("running", 0.5), run("running", 0.5), run("waiting")];
  expect(secondsLeft(half, 3, 2, now)).toBeCloseTo(20, 9);
  // One of 20 s is done, one is at a quarter after 10 s (30 s left): nothing can shorten that one.
  expect(secondsLeft([run("done", 1, 20), run("running", 0.25)], 2, 2, now)).toBeCloseTo(30, 9);
  // 40 s projected and 20 s measured: a run takes 30 s, and four wait for two workers: (30 + 4 · 30) / 2.
  expect(secondsLeft([run("done", 1, 20), run("running", 0.25)], 6, 2, now)).toBeCloseTo(75, 9);
});

test("a run that has only begun counts as a whole one", () => {
  // 20 s each: 10 s of one, 20 s of the other.
  expect(secondsLeft([run("running", 0.5), run("running", 0)], 2, 2, now)).toBeCloseTo(20, 9);
});
