/** What comes out of a repair: what was tried, what was chosen, and what it changed on images that chose nothing. */

import type { EvaluationReport } from "../predictions/evaluation-report.ts";
import type { PartScore } from "./fit-head.ts";

export interface TriedHead {
  method: string;
  words: string;
  /** On the part for tuning; null where it failed. */
  tune: PartScore | null;
  /** On the part for choosing: of each method's best alone. */
  choose: PartScore | null;
  failure?: string;
}

export interface RepairedGroup {
  group: string;
  images: number;
  /** With 95% intervals over images; the change is paired. */
  before: { value: number; low: number; high: number };
  after: { value: number; low: number; high: number };
  change: { value: number; low: number; high: number };
}

export type RepairVerdict = "improved" | "nothing improved";

export interface LayerRepair {
  model: string;
  modelDigest: string;
  data: string;
  groups: readonly string[];
  parts: Readonly<Record<string, number>>;
  clusters: { images: number; units: number };
  tried: readonly TriedHead[];
  /** Of the network as it was, on the part for choosing. */
  before: PartScore;
  chosen: { method: string; words: string; kind: "linear" | "ensemble"; heads: number; toldGroups: boolean };
  /** What the method told people. */
  notes: readonly string[];
  accuracy: RepairedGroup;
  changes: readonly RepairedGroup[];
  /** The group that was worst before, on the part for choosing. */
  worst: string;
  verdict: RepairVerdict;
  /** What that rests on. */
  reason: string;
  moles: NonNullable<EvaluationReport["moles"]> | null;
  /** Largest difference of a logit between the file and what was fitted, as a share of the largest logit. */
  fileError: number;
  remarks: readonly string[];
}
