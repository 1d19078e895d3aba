/** Methods against shortcuts that are put to DiagViB-6, which the paper leaves to others: told the cue or not. */

export interface DiagvibMethod {
  /** As tables call it. */
  label: string;
  name: string;
  settings?: Readonly<Record<string, unknown>>;
  /** Whether it is given the cue's class of every training image. */
  told: boolean;
}

export const baseline: DiagvibMethod = { label: "ERM", name: "erm", told: false };

/** By their defaults. */
export const comparedMethods: readonly DiagvibMethod[] = [
  baseline,
  { label: "UpWt", name: "group-upweighting", told: true },
  { label: "GDRO", name: "group-dro", told: true },
  { label: "LNL", name: "lnl", told: true },
  { label: "LfF", name: "lff", told: false },
  { label: "SD", name: "spectral-decoupling", told: false },
];

export function methodNamed(label: string): DiagvibMethod {
  return comparedMethods.find((method) => method.label === label)!;
}

/** Where they are compared: in ZGO nothing tells the cue from the class, whatever the method. */
export const methodStudies = ["CGO-1", "FGO-10"] as const;
