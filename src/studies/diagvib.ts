/**
 * DiagViB-6 as Eulig et al. 2021 ran it: which of two factors does a network learn where both tell the class, and does it take what
 * tells them apart? Tables 2 and A2 to A9, Figures 4, 5 and A5 to A8. Beyond the paper: two cues at once, accuracy on the line, textures
 * by one picture a kind, and methods against shortcuts.
 */

import { diagvibFindings } from "./diagvib/findings.ts";
import { linesOfPairs, linesSection } from "./diagvib/lines-section.ts";
import { methodsSection } from "./diagvib/methods-section.ts";
import { weightsOffer } from "./diagvib/networks.ts";
import { DiagvibNumbers } from "./diagvib/numbers.ts";
import { picturesPart, picturesSection } from "./diagvib/pictures-part.ts";
import { diagvibJobs, methodsPart, partsBeyond, rivalsPart, texturesPart } from "./diagvib/plan.ts";
import { presets } from "./diagvib/presets.ts";
import { diagvibPlan } from "./diagvib/registered.ts";
import { restedCases, restTable } from "./diagvib/rest.ts";
import { rivalNumbers } from "./diagvib/rivals.ts";
import { rivalsSection } from "./diagvib/rivals-section.ts";
import { networkSections } from "./diagvib/sections.ts";
import { textureComparisons, texturesSection } from "./diagvib/textures-section.ts";
import { tuningPart, tuningSection } from "./diagvib/tuning-part.ts";
import { measuredAs } from "./jobs/kinds.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";
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
    const { meaningless, networks, epochs, rivals: asked } = presets[preset];
    const cases = {
      networks: measuredAs(measured, "runs")
        .filter(({ job }) => !partsBeyond.includes(job.name))
        .flatMap((part) => part.cases),
      rivals: casesOf(measured, rivalsPart),
      pictures: casesOf(measured, texturesPart),
      methods: casesOf(measured, methodsPart),
    };
    const numbersOf = (keep: (cases: readonly MeasuredCase[]) => readonly MeasuredCase[]) => {
      const own = new DiagvibNumbers(keep(cases.networks));
      return {
        networks: own,
        rivals: rivalNumbers(keep(cases.rivals), own, asked.from),
        lines: linesOfPairs(measuredAs(measured, "pools"), own),
        pictures: new DiagvibNumbers(keep(cases.pictures)),
        methods: new DiagvibNumbers(keep(cases.methods)),
      };
    };
    const all = numbersOf((each) => each);
    const rested = numbersOf((each) => restedCases(each, epochs));
    return {
      findings: diagvibFindings(rested, registered, meaningless),
      sections: [
        ...networkSections(all.networks, networks(undefined)),
        ...rivalsSection(all.rivals, asked.from),
        ...linesSection(all.lines),
        ...texturesSection(textureComparisons(all.networks, all.pictures)),
        ...methodsSection(all.methods, cases.methods, registered.margin),
        ...picturesSection(casesOf(measured, picturesPart)),
        ...tuningSection(casesOf(measured, tuningPart)),
        {
          name: "rest",
          heading: "Had the runs come to rest?",
          tables: (["networks", "rivals", "pictures", "methods"] as const)
            .filter((part) => cases[part].some(({ runs }) => runs.length > 0))
            .map((part) => restTable(`rest-${part}`, cases[part], epochs)),
        },
      ],
    };
  },
});
