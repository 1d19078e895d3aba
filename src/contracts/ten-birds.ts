/** Ten birds, two places and a baseline: small enough that every metric can be worked out by hand. */

import { countRows } from "../metrics/count-rows.ts";
import { type Evaluation, evaluationOf, marginsFor, type Question } from "../metrics/evaluation.ts";

/** class, prediction, place, the baseline's prediction, confidence; L land(bird), W water(bird). */
export const birds = [
  ["L", "L", "L", "L", 0.9],
  ["L", "L", "L", "L", 0.9],
  ["L", "L", "L", "W", 0.9],
  ["L", "W", "L", "L", 0.9],
  ["L", "L", "W", "W", 0.6],
  ["L", "W", "W", "W", 0.6],
  ["W", "W", "W", "W", 0.6],
  ["W", "W", "W", "W", 0.6],
  ["W", "L", "W", "W", 0.6],
  ["W", "L", "L", "L", 0.6],
] as const;

export type Bird = (typeof birds)[number];

/** Training images by class and place. */
const trained = { LL: 90, LW: 10, WL: 20, WW: 80 };

const question: Question = {
  grouping: { by: ["class", "place"] },
  cues: [{ name: "place", majority: { by: "values", values: ["land", "water"] } }],
  alphas: [-1, 0, 1, 2],
  localGroup: "place",
  betas: [0, 0.2],
  reference: {
    attributes: ["place"],
    rows: [
      { values: ["land"], error: 0.5 },
      { values: ["water"], error: 0.8 },
    ],
  },
};

export function evaluateBirds(rows: readonly Bird[] = birds): Evaluation {
  const code = (name: "L" | "W") => (name === "L" ? 0 : 1);
  const column = (i: 0 | 1 | 2 | 3) => Uint16Array.from(rows, (row) => code(row[i]));
  const training = Object.entries(trained).flatMap(([[label, place], count]) =>
    Array.from({ length: count }, () => [code(label as "L"), code(place as "L")] as const),
  );
  const places = (values: Uint16Array) => ({ place: { values, valueNames: ["land", "water"] } });
  const counts = countRows(
    {
      classNames: ["landbird", "waterbird"],
      labels: column(0),
      predicted: column(1),
      attributes: places(column(2)),
      baseline: column(3),
      confidence: rows.map((row) => row[4]),
      training: {
        labels: training.map(([label]) => label),
        attributes: places(Uint16Array.from(training, ([, place]) => place)),
      },
    },
    marginsFor({ ...question, cues: ["place"] }),
  );
  return evaluationOf(counts, question);
}
