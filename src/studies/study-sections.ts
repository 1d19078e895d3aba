/** A study's report as sections: findings first, then its own, the plan, and how it was made. */

import { type Finding, type Section, type Table, verdictWords } from "../core/section.ts";
import type { ChosenStudy } from "./choose-study.ts";
import type { StudyOutcome } from "./drive-study.ts";
import type { PlanStatus } from "./registered.ts";
import { type RegisteredPlan, seedPurposes } from "./study.ts";

/** What every form of the report is made of. */
export interface StudyPage {
  title: string;
  lead: string;
  inShort: readonly string[];
  sections: readonly Section[];
}

export function studyPage(chosen: ChosenStudy, outcome: StudyOutcome, numbers: string): StudyPage {
  const { study, preset } = chosen;
  const { findings, sections } = outcome.report;
  const pages: Section[] = [
    { name: "findings", heading: "Findings", findings },
    ...sections,
    planSection(study.registered(preset)),
    madeSection(chosen, outcome, numbers),
  ];
  return {
    title: study.title,
    lead: `${study.question} After ${study.paper}.`,
    inShort: [verdictsInShort(findings)],
    sections: pages.map((section) => withDigest(section, outcome.plan.digest)),
  };
}

function verdictsInShort(findings: readonly Finding[]): string {
  const verdicts = [...new Set(findings.map(verdictWords))];
  const counts = verdicts.map((words) => {
    const own = findings.filter((finding) => verdictWords(finding) === words);
    return `${own.length} ${words}`;
  });
  return `Of ${findings.length} findings: ${counts.join(", ")}.`;
}

/** Every number, and what it came from. */
export function studyData(chosen: ChosenStudy, outcome: StudyOutcome): object {
  const { study, preset } = chosen;
  const { plan, finished, failed, coreSeconds, measured, report } = outcome;
  return {
    study: study.name,
    preset,
    ...study.presets[preset],
    command: commandOf(chosen),
    plan,
    ...Object.fromEntries(finished.map(({ of, done, total }) => [of, { done, total }])),
    compute: { failures: failed.length, coreHours: coreSeconds / 3600 },
    findings: report.findings,
    // Figures are drawn from what was measured; their files have them.
    sections: report.sections
      .map((section) => withDigest(section, plan.digest))
      .map(({ figures = [], ...section }) => ({
        ...section,
        tables: section.tables ?? [],
        figures: figures.map(({ name, caption }) => ({ name, caption })),
      })),
    measured,
  };
}

function commandOf({ words }: ChosenStudy): string {
  return `npx cuelab study run ${words}`;
}

/** In words. */
export function progressOf(finished: StudyOutcome["finished"]): string {
  return finished
    .map(({ of, done, total }) => `${done.toLocaleString("en")} of ${total.toLocaleString("en")} ${of}`)
    .join(", ");
}

export function coreHours(coreSeconds: number): string {
  const hours = coreSeconds / 3600;
  return hours < 1 ? hours.toPrecision(2) : hours.toFixed(1);
}

/** Which plan a table belongs to must be seen wherever the table goes. */
function withDigest(section: Section, digest: string): Section {
  const { tables } = section;
  if (tables === undefined) return section;
  const named = (table: Table): Table => ({
    ...table,
    caption: [table.caption, `plan ${digest}`].filter((part) => part !== "").join("; "),
  });
  return { ...section, tables: tables.map(named) };
}

/** What was fixed before the first run. */
export function planSection(plan: RegisteredPlan): Section {
  const seeds = seedPurposes.map((purpose) => `${purpose} ${plan.seeds[purpose].join(", ") || "none"}`);
  return {
    name: "plan",
    heading: "The registered plan",
    facts: [
      ...plan.estimands.map(({ name, words }): [string, string] => [`Estimand: ${name}`, words]),
      ["Baseline", plan.baseline],
      ["Margin", `${plan.margin} points of a hundred`],
      ["Selection", plan.selection.join("; ")],
      ["Budget", plan.budget],
      ["Seeds", seeds.join("; ")],
      ["Left out", plan.exclusions.join("; ") || "nothing"],
    ],
    tables: [
      {
        name: "plan",
        caption: "The rule of each finding and its family, fixed before the first run",
        columns: [{ title: "Claim" }, { title: "Rule" }, { title: "Family" }],
        rows: plan.findings.map(({ claim, rule, family }) => ({ cells: [claim, rule, family] })),
      },
    ],
  };
}

function madeSection(chosen: ChosenStudy, outcome: StudyOutcome, numbers: string): Section {
  const { study, preset } = chosen;
  const { finished, failed, coreSeconds, plan } = outcome;
  const { reduces, shows, cost } = study.presets[preset];
  return {
    name: "made",
    heading: "How it was made",
    facts: [
      ["Preset", preset],
      ["Smaller than the paper", reduces],
      ["It can show", shows],
      ["Cost", cost],
      ...(numbers === "" ? [] : [["Numbers", numbers] as const]),
      ["Plan", planWords(plan)],
      ["Finished", progressOf(finished)],
      ["Failures", failed.map(({ id, label, error }) => `${label} (${id}): ${error}`).join("; ") || "none"],
      ["Core hours", coreHours(coreSeconds)],
      ["Made again by", commandOf(chosen)],
    ],
  };
}

/** How the present plan stands to the one that was recorded. */
export function planWords({ digest, recorded, differences }: PlanStatus): string {
  if (recorded === null)
    return `${digest}; none was recorded before the first run, so everything here is exploratory`;
  const late =
    recorded.madeBefore === 0
      ? ""
      : `; it was recorded when ${recorded.madeBefore} runs or pools were there already`;
  if (differences.length === 0) return `${digest}, as it was recorded before the first run${late}`;
  return (
    `${digest}, but ${recorded.digest} was recorded before the first run${late}; what came later is exploratory: ` +
    differences.join("; ")
  );
}
