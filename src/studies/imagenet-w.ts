/** Li et al. 2023: ready-made networks on ImageNet with a watermark, and on its variants. Tables 1, 6, 8 and 13 to 19. */

import { markedFindings } from "./imagenet-w/findings.ts";
import { markedJobs, takes } from "./imagenet-w/plan.ts";
import { presets } from "./imagenet-w/presets.ts";
import { markedPlan } from "./imagenet-w/registered.ts";
import { markedSections } from "./imagenet-w/sections.ts";
import { defineStudy } from "./study.ts";

export const imageNetWStudy = defineStudy({
  name: "imagenet-w",
  title: "Ready-made networks and the watermark",
  paper: "Li et al. 2023",
  question:
    "What does a watermark do to a network that nobody has told of it, and to which class does it push?",
  presets,
  needs: {},
  takes,
  registered: (preset) => markedPlan(presets[preset]),
  jobs: (preset, given) => markedJobs(presets[preset], given),
  report: (measured, { preset, registered }) => ({
    findings: markedFindings(measured, registered, presets[preset]),
    sections: markedSections(measured, presets[preset]),
  }),
});
