/** A table of predictions as rows of cells, in batches, wherever it comes from. */

import type { PredictionsAbout, PredictionsOrigin } from "../../core/predictions-about.ts";

/** Consecutive rows. */
export interface TableBatch {
  /** Number of the first row, from 1. */
  first: number;
  count: number;
  /** One an asked-for column. */
  columns: readonly ArrayLike<unknown>[];
}

export interface PredictionTable {
  path: string;
  columns: readonly string[];
  /** Where the file says so: the classes, of which its columns hold places. */
  classNames?: readonly string[];
  /** What our own files say about themselves, in their metadata under the key `cuelab`. */
  ours?: Readonly<Record<string, unknown>>;
  /** What that says, where it says what the predictions mean. */
  about?: PredictionsAbout;
  /** The run that made them, where the table or the folder it lies in tells. */
  origin?: PredictionsOrigin;
  /** Rows in all, where the file tells before it is read. */
  rows?: number;
  /** Where the file's form says what it is about. */
  suggested?: {
    split?: string;
    localGroup?: string;
    groups?: readonly string[];
    overlapping?: readonly string[];
  };
  /** What people would want to know about how it was read; complete once it has been. */
  remarks: readonly string[];
  batches(columns: readonly string[]): AsyncIterable<TableBatch>;
}

/** Rows handed over at once: enough to be quick, few enough to be small. */
export const batchRows = 8192;
