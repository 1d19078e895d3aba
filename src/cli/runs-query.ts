/** Which runs of a folder are meant: conditions on their specs, sweeps and labels, and slices to show. */

import type { Command } from "commander";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { leavesOf } from "../core/spec-differences.ts";
import type { StoredRun } from "../runs/run-list.ts";
import { collect, list, type OutputOptions } from "./options.ts";

export interface QueryOptions extends OutputOptions {
  where: string[];
  slices?: string[];
}

/** Where sweeps put their runs unless told. */
export const usualRuns = "runs";

export function addQuery(command: Command): Command {
  return command
    .addOption(collect("--where <path=value>", "only runs whose spec has this, such as method.name=erm"))
    .option("--slices <names>", "accuracies to show, by commas, such as test (default: all)", list);
}

export function examples(...commands: string[]): string {
  return `\nExamples:\n${commands.map((command) => `  $ cuelab runs ${command}`).join("\n")}`;
}

/** Those of a folder's runs that are as `--where` says; an error where there are none. */
export function chosenRuns<Run extends Pick<StoredRun, "spec">>(
  runs: readonly Run[],
  where: readonly string[],
  { folder, kind }: { folder: string; kind: "run" | "finished run" },
): Run[] {
  const conditions = where.map((text) => {
    const equals = text.indexOf("=");
    if (equals > 0) return { path: text.slice(0, equals), value: text.slice(equals + 1) };
    throw new CuelabError({ kind: "usage", what: `cannot read --where ${text}`, expected: "path=value" });
  });
  if (runs.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: `there is no ${kind}`,
      where: folder,
      todo:
        kind === "run"
          ? "give the folder of a sweep or of runs"
          : "give the folder of a sweep or of runs; 'cuelab runs list' also shows those that are not finished",
    });
  }
  const specs = runs.map(({ spec }) => leavesOf(spec));
  for (const { path } of conditions) checkPath(path, specs);
  const found = runs.filter((_, i) =>
    // What a spec does not have is undefined, and can be asked for by that word.
    conditions.every(({ path, value }) => (specs[i]!.get(path) ?? "undefined") === value),
  );
  if (found.length > 0) return found;
  const values = (path: string) => [...new Set(specs.map((spec) => spec.get(path) ?? "undefined"))];
  throw new CuelabError({
    kind: "input",
    what: `no ${kind} is like that`,
    where: folder,
    got: conditions.map(({ path }) => `${path}: ${values(path).slice(0, 12).join(", ")}`).join("; "),
    todo: "see them all without --where",
  });
}

/** A place that no spec has is a mistake, and not a question with no answer. */
function checkPath(path: string, specs: readonly ReadonlyMap<string, string>[]): void {
  const known = [...new Set(specs.flatMap((spec) => [...spec.keys()]))];
  if (known.includes(path)) return;
  throw new CuelabError({
    kind: "usage",
    what: `no run's spec has "${path}"`,
    where: "--where",
    expected: `one of: ${known.join(", ")}`,
    ...didYouMean(path, known),
  });
}
