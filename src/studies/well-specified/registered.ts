/** What the study of well-specified benchmarks fixes before its first pool. */

import type { RegisteredPlan } from "../study.ts";
import { claims } from "./findings.ts";
import { threshold } from "./words.ts";

const none = "No difference over seeds is judged, so nothing is found equivalent to none";
const family = "this finding alone; intervals are not adjusted";

export function wellSpecifiedPlan(meaningless: string | undefined): RegisteredPlan {
  const finding = (claim: string, rule: string) => ({
    claim,
    rule: `${rule}. ${none}${meaningless === undefined ? "" : `. In this preset nothing is found: ${meaningless}`}`,
    family,
  });
  return {
    estimands: [
      {
        name: "R",
        words:
          "correlation of OOD and ID accuracies on the probit scale over checkpoints of classifiers; its interval draws whole draws of classifiers anew, at least five of them",
      },
      {
        name: "R of those that learned something",
        words: "the same above halfway from guessing to the best ID accuracy",
      },
    ],
    baseline: `R = ${threshold}, the paper's threshold; zero for signs`,
    margin: 3,
    selection: [
      "no checkpoint is chosen: every one is a point",
      "features, steps and sizes were chosen by ID accuracies alone before this plan was written down, with seeds that were not recorded; they are the same for all datasets",
    ],
    budget: "all datasets have the same classifiers, steps and checkpoints",
    seeds: { calibration: [], tuning: [], reporting: [0] },
    exclusions: [
      "splits whose pool got less than a fifth of the way from guessing to being always right are in no finding about verdicts",
      "splits that pass without any transfer do not count as passing",
    ],
    findings: [
      finding(
        claims.signs,
        "Seen: each interval of R lies on the published side of zero. Contradicted: one lies on the other side. Else it cannot be told",
      ),
      finding(
        claims.controls,
        "Undecided controls, and those of which nothing was learned, say nothing. Seen: all others are misspecified. Contradicted: one is well-specified. Cannot be told: there are no others",
      ),
      finding(
        claims.constructed,
        "Seen: more than half of the splits with a broken shortcut are well-specified. Contradicted: the share is no higher than that of the natural rows of Table 1. Else, or where all are undecided, it cannot be told",
      ),
      finding(
        claims.strength,
        "Neighbours whose intervals do not meet decide. Seen: R falls in all of them. Contradicted: it rises in one. Cannot be told: there are none",
      ),
      finding(
        claims.violations,
        "Neighbours whose intervals do not meet decide, within each pair of factors. Seen: R rises with the violations in all of them. Contradicted: it falls in one. Cannot be told: there are none",
      ),
      finding(
        claims.groups,
        "Seen: the average is not well-specified, and a group is whose interval lies below that of the average. Contradicted: the average and all groups are misspecified. Else it cannot be told",
      ),
    ],
  };
}
