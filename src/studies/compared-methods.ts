/** The eight methods that Shrestha et al. 2022 compare, as they call them and as they are named here. */

import { methods } from "../methods/index.ts";

export interface ComparedMethod {
  label: string;
  name: string;
  /** Whether it is told explicit cues. */
  explicit: boolean;
}

export const comparedMethods: readonly ComparedMethod[] = [
  { label: "StdM", name: "erm", explicit: false },
  { label: "UpWt", name: "group-upweighting", explicit: true },
  { label: "GDRO", name: "group-dro", explicit: true },
  { label: "RUBi", name: "rubi", explicit: true },
  { label: "LNL", name: "lnl", explicit: true },
  { label: "IRMv1", name: "irm-v1", explicit: true },
  { label: "LfF", name: "lff", explicit: false },
  { label: "SD", name: "spectral-decoupling", explicit: false },
];

/** What the paper's short names stand for. */
export function methodsSpelled(): string {
  return comparedMethods.map(({ label, name }) => `${label}: ${methods.get(name).title}`).join("; ");
}

export const baseline = "StdM";

export function methodsNamed(labels: readonly string[]): ComparedMethod[] {
  return comparedMethods.filter(({ label }) => labels.includes(label));
}
