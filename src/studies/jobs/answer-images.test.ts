/** What is kept of a model's logits, on numbers worked by hand. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { classMap } from "./class-maps.ts";
import { PredictionSums } from "./prediction-sums.ts";
import { verdicts } from "./verdicts.ts";

const root = temporaryFolder();

test("probabilities are the softmax of what is left, classes that are put together add up", () => {
  const logits = Float32Array.from([0, Math.log(2), Math.log(5), Math.log(8)]);
  const [whole] = verdicts(logits, 1, [0, 1, 2, 3], 4);
  expect(whole!.predicted).toBe(3);
  expect([...whole!.probabilities].map((p) => Number(p.toFixed(6)))).toEqual([0.0625, 0.125, 0.3125, 0.5]);
  // Without the last: 1, 2 and 5 of 8. Its label is no number of another class.
  const [masked] = verdicts(logits, 1, [0, 1, 2, undefined], 4);
  expect(masked!.predicted).toBe(2);
  expect(masked!.probabilities[2]).toBeCloseTo(5 / 8, 6);
  expect(masked!.probabilities[3]).toBe(0);
  // The first and third are one class, the last is none of them and wins.
  const [parts] = verdicts(logits, 1, [0, 1, 0, null], 2);
  expect(parts!.predicted).toBeUndefined();
  expect(parts!.probabilities[0]).toBeCloseTo(6 / 16, 6);
  expect(() => verdicts(logits, 1, [0, 1, 2], 3)).toThrow("another number of classes");
  expect(() => verdicts(Float32Array.from([Number.NaN, 1]), 1, [0, 1], 2)).toThrow("numbers that are none");
});

const verdict = (predicted: number, ...probabilities: number[]) => ({
  predicted,
  probabilities: Float64Array.from(probabilities),
});

test("counts, flips and changes of probability add up", () => {
  const sums = new PredictionSums(2, 1, 2);
  // Right stays right, right is lost, wrong is gained; labels 0, 1, 1.
  sums.add(0, 0, verdict(0, 0.9, 0.1), [verdict(0, 0.7, 0.3)]);
  sums.add(1, 1, verdict(1, 0.2, 0.8), [verdict(0, 0.6, 0.4)]);
  sums.add(1, 1, verdict(0, 0.6, 0.4), [verdict(1, 0.3, 0.7)]);
  const answer = sums.answer({
    classNames: ["a", "b"],
    marks: ["chinese"],
    groups: [{ place: "x" }, { place: "y" }],
  });
  expect(answer).toMatchObject({ images: 3, correct: 2 });
  expect(answer.groups).toEqual([
    { values: { place: "x" }, images: 1, correct: 1 },
    { values: { place: "y" }, images: 2, correct: 1 },
  ]);
  expect(answer.classes[1]).toMatchObject({ name: "b", images: 2, correct: 1 });
  expect(answer.classes[1]!.probability).toBeCloseTo(1.3 / 3, 12);
  const [marked] = answer.marks;
  expect(marked).toMatchObject({ mark: "chinese", correct: 2, gained: 1, lost: 1 });
  // Changes of a: −0.2, +0.4, −0.3; of b their opposites. Own images of b: −0.4 and +0.3.
  const [a, b] = marked!.classes;
  expect(a!.change).toBeCloseTo(-0.1 / 3, 12);
  expect(a!.deviation).toBeCloseTo(Math.sqrt((0.04 + 0.16 + 0.09 - 0.01 / 3) / 2), 12);
  expect(a!.ownChange).toBeCloseTo(-0.2, 12);
  expect(b!.ownChange).toBeCloseTo(-0.05, 12);
  expect(b).toMatchObject({ correct: 1, gained: 1, lost: 1 });
});

test("a change and its control are counted beside each other", () => {
  const sums = new PredictionSums(2, 0, 1, 1);
  // Label 0: by the change, by its control.
  const [right, wrong] = [verdict(0, 0.9, 0.1), verdict(1, 0.1, 0.9)];
  for (const pair of [
    [wrong, right],
    [wrong, right],
    [right, wrong],
    [wrong, wrong],
  ] as const)
    sums.add(0, 0, right, [], [pair]);
  const { changes } = sums.answer({
    classNames: ["a", "b"],
    marks: [],
    changes: ["texture-swapped"],
    groups: [],
  });
  expect(changes).toEqual([{ change: "texture-swapped", correct: 1, byControl: 2, gained: 1, lost: 2 }]);
});

test("classes go by names: of the model, of folders, among some, or as parts of others", async () => {
  const folders = (name: string, classes: readonly string[]) => {
    for (const each of classes) mkdirSync(join(root, name, each), { recursive: true });
    return join(root, name);
  };
  const all = folders("all", ["n1", "n2", "n3"]);
  const some = folders("some", ["n2", "n3"]);
  const dataset = { name: "images", classNames: ["n3", "n2"], labels: Uint16Array.from([0, 1]) };
  const nameless = { name: "net.onnx", classNames: undefined, classes: 3 };
  expect(await classMap(nameless, dataset, { classesLike: all })).toEqual({
    classNames: ["n1", "n2", "n3"],
    countsFor: [0, 1, 2],
    labels: Int32Array.from([2, 1]),
  });
  expect(await classMap(nameless, dataset, { classesLike: all, amongClassesOf: some })).toMatchObject({
    countsFor: [undefined, 1, 2],
  });
  const three = { ...dataset, classNames: ["n1", "n2"], labels: Uint16Array.from([0, 1]) };
  const among = await classMap(nameless, three, { classesLike: all, amongClassesOf: some });
  expect(among.labels).toEqual(Int32Array.from([-1, 1]));
  await expect(classMap(nameless, dataset, {})).rejects.toThrow("nobody says what the classes");
  const strange = { ...dataset, classNames: ["dog", "n2"] };
  await expect(classMap(nameless, strange, { classesLike: all })).rejects.toThrow(
    "classes that net.onnx does not know",
  );
  const map = join(root, "map.json");
  writeFileSync(map, JSON.stringify({ "0": 1, "1": -1, "2": 0 }));
  expect(await classMap(nameless, dataset, { superclasses: map })).toEqual({
    classNames: ["n3", "n2"],
    countsFor: [1, null, 0],
    labels: Int32Array.from([0, 1]),
  });
  writeFileSync(map, JSON.stringify({ "0": 2 }));
  await expect(classMap(nameless, dataset, { superclasses: map })).rejects.toThrow("no map of classes");
});
