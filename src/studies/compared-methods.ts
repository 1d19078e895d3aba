/** The eight methods that Shrestha et al. 2022 compare, as they call them and as they are named here. */

import { methods } from "../methods/index.ts";

export interface ComparedMethod {
  label: string;
  name: string;
  /** Whether it is told explicit cues. */
  explicit: boolean;
  /** Of a second form of one of the paper's methods: what it is called there, and what differs from the preset. */
  formOf?: string;
  settings?: Readonly<Record<string, unknown>>;
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

/**
 * The paper's text makes environments of groups, the class among what makes them; its published runner most likely made them of
 * the cue's values alone.
 */
export const irmByCues: ComparedMethod = {
  label: "IRMv1 by cues",
  name: "irm-v1",
  explicit: true,
  formOf: "IRMv1",
  settings: { environmentsBy: "cues" },
};

/** In the order of tables, second forms behind the first. */
export const allForms: readonly ComparedMethod[] = comparedMethods.flatMap((method) =>
  method.label === irmByCues.formOf ? [method, irmByCues] : [method],
);

/** Under which name the paper has a method's numbers. */
export function publishedLabel(label: string): string {
  return allForms.find((method) => method.label === label)?.formOf ?? label;
}

/** What the paper's short names stand for. */
export function methodsSpelled(): string {
  return labelsSpelled(comparedMethods.map(({ label, name }) => ({ label, method: name })));
}

/** One label a method, the first; what stands in brackets are its settings. */
export function labelsSpelled(rows: readonly { label: string; method: string }[]): string {
  const firsts = rows.filter(({ method }, i) => rows.findIndex((other) => other.method === method) === i);
  return firsts
    .map(({ label, method }) => `${label.replace(/ \(.*\)$/, "")}: ${methods.get(method).title}`)
    .join("; ");
}

export const baseline = "StdM";

export function methodsNamed(labels: readonly string[]): ComparedMethod[] {
  return allForms.filter(({ label }) => labels.includes(label));
}
