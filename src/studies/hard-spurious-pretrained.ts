/** "Corner Cases": ready-made networks on objects that are small, in a corner or on another class's background. Tables 1 to 5, 8 and 9. */

import { placedFindings } from "./hard-spurious-pretrained/findings.ts";
import { placedJobs, takes } from "./hard-spurious-pretrained/plan.ts";
import { presets } from "./hard-spurious-pretrained/presets.ts";
import { placedPlan } from "./hard-spurious-pretrained/registered.ts";
import { placedSections } from "./hard-spurious-pretrained/sections.ts";
import { defineStudy } from "./study.ts";

export const hardSpuriousPretrainedStudy = defineStudy({
  name: "hard-spurious-pretrained",
  title: "Ready-made networks on objects at unusual places, sizes and backgrounds",
  paper: "Corner Cases (anonymous)",
  question:
    "Does a network still recognise an object that is small, in a corner, or on another class's background?",
  presets,
  needs: {},
  takes,
  registered: (preset) => placedPlan(presets[preset]),
  jobs: (preset, given) => placedJobs(presets[preset], given),
  report: (measured, { preset, registered }) => ({
    findings: placedFindings(measured, registered, presets[preset]),
    sections: placedSections(measured, presets[preset].own !== undefined),
  }),
});
