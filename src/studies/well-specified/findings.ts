/** What the paper found, and what one would expect of benchmarks that make their shortcuts, looked for in our pools. */

import type { Finding } from "../../core/section.ts";
import { averageFits, table1 } from "../../published/salaudeen-2025.ts";
import { counted, untold } from "../judge.ts";
import { publishedVerdict } from "./table.ts";
import { compareR, type JudgedSplit, learnedNothing, rWithInterval, spelledSplit, two } from "./words.ts";

export const claims = {
  signs: "R has the published signs for each environment of ColoredMNIST that is left out (Table 5)",
  controls: "Where nothing is changed between training and test, accuracies lie on the line",
  constructed:
    "Splits whose shortcut was made on purpose are well-specified more often than the natural ones of Table 1 (section 4.1)",
  strength: "The closer Biased MNIST's cues go with the class in training, the lower R",
  violations: "The fewer training images of DiagViB-6 break the pattern, the lower R",
  groups: "Groups of UrbanCars reveal what the average over its balanced test set hides",
};

/** `meaningless` says why the accuracies tell nothing, where they do not. */
export function wellSpecifiedFindings(splits: readonly JudgedSplit[], meaningless?: string): Finding[] {
  const found = [
    signsFinding(splits),
    controlsFinding(splits),
    constructedFinding(splits),
    strengthFinding(
      claims.strength,
      [splits.filter(({ part, role }) => part === "biased-mnist" && role === "shifted")],
      "p",
      "falls",
    ),
    strengthFinding(
      claims.violations,
      byDataset(splits.filter(({ part }) => part === "diagvib")),
      "violations",
      "rises",
    ),
    groupsFinding(splits),
  ];
  return meaningless === undefined ? found : found.map(({ claim }) => untold(claim, meaningless));
}

/** The paper numbers its environments; ours are called by how often colour agrees. */
const environments: Readonly<Record<string, number>> = { "0": 0.1, "1": 0.2, "2": 0.9 };

function signsFinding(splits: readonly JudgedSplit[]): Finding {
  const claim = claims.signs;
  const pairs = averageFits
    .filter(({ dataset }) => dataset === "ColoredMNIST")
    .flatMap((published) => {
      const own = splits.find(
        ({ part, at }) => part === "colored-mnist" && at?.left === environments[published.ood],
      );
      return own === undefined || own.all.r === null ? [] : [{ published, own }];
    });
  if (pairs.length === 0) return untold(claim, "no environment was left out");
  const evidence = pairs
    .map(
      ({ own, published }) =>
        `${own.ood}: ${rWithInterval(own.all)}, published ${two(published.r)}, among those that learned something ${rWithInterval(own.learned)}`,
    )
    .join("; ");
  // Zero must be outside the interval.
  const verdict = counted(
    pairs.map(({ own: { all }, published }) => {
      if (all.rLow! <= 0 && all.rHigh! >= 0) return "open";
      return published.r > 0 === all.rLow! > 0 ? "for" : "against";
    }),
  );
  return { claim, verdict, evidence };
}

/** Where a pool learned nothing, or R cannot be told from the threshold, a control says nothing. */
function controlsFinding(splits: readonly JudgedSplit[]): Finding {
  const claim = claims.controls;
  const controls = splits.filter(({ role }) => role === "control");
  const told = controls.filter((split) => !learnedNothing(split));
  const silent = controls.filter(learnedNothing);
  const silence =
    silent.length === 0 ? "" : `; nothing was learned of ${silent.map(spelledSplit).join(" and of ")}`;
  if (told.length === 0) return untold(claim, `no control learned anything${silence}`);
  const decided = told.filter(({ all }) => all.verdict !== "undecided");
  const evidence = `${told.map((split) => `${spelledSplit(split)}: ${rWithInterval(split.all)}, ${split.all.verdict}`).join("; ")}${silence}`;
  if (decided.length === 0) return untold(claim, evidence);
  const verdict = counted(decided.map(({ all }) => (all.verdict === "misspecified" ? "for" : "against")));
  return { claim, verdict, evidence };
}

/** Of Table 1, by the paper's own section 4.1; all others were collected without a shortcut in mind. */
const semisynthetic = ["ColoredMNIST", "Spawrious", "Waterbirds", "CivilComments"];

function constructedFinding(splits: readonly JudgedSplit[]): Finding {
  const claim = claims.constructed;
  const shifted = splits.filter((split) => split.role === "shifted" && !learnedNothing(split));
  if (shifted.length === 0) return untold(claim, "no pool learned anything of a split with a shortcut");
  const passed = shifted.filter(({ all }) => all.verdict === "well-specified");
  const flat = passed.filter(({ warnings }) => warnings.includes("no-transfer"));
  const natural = table1.filter(({ dataset }) => !semisynthetic.some((name) => dataset.startsWith(name)));
  const naturalPassed = natural.filter(({ r }) => publishedVerdict(r) === "well-specified");
  const undecided = shifted.filter(({ all }) => all.verdict === "undecided");
  const revealing = passed.length - flat.length;
  const [share, reference] = [revealing / shifted.length, naturalPassed.length / natural.length];
  const evidence =
    `${revealing} of our ${shifted.length} splits with a broken shortcut are well-specified (not counting ${flat.length} ` +
    `without any transfer, which is no merit; ${undecided.length} are undecided), and ${naturalPassed.length} of the ` +
    `${natural.length} natural ones of Table 1; said to be seen where it is more than half`;
  if (undecided.length === shifted.length) return untold(claim, evidence);
  return {
    claim,
    verdict: share > 0.5 ? "seen" : share > reference ? "cannot be told" : "contradicted",
    evidence,
  };
}

/** Neighbours in strength whose intervals do not meet decide; the others say nothing. */
function strengthFinding(
  claim: string,
  families: readonly (readonly JudgedSplit[])[],
  key: string,
  direction: "falls" | "rises",
): Finding {
  const steps: boolean[] = [];
  const told: string[] = [];
  for (const family of families) {
    const ordered = family
      .filter(({ at, all }) => at?.[key] !== undefined && all.r !== null)
      .sort((one, other) => one.at![key]! - other.at![key]!);
    if (ordered.length < 2) continue;
    for (const [i, split] of ordered.slice(1).entries()) {
      const change = compareR(split.all, ordered[i]!.all);
      if (change !== "equal") steps.push((change === "lower") === (direction === "falls"));
    }
    const values = ordered.map(({ at, all }) => `${at![key]}: ${rWithInterval(all)}`);
    told.push(`${ordered[0]!.dataset.replace(/[,:][^,:]*$/, "")}, ${key} ${values.join(", ")}`);
  }
  if (told.length === 0) return untold(claim, "there are fewer than two strengths");
  if (steps.length === 0) return untold(claim, `no two neighbours differ; ${told.join("; ")}`);
  const verdict = counted(steps.map((step) => (step ? "for" : "against")));
  return { claim, verdict, evidence: told.join("; ") };
}

/** Pairs of factors apart. */
function byDataset(splits: readonly JudgedSplit[]): JudgedSplit[][] {
  const families = new Map<string, JudgedSplit[]>();
  for (const split of splits) {
    const pair = split.dataset.replace(/: [^:]*$/, "");
    families.set(pair, [...(families.get(pair) ?? []), split]);
  }
  return [...families.values()];
}

/** The lesson of Waterbirds, whose average is on the line and whose minority group is not. */
function groupsFinding(splits: readonly JudgedSplit[]): Finding {
  const claim = claims.groups;
  const own = splits.filter(({ part, all }) => part === "urban-cars" && all.r !== null);
  const average = own.find(({ images }) => images === undefined);
  const groups = own.filter(({ images, role }) => images !== undefined && role === "shifted");
  if (average === undefined || groups.length === 0) return untold(claim, "a group or the average has no fit");
  const evidence = [average, ...groups]
    .map(({ ood, all }) => `${ood}: ${rWithInterval(all)}, ${all.verdict}`)
    .join("; ");
  const lower = groups.filter(({ all }) => compareR(all, average.all) === "lower");
  const turned =
    average.all.verdict !== "well-specified" && lower.some(({ all }) => all.verdict === "well-specified");
  if (turned) return { claim, verdict: "seen", evidence };
  const alike = [average, ...groups].every(({ all }) => all.verdict === "misspecified");
  return { claim, verdict: alike ? "contradicted" : "cannot be told", evidence };
}
