import { expect, test } from "vitest";
import { type CueVerdict, judgeMoles, type MoleVerdict } from "../../metrics/moles/index.ts";
import { demoFindings } from "./findings.ts";
import type { DemoRun } from "./measure.ts";
import { type DemoCue, demoMethods } from "./plan.ts";

/** Of a change of so many points, known to half a point. */
function effect(value: number) {
  const pValue = value === 0 ? 1 : 1e-6;
  return {
    value,
    interval: { low: value - 0.005, high: value + 0.005 },
    pValue,
    equivalencePValue: value === 0 ? 1e-6 : 1,
    risePValue: value < 0.03 ? 1e-6 : 1,
    error: 0.0025,
  };
}

/** What became of a gap: in all, where the shortcut misleads, and where it holds as in training. */
function change(cue: DemoCue, gap: number, uncommon: number, common: number) {
  return {
    cues: [cue],
    method: -0.3 + gap,
    baseline: -0.3,
    baselineInterval: { low: -0.32, high: -0.28 },
    gap: effect(gap),
    uncommon: effect(uncommon),
    common: effect(common),
    ratio: null,
    flips: null,
    seeds: 1,
  };
}

function judgedOf(...cues: ReturnType<typeof change>[]) {
  return judgeMoles([{ kind: "cells", over: "images", margin: 0.03, alpha: 0.05, cues }])[0]!;
}

function run(
  place: number,
  judged: DemoRun["judged"],
  gaps: readonly [number, number] = [-0.3, -0.1],
): DemoRun {
  const { label, told, does } = demoMethods(["background"])[place]!;
  const around = (value: number) => ({ value, low: value - 0.02, high: value + 0.02 });
  return {
    label,
    told,
    does,
    id: label,
    inDistribution: around(0.95),
    chance: 0.5,
    rise: 0.002,
    gaps: [
      { cues: ["background"], ...around(gaps[0]) },
      { cues: ["coObject"], ...around(gaps[1]) },
    ],
    judged,
  };
}

const mole = judgedOf(change("background", 0.2, 0.18, -0.02), change("coObject", -0.1, -0.12, -0.02));
const fallen = judgedOf(change("background", 0.1, 0, -0.1), change("coObject", 0, 0, 0));

test("which mole went down and which came up, by the verdicts and by nothing else", () => {
  expect(mole.cues.map(({ verdict }: CueVerdict): MoleVerdict | null => verdict)).toEqual([
    "reduced",
    "amplified",
  ]);
  expect(demoFindings([run(0, null), run(1, mole, [-0.1, -0.2]), run(2, fallen)])).toEqual([
    "With both shortcuts as common as in training the standard model is right on 95.0% (I.D. accuracy). It loses 30.0 points where the background misleads (28.0 to 32.0) and 10.0 points where the object beside the car misleads (8.0 to 12.0); 95% over images.",
    "Group DRO, told the background of every image: Reliance on the background went down and on the object beside the car came up: a mole. It loses 10.0 points where the background misleads (8.0 to 12.0) and 20.0 points where the object beside the car misleads (18.0 to 22.0); 95% over images. Its I.D. accuracy is 95.0%, 2.0 points below the standard model's.",
    "Last Layer Ensemble, told only which kinds of shortcut there are: The gap of the background shrank only because accuracy fell where the cue holds: worse everywhere; reliance on the object beside the car stayed equal within 3 points. It loses 30.0 points where the background misleads (28.0 to 32.0) and 10.0 points where the object beside the car misleads (8.0 to 12.0); 95% over images. Its I.D. accuracy is 95.0%, 10.0 points below the standard model's.",
    expect.stringMatching(/^Each network was trained once\..* another seed may say otherwise\.$/),
  ]);
});

test("whose validation accuracy still rises by a point, or had too few epochs to tell, is named", () => {
  const [settled, rising, short] = [0, 0.01, undefined].map((rise, place) => ({
    ...run(place, place === 0 ? null : mole),
    rise,
  })) as [DemoRun, DemoRun, DemoRun];
  expect(demoFindings([settled, rising, short]).at(-2)).toBe(
    "Group DRO and Last Layer Ensemble had not come to rest when training ended (on validation images, over the last fifth of the epochs): studies compare no such network, since a longer training may say otherwise.",
  );
});

test("a gap whose interval holds nothing is no reliance", () => {
  const [first] = demoFindings([run(0, null, [-0.3, -0.01])]);
  expect(first).toContain(
    "It loses 30.0 points where the background misleads (28.0 to 32.0); 95% over images. What it loses where the object beside the car misleads cannot be told (−1.0 to 3.0 points).",
  );
  const [turned] = demoFindings([run(0, null, [-0.3, 0.1])]);
  expect(turned).toContain(
    "It is better by 10.0 points where the object beside the car misleads (8.0 to 12.0).",
  );
});

test("of a network that guesses nothing is said", () => {
  const blind = { ...run(0, null), inDistribution: { value: 0.51, low: 0.48, high: 0.54 } };
  const findings = demoFindings([blind, run(1, mole)]);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(
    /right on 51\.0% .* guessing would get 50\.0%: it has learned neither cars nor shortcuts/,
  );
});
