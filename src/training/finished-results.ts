/** What a run that is finished already has come to, so that it is not done again. */

import { join } from "node:path";
import { damaged, RunFolder, runFiles } from "../runs/run-folder.ts";
import type { RunResults } from "./results.ts";
import type { RunSpec } from "./run-spec.ts";

/** Results of the same run, if it is there, complete and unharmed. */
export async function finishedResults(spec: RunSpec, out: string): Promise<RunResults | undefined> {
  const text = await RunFolder.readFinished(out, spec, runFiles.results);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as RunResults;
  } catch (cause) {
    throw damaged(join(out, runFiles.results), (cause as Error).message);
  }
}
