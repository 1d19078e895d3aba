/**
 * Shrestha, Kafle and Kanan 2022 on Biased MNIST: can mitigation methods deal with seven shortcuts at once, those that
 * they are told and those that they are not?
 */

import { findingsOf } from "./biased-mnist/findings.ts";
import { planOf } from "./biased-mnist/plan.ts";
import { presets } from "./biased-mnist/presets.ts";
import { exploitationSection, growingSection, methodsSection } from "./biased-mnist/sections.ts";
import { hyperparameterSection, searchSection, strengthSection } from "./biased-mnist/tuning-sections.ts";
import type { MeasuredCase, MeasuredPart, RunStudy, StudySection } from "./study.ts";
import { casesOf } from "./summaries.ts";

export const biasedMnistStudy: RunStudy = {
  madeOf: "runs",
  name: "biased-mnist",
  title: "Eight methods against seven shortcuts at once: Biased MNIST",
  paper: "Shrestha et al. 2022",
  question:
    "Do mitigation methods deal with several shortcuts at once, told or not, and does what they gain last?",
  presets,
  needs: {},
  plan: (preset) => planOf(presets[preset]),
  report: (measured, plan) => ({ sections: sectionsOf(measured), findings: findingsOf(measured, plan) }),
};

function sectionsOf(measured: readonly MeasuredPart[]): StudySection[] {
  const section = (name: string, make: (cases: readonly MeasuredCase[]) => StudySection) => {
    const cases = casesOf(measured, name);
    return cases.some(({ runs }) => runs.length > 0) ? [make(cases)] : [];
  };
  return [
    ...section("methods", methodsSection),
    ...section("methods", exploitationSection),
    ...section("growing", (cases) => growingSection(casesOf(measured, "methods"), cases)),
    ...section("strength", strengthSection),
    ...section("hyperparameters", hyperparameterSection),
    ...section("search", searchSection),
  ];
}
