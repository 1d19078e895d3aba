/**
 * Li et al. 2023 (Whac-A-Mole) on UrbanCars: do methods that cure one of two shortcuts lean on the other? Tables 3, 5, 9, 11 and 12,
 * and Fig. 6.
 */

import { cueEffectsSection } from "./moles/cue-effects.ts";
import { defineStudy } from "./study.ts";
import { casesOf } from "./summaries.ts";
import { urbanCarsFindings } from "./urban-cars/findings.ts";
import { urbanCarsJobs } from "./urban-cars/plan.ts";
import { presets } from "./urban-cars/presets.ts";
import { publishedCells } from "./urban-cars/published.ts";
import { urbanCarsPlan } from "./urban-cars/registered.ts";
import { baseline, cues } from "./urban-cars/rows.ts";
import { budgetSection, dynamicsSection, methodsSection, methodsSpelled } from "./urban-cars/sections.ts";

export const urbanCarsStudy = defineStudy({
  name: "urban-cars",
  title: "The Whac-A-Mole dilemma on UrbanCars",
  paper: "Li et al. 2023",
  question: "Of two shortcuts, does curing one feed the other?",
  presets,
  needs: {},
  registered: (preset) => urbanCarsPlan(presets[preset]),
  jobs: (preset) => urbanCarsJobs(presets[preset]),
  report: (measured, { registered }) => {
    const { margin } = registered;
    const has = (cases: ReturnType<typeof casesOf>) => cases.some(({ runs }) => runs.length > 0);
    const [untold, told] = [casesOf(measured, "untold"), casesOf(measured, "told")];
    const standard = [...untold, ...told].find(({ method, runs }) => method === baseline && runs.length > 0);
    const all = [...untold, ...told.filter(({ method }) => method !== baseline)];
    return {
      findings: urbanCarsFindings(measured, registered),
      sections: [
        ...(has(untold)
          ? [methodsSection("untold", "Methods that are told no cue (Tables 3, 9, 11, 12)", untold, margin)]
          : []),
        ...(has(told) ? [methodsSection("told", "Methods that are told cues (Table 5)", told, margin)] : []),
        ...budgetSection(all),
        ...cueEffectsSection("cue-effects", all, { baseline, cues, published: publishedCells }),
        ...(standard ? dynamicsSection(standard) : []),
        ...(has(untold) || has(told)
          ? [{ name: "names", heading: "Names", text: `${methodsSpelled([...untold, ...told])}.` }]
          : []),
      ],
    };
  },
});
