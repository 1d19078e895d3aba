/** A table of predictions as columns, in batches of rows, wherever it comes from. */

import type { PredictionsAbout, PredictionsOrigin } from "../core/predictions-about.ts";
import type { ColumnRequest, ReadOptions, TableBatch } from "../tables/table.ts";

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
  batches(wanted: readonly ColumnRequest[], options?: ReadOptions): AsyncIterable<TableBatch>;
}
