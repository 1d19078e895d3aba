/** What every study must keep before anything is run: words for people, a complete plan, and a report of nothing. */

import { checkJobs } from "../studies/check-jobs.ts";
import { kindOf } from "../studies/jobs/index.ts";
import { planDigest, plannedOf } from "../studies/registered.ts";
import { type PresetName, presetNames, type RegisteredPlan, type Study } from "../studies/study.ts";
import { type Check, must } from "./check.ts";

export function studyChecks(study: Study): Check[] {
  const each = (check: (preset: PresetName, plan: RegisteredPlan) => void) => () => {
    for (const preset of presetNames) check(preset, study.registered(preset));
  };
  return [
    {
      name: "title, paper and question are told, and each preset says what it reduces, shows and costs",
      run: () => {
        for (const word of ["title", "paper", "question"] as const)
          must(study[word] !== "", `the study has no ${word}`);
        for (const preset of presetNames)
          for (const word of ["reduces", "shows", "cost"] as const)
            must(
              (study.presets[preset]?.[word] ?? "") !== "",
              `the preset ${preset} does not say what it ${word}`,
            );
      },
    },
    {
      name: "each preset has parts with names of their own, which can be counted, and fit together",
      run: each((preset, plan) => {
        // What has to be given is no more than a word here: nothing is opened.
        const { jobs } = plannedOf(study, preset);
        must(jobs.length > 0, `${preset} has no parts`);
        for (const job of jobs)
          must(job.name !== "" && job.title !== "", `a part of ${preset} has no name or title`);
        checkJobs(jobs, plan);
        for (const job of jobs) kindOf(job).count(job);
      }),
    },
    {
      name: "each preset's plan is complete: estimands, baseline, margin, selection, budget, seeds, rules and families",
      run: each((preset, plan) => {
        const { estimands, baseline, margin, selection, budget, findings } = plan;
        const texts = [
          baseline,
          budget,
          ...selection,
          ...estimands.flatMap(({ name, words }) => [name, words]),
          ...findings.flatMap(({ claim, rule, family }) => [claim, rule, family]),
        ];
        must(estimands.length > 0, `the plan of ${preset} names no estimand`);
        must(selection.length > 0, `the plan of ${preset} names no rule of selection`);
        must(findings.length > 0, `the plan of ${preset} has no findings`);
        must(!texts.includes(""), `the plan of ${preset} has an empty text`);
        must(margin > 0 && margin < 100, `the margin of ${preset} is no number of points`, {
          expected: "a number above 0 and below 100, such as 3",
          got: String(margin),
        });
        must(
          new Set(findings.map(({ claim }) => claim)).size === findings.length,
          `two findings of ${preset} make the same claim`,
        );
      }),
    },
    {
      name: "the plan is the same whenever it is asked for, as plain data",
      run: each((preset) => {
        const [one, other] = [plannedOf(study, preset), plannedOf(study, preset)];
        must(planDigest(one) === planDigest(other), `the plan of ${preset} changes by itself`);
        const stored = JSON.parse(JSON.stringify(one)) as typeof one;
        must(planDigest(one) === planDigest(stored), `the plan of ${preset} holds what JSON cannot keep`);
      }),
    },
    {
      name: "of nothing measured the report has every registered claim, and none can be told",
      run: each((preset, registered) => {
        const { findings } = study.report([], { preset, registered });
        const claims = registered.findings.map(({ claim }) => claim);
        for (const { claim, verdict } of findings) {
          must(claims.includes(claim), "a finding that the plan does not have", { got: claim });
          must(verdict === "cannot be told", `a finding of nothing is ${verdict}`, { got: claim });
        }
        for (const claim of claims)
          must(
            findings.some((finding) => finding.claim === claim),
            "a finding of the plan is missing from the report",
            { expected: claim },
          );
      }),
    },
  ];
}
