/** The eight methods that Shrestha et al. 2022 compare, as they call them and as they are named here. */

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

export const baseline = "StdM";

export function methodsNamed(labels: readonly string[]): ComparedMethod[] {
  return comparedMethods.filter(({ label }) => labels.includes(label));
}
