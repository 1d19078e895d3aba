/** What `cuelab line` finds, as it is printed, drawn and written as JSON. */

import type { Transform } from "../../core/accuracy-scale.ts";
import type { MeasuredEnvironment } from "../../predictions/accuracies/column-table.ts";
import type { Convergence } from "./convergence.ts";
import type { LineFit } from "./fit.ts";
import type { Unit } from "./units.ts";
import type { LineWarning } from "./warnings.ts";

export interface SplitReport extends LineFit {
  /** Tells splits apart: what is regressed on what, and in which part or subgroup. */
  name: string;
  /** One column, or several of which the mean is taken. */
  id: readonly string[];
  ood: string;
  /** Of a part of the table that the layout tells apart, and of a subgroup; empty for all rows. */
  group: Readonly<Record<string, string>>;
  /** Rows without one of the two accuracies, or without a weight. */
  dropped: number;
  /** Least and largest accuracy, unclipped; null without points. */
  idRange: readonly [number, number] | null;
  oodRange: readonly [number, number] | null;
  warnings: readonly LineWarning[];
  convergence?: Convergence;
}

export interface LineReport {
  files: readonly string[];
  rows: number;
  unit: Unit;
  transform: Transform;
  clip: readonly [number, number];
  threshold: number;
  confidence: number;
  /** `clusters`: whole clusters drawn anew. */
  interval: "fisher" | "bootstrap" | "clusters";
  /** Columns that name them; none, none. */
  cluster: readonly string[];
  weights: string | null;
  /** Empty cells, by column. */
  missing: Readonly<Record<string, number>>;
  /** With groups: the ID and OOD environments, with their images and those of each group. */
  environments?: readonly MeasuredEnvironment[];
  splits: readonly SplitReport[];
  remarks: readonly string[];
}
