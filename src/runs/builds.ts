/** Which builds of the program made a run, and what is to be said where runs of several are put together. */

import type { RunManifest } from "./run-folder.ts";
import { readRunManifest } from "./run-manifest.ts";

/** Earlier versions did not write theirs down. */
const unrecorded = "not recorded";

/** Of a finished run's manifest. */
export function buildsIn({ builds }: Partial<Pick<RunManifest, "builds">>): readonly string[] {
  return builds === undefined || builds.length === 0 ? [unrecorded] : builds;
}

/** Of the run in a folder; undefined where it holds none that is finished. */
export function buildsOf(folder: string): readonly string[] | undefined {
  try {
    return buildsIn(readRunManifest(folder));
  } catch {
    // A table, or a run that others find damaged: nothing is known of who made it.
    return undefined;
  }
}

/**
 * That runs of which one number is made are not of one build; undefined where they are. `who` names them, such as
 * `the runs of "ERM"`.
 */
export function mixedBuilds(runs: readonly (readonly string[])[], who: string): string | undefined {
  const kinds = new Map<string, number>();
  for (const builds of runs) {
    const kind = builds.join(" then ");
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const several = [...kinds.keys()].some((kind) => kind.includes(" then "));
  if (kinds.size < 2 && !several) return undefined;
  const counted = [...kinds].map(([kind, count]) => `${count} by ${kind}`);
  return `${who} were made by different builds of the program (${counted.join(", ")}): if code that decides numbers has changed between them, their mean is of two things; --force makes a run anew`;
}
