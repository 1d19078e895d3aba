import { expect, test } from "vitest";
import { wilsonInterval } from "../../core/statistics/index.ts";
import { points } from "../summaries.ts";
import { cueName, demoFindings, gapChange } from "./findings.ts";
import type { DemoCue, DemoRun } from "./measure.ts";

/** Right in so many of 1000 majority and of 1000 minority images. */
function cue(majority: number, minority: number): DemoCue {
  const value = (majority - minority) / 1000;
  return {
    mmd: { value, low: value - 0.04, high: value + 0.04 },
    majority: { correct: majority, count: 1000 },
    minority: { correct: minority, count: 1000 },
  };
}

function run(label: string, correct: number, cues: Record<string, DemoCue>, told: string[] = []): DemoRun {
  const accuracy = { value: correct / 1000, ...wilsonInterval(correct, 1000), correct, count: 1000 };
  return { label, does: "", told, id: label, accuracy, cues };
}

const baseline = run("Standard model", 450, {
  digitColor: cue(800, 400),
  texture: cue(600, 400),
  digitPosition: cue(450, 450),
});

test("what is told, what else changed and what did not", () => {
  const told = run(
    "Group DRO",
    550,
    { digitColor: cue(550, 500), texture: cue(700, 400), digitPosition: cue(455, 450) },
    ["digitColor"],
  );
  const untold = run("LfF", 452, {
    digitColor: cue(790, 400),
    texture: cue(450, 430),
    digitPosition: cue(440, 450),
  });
  expect(demoFindings([baseline, told, untold], 0.1)).toEqual([
    "The standard model gets 45.0% of the test images right; guessing would get 10.0%. It leans on two of the three cues, most on digit colour: where that goes with the class it is right 40.0 points more often, which is its gap.",
    "Group DRO was told one cue, digit colour. Its gap for that cue is smaller, down from 40.0 to 5.0 points. Of the other two gaps, one is larger (texture from 20.0 to 30.0) and one does not differ measurably. Its accuracy is 55.0%, 10.0 points higher than the standard model's.",
    "LfF was told no cue. Of its three gaps, one is smaller (texture from 20.0 to 2.0) and two do not differ measurably. Its accuracy is 45.2%, not measurably different from the standard model's.",
    "Each method ran once. The intervals are about the choice of test images alone; another training seed can move a gap by several points, so only large differences mean something.",
  ]);
});

test("a told cue whose gap grew, or did not change, is not praised", () => {
  const with_ = (own: DemoCue) =>
    demoFindings([baseline, run("M", 300, { ...baseline.cues, digitColor: own }, ["digitColor"])], 0.1)[1];
  expect(with_(cue(900, 300))).toContain("Its gap for that cue is larger, from 40.0 to 60.0 points.");
  expect(with_(cue(790, 400))).toContain("does not differ measurably (from 40.0 to 39.0 points)");
  expect(with_(cue(790, 400))).toContain("None of the other two gaps differs measurably.");
  expect(with_(cue(790, 400))).toContain(
    "Its accuracy is 30.0%, 15.0 points lower than the standard model's.",
  );
});

test("a network at chance that leans on cues has learned shortcuts alone, and that is said", () => {
  const findings = demoFindings([run("Standard model", 105, baseline.cues), baseline], 0.1);
  expect(findings).toHaveLength(3);
  expect(findings[0]).toMatch(
    /10\.5% .* guessing would get 10\.0%: all that it has learned are shortcuts\. It leans on two of the three cues, most on digit colour/,
  );
});

test("a network at chance without gaps says nothing", () => {
  const blind = run("Standard model", 105, { texture: cue(100, 100), digitColor: cue(105, 100) });
  const findings = demoFindings([blind, baseline], 0.1);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(
    /10\.5% .* guessing would get 10\.0%: it has learned neither digits nor shortcuts/,
  );
  // With 140 of 1000 the interval begins at 12.0% (Wilson, by hand): that is more than guessing.
  expect(demoFindings([run("S", 140, baseline.cues)], 0.1)[0]).toContain("It leans on two of the three cues");
});

test("a standard model without gaps", () => {
  const fair = run("Standard model", 900, { texture: cue(900, 900), digitColor: cue(905, 900) });
  expect(demoFindings([fair], 0.1)[0]).toContain("None of the two cues makes a measurable difference");
});

test("gaps are compared by their size, against the interval of the difference", () => {
  // The sum's standard error is √(4 · 0.25 / 1000) = 3.2 points at most: 5 points are unclear, 8 are not.
  expect(gapChange(cue(550, 500), cue(600, 500))).toBe("unclear");
  expect(gapChange(cue(520, 500), cue(600, 500))).toBe("smaller");
  expect(gapChange(cue(300, 500), cue(600, 500))).toBe("larger");
  expect(gapChange(cue(480, 500), cue(600, 500))).toBe("smaller");
});

test("names and numbers as people read them", () => {
  expect(cueName("distractorColor")).toBe("distractor colour");
  expect([0.3123, -0.0312, -0.0002].map(points)).toEqual(["31.2", "−3.1", "0.0"]);
});
