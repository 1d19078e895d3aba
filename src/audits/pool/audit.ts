/** The audit of a pool: do the accuracies of many classifiers of one dataset lie on a line? */

import { z } from "zod";
import { poolPairs } from "../../pools/line-pairs.ts";
import type { MadePool } from "../../pools/make-pool.ts";
import { drawColumn } from "../../pools/pool-table.ts";
import { defineAudit } from "../audit.ts";
import type { LineAnswer } from "../line/audit.ts";
import { auditLineWithPoints } from "../line/audit-line.ts";
import { lineInShort } from "../line/in-short.ts";
import { poolData, showPool } from "./show.ts";

export interface PoolAnswer {
  pool: MadePool;
  line: LineAnswer;
}

export const poolAudit = defineAudit({
  name: "pool",
  title: "Can this dataset reveal shortcuts, judged by many random classifiers of it?",
  description: "each environment's accuracy on those of the environments that classifiers were trained on",
  paper: "Salaudeen et al. 2025",
  of: "pool",
  question: z.strictObject({
    by: z.array(z.string()).optional().describe("fit these subgroups as well, such as family or features"),
    converge: z.boolean().optional().describe("also how many classifiers are enough"),
    groupPairs: z.boolean().optional().describe("also each group abroad on each group at home"),
  }),
  ask: async ({ by, converge, groupPairs = false }, pool, { signal }): Promise<PoolAnswer> => {
    const { csv, plan, folds, measured, classes } = pool;
    // Each fold's environments as its rows say it: trained on is ID, all that was left out is OOD.
    const line = await auditLineWithPoints({
      tables: [csv],
      unit: "share",
      classes,
      by,
      converge,
      signal,
      cluster: [drawColumn],
      pairs: poolPairs(plan, folds, measured.sets, { groupPairs }),
      testEnvironment: folds.length === 1 ? undefined : "test_env",
    });
    return { pool, line };
  },
  inShort: ({ line }) => lineInShort(line.report),
  show: showPool,
  data: poolData,
});
