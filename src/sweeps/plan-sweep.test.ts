/** What a plan says is certain: before a search has chosen, the rest of the runs is not known. */

import { expect, test } from "vitest";
import { showPlan } from "./plan-sweep.ts";

const entry = { label: "ERM", seeds: 3, done: 4, secondsEach: 10 };
const plan = { name: "s", done: 4, workers: 2, seconds: 30 };
const said = (trials: number) =>
  showPlan({ ...plan, runs: trials + 3, entries: [{ ...entry, trials }] }).at(-1)!.text;

test("with a search, what is done and what is left are limits", () => {
  expect(said(4)).toMatch(
    /at most 7 runs, at least 4 of them done before\nat most about 30\.0 s with 2 at a time/,
  );
  expect(said(0)).toMatch(/at most 3 runs, 4 of them done before\nabout 30\.0 s with 2 at a time/);
});
