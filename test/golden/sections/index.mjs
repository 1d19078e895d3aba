/**
 * Everything that is recorded. A section gives `portable` values, the same on every machine, and `bits`, which are
 * compared only on processors like the one they were recorded on.
 */

import { augmentations, samplers } from "./batches.mjs";
import { data } from "./data.mjs";
import { pool, runs } from "./runs.mjs";
import { studies } from "./studies.mjs";
import { surface } from "./surface.mjs";
import { tables } from "./tables.mjs";
import { threads, training } from "./training.mjs";

export const sections = {
  surface,
  augmentations,
  samplers,
  data,
  tables,
  training,
  threads,
  runs,
  pool,
  studies,
};
