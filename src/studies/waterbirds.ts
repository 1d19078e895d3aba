/** Li et al. 2023 (Whac-A-Mole) on Waterbirds: what usual augmentations do to one shortcut. Table 20, for whoever has the images. */

import { budgetTable } from "./budget-table.ts";
import { equalSecondsSection } from "./equal-seconds.ts";
import { defineStudy } from "./study.ts";
import { casesOf } from "./summaries.ts";
import { waterbirdsFindings } from "./waterbirds/findings.ts";
import { baseline, cue, presets, waterbirdsJobs } from "./waterbirds/plan.ts";
import { waterbirdsPlan } from "./waterbirds/registered.ts";
import { augmentationsSection } from "./waterbirds/sections.ts";

export const waterbirdsStudy = defineStudy({
  name: "waterbirds",
  title: "Mixup, Cutout and CutMix against the background of Waterbirds",
  paper: "Li et al. 2023",
  question: "Do augmentations that know of no shortcut make a network lean on the background less, or more?",
  presets,
  needs: { folder: "a copy of Waterbirds: metadata.csv and the images that it names" },
  registered: (preset) => waterbirdsPlan(presets[preset]),
  jobs: (preset, { folder }) => waterbirdsJobs(presets[preset], folder!),
  report: (measured, { registered }) => {
    const cases = casesOf(measured, "augmentations");
    return {
      findings: waterbirdsFindings(cases, registered),
      sections: cases.some(({ runs }) => runs.length > 0)
        ? [
            augmentationsSection(cases, registered.margin),
            {
              name: "budget",
              heading: "What each method had and cost",
              tables: [budgetTable("budget", cases)],
            },
            ...equalSecondsSection(cases, { baseline, cues: [cue] }),
          ]
        : [],
    };
  },
});
