/** Across datasets: is any method among the best three of both? */

import type { Finding } from "../../core/section.ts";
import { listText } from "../../core/words.ts";
import { table1 } from "../../published/shrestha-2022.ts";
import { comparedMethods } from "../compared-methods.ts";
import { firstThree } from "../first-three.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { counted, untold } from "../judge.ts";
import { claims } from "./claims.ts";
import { otherDataset } from "./plan.ts";

export function everywhereFinding(
  celeba: readonly MeasuredCase[],
  biasedMnist: readonly MeasuredCase[],
  margin: number,
): Finding {
  const claim = claims.everywhere;
  if (biasedMnist.length === 0)
    return untold(
      claim,
      `of Biased MNIST nothing is at hand: it needs the part "${otherDataset}", which ` +
        `the presets day and paper have; ${publishedWords()}`,
    );
  const datasets = [celeba, biasedMnist];
  const ofMethod = (cases: readonly MeasuredCase[], label: string) =>
    cases.filter(({ method }) => method === label);
  const methods = comparedMethods
    .map(({ label }) => label)
    .filter((label) => datasets.every((cases) => ofMethod(cases, label).length > 0));
  if (methods.length < comparedMethods.length)
    return untold(
      claim,
      `both datasets have ${methods.length} of ${comparedMethods.length} methods; ${publishedWords()}`,
    );
  const [ours, theirs] = datasets.map((cases) =>
    firstThree(
      methods.map((label) => ofMethod(cases, label)),
      { margin },
    ),
  );
  const answers = methods.map((_, i) => {
    const both = [ours![i], theirs![i]];
    if (both.every((place) => place === "among")) return "against";
    return both.includes("not among") ? "for" : "open";
  });
  const words = methods.map((label, i) => `${label}: ${ours![i]} on CelebA, ${theirs![i]} on Biased MNIST`);
  return { claim, verdict: counted(answers), evidence: `${words.join("; ")}; ${publishedWords()}` };
}

/** The printed means alone, of all three datasets. */
function publishedWords(): string {
  const labels = Object.keys(table1);
  const best = (of: "celeba" | "biasedMnist" | "gqa") =>
    labels.toSorted((a, b) => table1[b]![of] - table1[a]![of]).slice(0, 3);
  const all = labels.filter((label) =>
    [best("celeba"), best("biasedMnist"), best("gqa")].every((three) => three.includes(label)),
  );
  const who = all.length === 0 ? "no method is" : `${listText(all)} ${all.length === 1 ? "is" : "are"}`;
  return `by the means that Table 1 prints ${who} among the first three of all three datasets`;
}
