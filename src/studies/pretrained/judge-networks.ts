/**
 * Findings about ready-made networks: over seeds where we have trained several, over images where there is one set of weights. The
 * second tells of this network alone, never of others like it.
 */

import type { Finding } from "../../core/section.ts";
import { holm, normalCdf, type Outcome } from "../../core/statistics/index.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { judged, untold, verdictOf } from "../judge.ts";
import { points } from "../summaries.ts";
import type { Estimate, NetworkRow } from "./networks.ts";

/** One number a network that a claim is about, such as a gap. */
export interface AskedNumber {
  name: string;
  expected: "above" | "below";
  /** Undefined where the network was not asked what it needs. */
  of: (answer: NetworkAnswer) => Estimate | undefined;
}

/** For plans. */
export const imagesRule =
  "Of networks that are brought every comparison is of one network's own images, by its standard error and the normal distribution, " +
  "Holm over all networks and comparisons of the finding; what is seen is true of these networks alone";

export function judgedOfNetworks(
  claim: string,
  networks: readonly NetworkRow[],
  asked: readonly AskedNumber[],
  { margin }: { margin: number },
): Finding {
  if (networks.length === 0) return untold(claim, "no network was asked");
  if (networks.some(({ brought }) => brought)) return byImages(claim, networks, asked, margin);
  const comparisons = networks.flatMap(({ label, answers, open }) =>
    asked.map(({ name, expected, of }) => ({
      name: `${label}, ${name}`,
      values: open === undefined ? answers.flatMap((answer) => of(answer)?.value ?? []) : [],
      open: open ?? "not asked",
      expected,
    })),
  );
  return judged(claim, comparisons, { margin, evidence: [] });
}

interface ComparedNetwork extends Estimate {
  name: string;
  expected: AskedNumber["expected"];
}

function byImages(
  claim: string,
  networks: readonly NetworkRow[],
  asked: readonly AskedNumber[],
  margin: number,
): Finding {
  const compared = networks.flatMap(({ label, answers }) =>
    asked.flatMap(({ name, expected, of }): ComparedNetwork[] => {
      const estimate = answers[0] && of(answers[0]);
      return estimate === undefined ? [] : [{ name: `${label}, ${name}`, expected, ...estimate }];
    }),
  );
  if (compared.length < networks.length * asked.length)
    return untold(claim, "not every network was asked what it needs");
  const outcomes = outcomesByImages(compared, margin / 100);
  const evidence = compared.map(({ name, value, error }, i) => {
    const [low, high] = [value - 1.96 * error, value + 1.96 * error];
    const words = outcomes[i] === "equivalent" ? "equivalent to none" : outcomes[i];
    return `${name}: ${points(value)} points (${points(low)} to ${points(high)} over its images), ${words}`;
  });
  return {
    claim,
    verdict: verdictOf(
      outcomes,
      outcomes.map((outcome) => outcome === "seen"),
    ),
    evidence: evidence.join("; "),
  };
}

/** As `effectOutcomes`, with the normal distribution in place of Student's t: there are thousands of images. */
export function outcomesByImages(
  compared: readonly Pick<ComparedNetwork, "value" | "error" | "expected">[],
  margin: number,
): Outcome[] {
  const tail = (distance: number, error: number) =>
    error === 0 ? (distance > 0 ? 0 : 1) : 1 - normalCdf(distance / error);
  const differs = holm(compared.map(({ value, error }) => Math.min(1, 2 * tail(Math.abs(value), error))));
  const equivalent = holm(compared.map(({ value, error }) => tail(margin - Math.abs(value), error)));
  return compared.map(({ value, expected }, i) => {
    if (equivalent[i]! < 0.05) return "equivalent";
    if (differs[i]! >= 0.05) return "cannot be told";
    return value > 0 === (expected === "above") ? "seen" : "contradicted";
  });
}
