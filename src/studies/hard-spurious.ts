/** "Corner Cases": what to train on, and how, so that small objects on other backgrounds are recognised. Tables 6, 7 and 10, Figure 7. */

import { trainedFindings } from "./hard-spurious/findings.ts";
import { takes, trainedJobs } from "./hard-spurious/plan.ts";
import { presets } from "./hard-spurious/presets.ts";
import { trainedPlan } from "./hard-spurious/registered.ts";
import { trainedSections } from "./hard-spurious/sections.ts";
import { defineStudy } from "./study.ts";

export const hardSpuriousStudy = defineStudy({
  name: "hard-spurious",
  title: "Training on objects at unusual places, sizes and backgrounds",
  paper: "Corner Cases (anonymous)",
  question: "Do rare hard images, other methods or a new last layer help where backgrounds mislead?",
  presets,
  needs: {},
  takes,
  registered: (preset) => trainedPlan(presets[preset]),
  jobs: (preset, given) => trainedJobs(presets[preset], given),
  report: (measured, { preset, registered }) => ({
    findings: trainedFindings(measured, registered, presets[preset]),
    sections: trainedSections(measured, presets[preset]),
  }),
});
