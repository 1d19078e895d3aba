import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { Partners } from "./partners.ts";

const labels = [0, 1, 2, 0, 1, 2, 0, 1, 2, 9];
/** Three of class 0, two of class 1, one of class 2, which comes twice. */
const part = Uint32Array.of(6, 1, 3, 5, 0, 4, 5);

function drawn(kind: "any" | "other-class", label: number): Map<number, number> {
  const counts = new Map<number, number>();
  const partners = new Partners(part, labels);
  const stream = randomStream(1, "test");
  for (let i = 0; i < 4000; i++) {
    const index = partners.draw(kind, label, stream.at(i));
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

const sorted = (counts: Map<number, number>) => [...counts.keys()].toSorted((a, b) => a - b);

test("a partner of another class is of another class, each image of the part as likely as it is frequent", () => {
  const counts = drawn("other-class", 0);
  expect(sorted(counts)).toEqual([1, 4, 5]);
  // 1 : 1 : 2 of 4000; four standard deviations of Binomial(4000, ½) are 127.
  expect(Math.abs(counts.get(5)! - 2000)).toBeLessThan(127);
  expect(sorted(drawn("other-class", 2))).toEqual([0, 1, 3, 4, 6]);
  // A class that the part does not have.
  expect(drawn("other-class", 7).size).toBe(6);
});

test("any partner is any image of the part", () => {
  expect(sorted(drawn("any", 0))).toEqual([0, 1, 3, 4, 5, 6]);
});
