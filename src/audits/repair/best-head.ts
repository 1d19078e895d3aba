/** Of several candidates the one that is taken: settings by the images for tuning, methods by those for choosing. */

import { CuelabError } from "../../core/errors.ts";
import type { TriedHead } from "./answer.ts";
import type { HeadCandidate } from "./candidates.ts";
import { type FittedHead, isBetter, type PartScore } from "./fit-head.ts";
import type { RepairSplit } from "./parts.ts";

export interface BestHead {
  candidate: HeadCandidate;
  fitted: FittedHead;
  /** On the part for choosing. */
  score: PartScore;
  tried: readonly TriedHead[];
}

/** The best of each method on the part for tuning; of these the best on the part for choosing. */
export async function bestOf(
  candidates: readonly HeadCandidate[],
  {
    fit,
    score,
  }: {
    fit: (candidate: HeadCandidate, number: number) => Promise<FittedHead>;
    score: (part: RepairSplit, predicted: (image: number) => number) => PartScore;
  },
): Promise<BestHead> {
  const tried: TriedHead[] = [];
  const tuned = new Map<
    string,
    { candidate: HeadCandidate; fitted: FittedHead; tune: PartScore; at: number }
  >();
  for (const [number, candidate] of candidates.entries()) {
    const { method, words } = candidate;
    try {
      const fitted = await fit(candidate, number);
      const tune = score("val", (image) => fitted.predicted.get(image)!);
      const known = tuned.get(method);
      if (known === undefined || isBetter(tune, known.tune))
        tuned.set(method, { candidate, fitted, tune, at: tried.length });
      tried.push({ method, words, tune, choose: null });
    } catch (cause) {
      // A rate at which it diverges is one that was tried; what people got wrong is theirs to hear.
      if (!(cause instanceof CuelabError) || cause.kind !== "failure") throw cause;
      tried.push({ method, words, tune: null, choose: null, failure: cause.parts.what });
    }
  }
  let best: Omit<BestHead, "tried"> | undefined;
  for (const { candidate, fitted, at } of tuned.values()) {
    const choose = score("choose", (image) => fitted.predicted.get(image)!);
    tried[at] = { ...tried[at]!, choose };
    if (best === undefined || isBetter(choose, best.score)) best = { candidate, fitted, score: choose };
  }
  if (best !== undefined) return { ...best, tried };
  throw new CuelabError({
    kind: "failure",
    what: "no last layer could be fitted",
    expected: "one candidate at least that ends with finite numbers",
    got: tried.map(({ method, words, failure }) => `${method}, ${words}: ${failure}`).join("; "),
  });
}
