import { expect, test } from "vitest";
import { CuelabError } from "../core/errors.ts";
import { choosePoint, otherChoices, type ScoredTrial, tieWords } from "./choose-point.ts";
import { failureWords } from "./failure-words.ts";

const trial = (
  id: string,
  score: number | null,
  accuracy = 0,
  loss = 0,
  also: number[] = [],
): ScoredTrial => ({
  point: { rate: id },
  id,
  score,
  accuracy: score === null ? null : accuracy,
  loss: score === null ? null : loss,
  also,
});

test.each([
  ["the best alone is no tie", [trial("a", 0.1), trial("b", 0.2)], "b", undefined],
  [
    "accuracy decides first",
    [trial("a", 0, 0.5, 1), trial("b", 0, 0.6, 9)],
    "b",
    { of: 2, score: 0, by: "accuracy" },
  ],
  [
    "then the lower loss",
    [trial("a", 0, 0.5, 2), trial("b", 0, 0.5, 1)],
    "b",
    { of: 2, score: 0, by: "loss" },
  ],
  ["then the order", [trial("a", 0, 0.5, 1), trial("b", 0, 0.5, 1)], "a", { of: 2, score: 0, by: "order" }],
  [
    "accuracy leaves two, order decides",
    [trial("a", 0, 0.4, 1), trial("b", 0, 0.5, 1), trial("c", 0, 0.5, 1)],
    "b",
    { of: 3, score: 0, by: "order" },
  ],
  ["a failed run is none", [trial("a", null), trial("b", 0.1)], "b", undefined],
  ["one run drawn twice is no tie", [trial("a", 0.1), trial("a", 0.1)], "a", undefined],
] as const)("%s", (_, trials, id, tie) => {
  const chosen = choosePoint(trials)!;
  expect(chosen.trial.id).toBe(id);
  expect(chosen.tie).toEqual(tie);
});

test("nothing is chosen of failures; what decided is told in words", () => {
  expect(choosePoint([trial("a", null)])).toBeUndefined();
  const select = { by: "val-worst-group" as const, groups: ["color"] };
  expect(tieWords("accuracy", select)).toBe("mean validation accuracy of groups (class × color)");
  expect(tieWords("accuracy", { by: "val-worst-class", groups: [] })).toBe("validation accuracy over images");
  expect(tieWords("order", select)).toBe("the earlier point");
});

test("other rules choose of the same trials", () => {
  const trials = [trial("a", 0.9, 0, 0, [0.1, 0.5]), trial("b", 0.8, 0, 0, [0.2, 0.4]), trial("c", null)];
  const rules = [
    { by: "val-loss" as const, groups: [] },
    { by: "val-accuracy" as const, groups: [] },
  ];
  expect(otherChoices(trials, rules).map(({ rule, id }) => [rule, id])).toEqual([
    ["validation loss", "b"],
    ["validation accuracy over images", "a"],
  ]);
});

test("a failed run of a sweep advises in the words of its file", () => {
  const error = new CuelabError({
    kind: "failure",
    what: "the loss exploded",
    todo: "lower --lr, add --clip 1 or --warm-up 100, or check the data for extreme values; then start over with --force",
  });
  expect(failureWords(error)).toBe(
    "the loss exploded\n  try: lower optimiser.rate, add clipNorm: 1 or schedule.warmUpSteps: 100, or check the data for extreme values, in the sweep's file",
  );
  expect(failureWords(new Error("x"))).toBe("x");
  expect(failureWords(undefined)).toBe("unknown");
});
