/**
 * Shrestha, Kafle and Kanan 2022 on CelebA: is hair blond, when few blond people in training are men? For whoever has
 * the images.
 */

import { celebaFindings } from "./celeba/findings.ts";
import { celebaJobs, presets } from "./celeba/plan.ts";
import { celebaPlan } from "./celeba/registered.ts";
import { groupsSection, searchSection, tuningSection } from "./celeba/sections.ts";
import { baseline } from "./compared-methods.ts";
import { equalSecondsSection } from "./equal-seconds.ts";
import { defineStudy } from "./study.ts";
import { casesOf, partNamed } from "./summaries.ts";

export const celebaStudy = defineStudy({
  name: "celeba",
  title: "Eight methods against one shortcut: hair and gender in CelebA",
  paper: "Shrestha et al. 2022",
  question: "Do methods that are told the one shortcut find those whom it fails, and at whose cost?",
  presets,
  needs: {
    folder: "a copy of CelebA: list_attr_celeba.txt, list_eval_partition.txt and img_align_celeba",
  },
  registered: (preset) => celebaPlan(presets[preset]),
  jobs: (preset, { folder }) => celebaJobs(presets[preset], folder!),
  report: (measured, { registered }) => {
    const methods = partNamed(measured, "methods");
    const tuning = partNamed(measured, "tuning");
    const search = partNamed(measured, "search");
    return {
      sections: [
        ...(methods.length > 0 ? [groupsSection(casesOf(measured, "methods"))] : []),
        ...equalSecondsSection(methods, { baseline, cues: [] }),
        ...(tuning.length > 0 ? [tuningSection(tuning)] : []),
        ...(search.length > 0 ? [searchSection(search)] : []),
      ],
      findings: celebaFindings(measured, registered),
    };
  },
});
