/** What people see while a study is made: runs as a pool of runs shows them, other work as a line. */

import type { JobHooks } from "../studies/jobs/job.ts";
import type { OutputOptions, RunsAtATimeOptions } from "./options.ts";
import { PoolProgress } from "./pool-progress.ts";
import type { Session } from "./program.ts";

export function studyHooks(
  { quiet, workers }: OutputOptions & Pick<RunsAtATimeOptions, "workers">,
  { console }: Session,
): { hooks: JobHooks; end: () => void } {
  if (quiet) return { hooks: {}, end: () => {} };
  let runs: PoolProgress | undefined;
  let line: ReturnType<typeof console.progress> | undefined;
  let doing: string | undefined;
  return {
    hooks: {
      onRuns: (all, total) => {
        runs ??= new PoolProgress({ console, quiet, total, workers });
        runs.update(all);
      },
      onWork: (label, done, total, unit) => {
        runs?.clear();
        // How fast one thing went says nothing of the next.
        if (label !== doing) {
          line?.stop();
          line = undefined;
        }
        doing = label;
        line ??= console.progress(label, total, unit);
        line.relabel(label, total);
        line.update(done);
      },
    },
    end: () => {
      runs?.clear();
      line?.stop();
    },
  };
}
