/**
 * Shrestha, Kafle and Kanan 2022 on Biased MNIST: can mitigation methods deal with seven shortcuts at once, those that
 * they are told and those that they are not?
 */

import type { Section } from "../core/section.ts";
import { biasedMnistFindings } from "./biased-mnist/findings.ts";
import { biasedMnistJobs } from "./biased-mnist/plan.ts";
import { presets } from "./biased-mnist/presets.ts";
import { biasedMnistPlan } from "./biased-mnist/registered.ts";
import { exploitationSection, growingSection, methodsCost, methodsSection } from "./biased-mnist/sections.ts";
import { repeatsSection, toldSection } from "./biased-mnist/told-sections.ts";
import { hyperparameterSection, searchSection, strengthSection } from "./biased-mnist/tuning-sections.ts";
import type { Measured } from "./jobs/kinds.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";
import { defineStudy } from "./study.ts";
import { casesOf, partNamed } from "./summaries.ts";

export const biasedMnistStudy = defineStudy({
  name: "biased-mnist",
  title: "Eight methods against seven shortcuts at once: Biased MNIST",
  paper: "Shrestha et al. 2022",
  question:
    "Do mitigation methods deal with several shortcuts at once, told or not, and does what they gain last?",
  presets,
  needs: {},
  registered: (preset) => biasedMnistPlan(presets[preset]),
  jobs: (preset) => biasedMnistJobs(presets[preset]),
  report: (measured, { registered }) => ({
    sections: sectionsOf(measured),
    findings: biasedMnistFindings(measured, registered),
  }),
});

function sectionsOf(measured: readonly Measured[]): Section[] {
  const section = (name: string, make: (cases: readonly MeasuredCase[]) => Section) => {
    const cases = casesOf(measured, name);
    return cases.some(({ runs }) => runs.length > 0) ? [make(cases)] : [];
  };
  const told = partNamed(measured, "methods").filter(({ explicit }) => explicit.length === 1);
  return [
    ...section("methods", methodsSection),
    ...methodsCost(casesOf(measured, "methods")),
    ...section("methods", exploitationSection),
    ...section("growing", (cases) => growingSection(casesOf(measured, "methods"), cases)),
    ...(told.length > 0 ? [toldSection(told)] : []),
    ...section("repeats", repeatsSection),
    ...section("strength", strengthSection),
    ...section("hyperparameters", hyperparameterSection),
    ...section("search", searchSection),
  ];
}
