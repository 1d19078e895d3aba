/**
 * DiagViB-6 as Eulig et al. 2021 ran it: which of two factors does a network learn where both tell the class, and does it take what
 * tells them apart? Tables 2 and A2 to A9, Figures 4, 5 and A5 to A8; and methods against shortcuts beside.
 */

import { diagvibFindings } from "./diagvib/findings.ts";
import { methodsSection } from "./diagvib/methods-section.ts";
import { weightsOffer } from "./diagvib/networks.ts";
import { DiagvibNumbers } from "./diagvib/numbers.ts";
import { diagvibJobs, methodsPart } from "./diagvib/plan.ts";
import { presets } from "./diagvib/presets.ts";
import { diagvibPlan } from "./diagvib/registered.ts";
import { networkSections } from "./diagvib/sections.ts";
import { measuredAs } from "./jobs/kinds.ts";
import { defineStudy } from "./study.ts";
import { casesOf } from "./summaries.ts";

export const diagvibStudy = defineStudy({
  name: "diagvib",
  title: "Shortcut and generalisation opportunities between six factors (DiagViB-6)",
  paper: "Eulig et al. 2021",
  question:
    "Where two factors tell the class equally well, which one does a network learn, and does it learn the right one once training shows which that is?",
  presets,
  needs: {},
  offers: { weights: weightsOffer },
  registered: (preset) => diagvibPlan(presets[preset]),
  jobs: (preset, { weights }) => diagvibJobs(presets[preset], weights),
  report: (measured, { preset, registered }) => {
    const { meaningless, networks } = presets[preset];
    const paired = measuredAs(measured, "runs").filter(({ job }) => job.name !== methodsPart);
    const numbers = new DiagvibNumbers(paired.flatMap(({ cases }) => cases));
    const methodCases = casesOf(measured, methodsPart);
    const methods = new DiagvibNumbers(methodCases);
    return {
      findings: diagvibFindings({ networks: numbers, methods }, registered, meaningless),
      sections: [
        ...networkSections(numbers, networks(undefined)),
        ...methodsSection(methods, methodCases, registered.margin),
      ],
    };
  },
});
