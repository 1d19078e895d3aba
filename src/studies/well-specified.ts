/**
 * Every dataset of the lab put to the test of Salaudeen et al. 2025: can it reveal shortcuts, or do accuracies abroad
 * follow those at home along a line? In the form of their Table 1, with its rows beside.
 */

import { measuredAs } from "./jobs/kinds.ts";
import { defineStudy } from "./study.ts";
import { wellSpecifiedFindings } from "./well-specified/findings.ts";
import { wellSpecifiedJobs } from "./well-specified/plan.ts";
import { presets } from "./well-specified/presets.ts";
import { wellSpecifiedPlan } from "./well-specified/registered.ts";
import { sectionsOf } from "./well-specified/sections.ts";
import { judgedSplits } from "./well-specified/words.ts";

export const wellSpecifiedStudy = defineStudy({
  name: "well-specified",
  title: "Which controlled benchmarks can reveal shortcuts at all?",
  paper: "Salaudeen et al. 2025",
  question:
    "Which of the field's controlled benchmarks are well-specified, so that the best model at home is not simply the best one abroad?",
  presets,
  needs: {},
  registered: (preset) => wellSpecifiedPlan(presets[preset].meaningless),
  jobs: (preset) => wellSpecifiedJobs(presets[preset]),
  report: (measured, { preset }) => {
    const pools = measuredAs(measured, "pools");
    return {
      sections: sectionsOf(pools),
      findings: wellSpecifiedFindings(judgedSplits(pools), presets[preset].meaningless),
    };
  },
});
