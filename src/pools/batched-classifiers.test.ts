/** Against NumPy's own Adam (test/references/pool.py), and against training each classifier alone. */

import { expect, test } from "vitest";
import stored from "../../test/references/pool.json" with { type: "json" };
import { BatchedClassifiers, type BatchedFamily, type Member } from "./batched-classifiers.ts";

const { reference } = stored;
const { width, classes, hidden, batch } = reference;

interface Classifier {
  member: Member;
  start: Readonly<Record<string, readonly number[]>>;
  visible: readonly number[];
  /** Of each row. */
  targets: readonly number[];
  weights: readonly number[];
}

/** Axis of each parameter, seen as [outer, members, inner], along which members lie. */
const outerOf: Record<string, number> = {
  weight: width,
  bias: 1,
  inner: width,
  innerBias: 1,
  outer: 1,
  outerBias: 1,
};

function together(lists: readonly (readonly number[])[], outer: number): Float32Array {
  const inner = lists[0]!.length / outer;
  return Float32Array.from(
    Array.from({ length: outer }, (_, row) =>
      lists.map((list) => list.slice(row * inner, (row + 1) * inner)),
    ).flat(2),
  );
}

function apart(values: Float32Array, outer: number, members: number, which: number): number[] {
  const inner = values.length / outer / members;
  return Array.from({ length: outer }, (_, row) => {
    const start = (row * members + which) * inner;
    return [...values.subarray(start, start + inner)];
  }).flat();
}

/** The parameters of each classifier after the reference's steps. */
async function train(family: BatchedFamily, classifiers: readonly Classifier[]) {
  const names = Object.keys(classifiers[0]!.start);
  const initial = Object.fromEntries(
    names.map((name) => [
      name,
      together(
        classifiers.map(({ start }) => start[name]!),
        outerOf[name]!,
      ),
    ]),
  );
  const members = classifiers.map(({ member }) => member);
  const visible = together(
    classifiers.map((one) => one.visible),
    width,
  );
  const options = { family, members, width, classes, batchSize: batch, hidden, visible, threads: 1 };
  const batched = await BatchedClassifiers.create(options, initial);
  for (const chosen of reference.order) {
    await batched.step(
      Float32Array.from(chosen.flatMap((i) => reference.features.slice(i * width, (i + 1) * width))),
      Int32Array.from(chosen.flatMap((i) => classifiers.map(({ targets }) => targets[i]!))),
      Float32Array.from(chosen.flatMap((i) => classifiers.map(({ weights }) => weights[i]!))),
    );
  }
  const rows = reference.labels.length;
  const correct = await batched.countCorrect({
    features: Float32Array.from(reference.features),
    labels: Int32Array.from(reference.labels),
    parts: Float32Array.from({ length: 2 * rows }, (_, i) => Number(i < rows === i % rows < 20)),
  });
  const ends = classifiers.map((_, which) =>
    Object.fromEntries(
      names.map((name) => [name, apart(batched.state.get(name), outerOf[name]!, classifiers.length, which)]),
    ),
  );
  await batched.close();
  return { ends, correct };
}

const referred = (family: BatchedFamily): Classifier => ({
  member: reference.member,
  start: reference.start[family] as Classifier["start"],
  visible: reference.visible,
  targets: reference.labels,
  weights: reference.weights,
});

/** Others beside it: another rate, penalties, targets, weights and features. */
const neighbours = (family: BatchedFamily): Classifier[] =>
  [1, 2].map((k) => ({
    member: { rate: 0.01 * k, weightDecay: 0.1 * (k - 1), l1: 0.01 * (k - 1) },
    start: Object.fromEntries(
      Object.entries(referred(family).start).map(([name, values]) => [
        name,
        values.map((value) => value * (1 - 0.4 * k)),
      ]),
    ),
    visible: [1, 1, 1, 1, 1],
    targets: reference.labels.map((label, i) => (i % (3 + k) === 0 ? (label + 1) % classes : label)),
    weights: reference.weights.map((_, i) => Number(i % (k + 1) === 0)),
  }));

function expectClose(found: Record<string, number[]>, wanted: Record<string, readonly number[]>): void {
  for (const [name, values] of Object.entries(wanted)) {
    expect(found[name]).toHaveLength(values.length);
    // 25 steps in float32; the reference is in float64.
    for (const [i, value] of values.entries()) expect(Math.abs(found[name]![i]! - value)).toBeLessThan(1e-5);
  }
}

test.each(["logistic", "mlp"] as const)(
  "%s: alone as in NumPy, and the same among others",
  async (family) => {
    const all = [neighbours(family)[0]!, referred(family), neighbours(family)[1]!];
    const { ends, correct } = await train(family, all);
    expectClose(ends[1]!, reference.end[family]);
    for (const [i, classifier] of all.entries()) {
      const single = await train(family, [classifier]);
      expectClose(ends[i]!, single.ends[0]!);
      expect([correct[i], correct[all.length + i]]).toEqual([...single.correct]);
    }
    expect([correct[1], correct[all.length + 1]]).toEqual(reference.correct[family]);
  },
);
