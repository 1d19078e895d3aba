/**
 * The mole board: does curing one shortcut feed another, for any method on any world with two? Asked in the manner of Li et al.
 * 2023 (Whac-A-Mole), and beyond its datasets.
 */

import { equalSecondsSection } from "./equal-seconds.ts";
import { measuredAs } from "./jobs/kinds.ts";
import { boardsOf } from "./moles/board.ts";
import { cueEffectsSection } from "./moles/cue-effects.ts";
import { molesFindings } from "./moles/findings.ts";
import { molesJobs } from "./moles/plan.ts";
import { presets } from "./moles/presets.ts";
import { molesPlan } from "./moles/registered.ts";
import { baselineLabel } from "./moles/rows.ts";
import { overallSection, worldSection } from "./moles/sections.ts";
import { defineStudy } from "./study.ts";

export const molesStudy = defineStudy({
  name: "moles",
  title: "Curing A did what to B? Methods against two shortcuts at once",
  paper: "Li et al. 2023",
  question: "Does a method that cures one shortcut feed another, told one of them, both, or none?",
  presets,
  needs: {},
  registered: (preset) => molesPlan(presets[preset]),
  jobs: (preset) => molesJobs(presets[preset]),
  report: (measured, { preset, registered }) => {
    const asked = presets[preset].worlds;
    const worlds = measuredAs(measured, "runs").filter(({ cases }) =>
      cases.some(({ runs }) => runs.length > 0),
    );
    const { margin } = registered;
    const oracle = boardsOf(worlds, asked, "oracle", margin);
    const honest = boardsOf(worlds, asked, "honest", margin);
    return {
      findings: molesFindings(oracle, honest),
      sections:
        worlds.length === 0
          ? []
          : [
              overallSection(oracle),
              ...worlds.flatMap((world, i) => [
                worldSection(world, [oracle[i]!, honest[i]!]),
                ...cueEffectsSection(`${world.job.name}-cue-effects`, world.cases, {
                  of: world.job.title,
                  baseline: baselineLabel,
                  cues: world.job.cues,
                }),
                ...equalSecondsSection(world.cases, {
                  name: `${world.job.name}-equal-seconds`,
                  of: world.job.title,
                  baseline: baselineLabel,
                  cues: world.job.cues,
                }),
              ]),
            ],
    };
  },
});
