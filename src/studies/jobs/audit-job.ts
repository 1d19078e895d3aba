/** An audit as a job: one question, asked of what an earlier job has made or of things by name. */

import type { JobHead } from "./job.ts";

export interface AuditJob extends JobHead {
  kind: "audit";
  /** By its name in `cuelab audit`. */
  audit: string;
  question: Readonly<Record<string, unknown>>;
  /**
   * Of an earlier job: every case of runs (its seeds together), every pool, every set of features, each with an answer of
   * its own. Or of things as `cuelab audit` takes them, together.
   */
  of: { job: string } | { things: readonly string[]; set?: readonly string[]; dataSeed?: number };
}

export interface MeasuredAudit {
  kind: "audit";
  job: AuditJob;
  answers: readonly StudyAnswer[];
}

export interface StudyAnswer {
  id: string;
  /** What it is about. */
  label: string;
  /** Plain data, as `cuelab audit --json` prints it. */
  answer: object;
}
