import { expect, test } from "vitest";
import { guessOf, oneClassRemark } from "./one-class.ts";

test("the guess is the most frequent class, the first among equals", () => {
  expect(guessOf([2, 5, 3])).toEqual({ code: 1, accuracy: 0.5 });
  expect(guessOf([4, 4])).toEqual({ code: 0, accuracy: 0.5 });
});

test("a network that says one class for everything is called out, with what guessing reaches", () => {
  expect(oneClassRemark([4, 6], [10], ["Tier", "Kein Tier"])).toBe(
    'every prediction is "Tier": the network tells nothing apart; always saying "Kein Tier" would be right for 60.0%',
  );
  expect(oneClassRemark([400, 600], [995, 5], ["a", "b"])).toMatch(/^99.5% of the predictions are "a"/);
  expect(oneClassRemark([400, 600], [980, 20], ["a", "b"])).toBeUndefined();
});

test("where there is one class only, saying it is no fault", () => {
  expect(oneClassRemark([10], [10], ["a", "b"])).toBeUndefined();
});
