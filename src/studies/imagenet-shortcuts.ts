/** Li et al. 2023: last layers of one network by every method, and three natural shortcuts. Tables 4, 7, 10 and 17. */

import { shortcutFindings } from "./imagenet-shortcuts/findings.ts";
import { shortcutJobs, takes } from "./imagenet-shortcuts/plan.ts";
import { presets } from "./imagenet-shortcuts/presets.ts";
import { shortcutPlan } from "./imagenet-shortcuts/registered.ts";
import { shortcutSections } from "./imagenet-shortcuts/sections.ts";
import { defineStudy } from "./study.ts";

export const imageNetShortcutsStudy = defineStudy({
  name: "imagenet-shortcuts",
  title: "Last layers against a watermark, textures and backgrounds at once",
  paper: "Li et al. 2023",
  question: "Does a last layer that is cured of one natural shortcut lean more on another?",
  presets,
  needs: {},
  takes,
  registered: (preset) => shortcutPlan(presets[preset]),
  jobs: (preset, given) => shortcutJobs(presets[preset], given),
  report: (measured, { preset, registered }) => ({
    findings: shortcutFindings(measured, registered, presets[preset]),
    sections: shortcutSections(measured, presets[preset]),
  }),
});
