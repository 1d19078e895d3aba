/** Which of the epochs that a run has kept a rule prefers: asked afterwards, of what is there, with no further training. */

import { CuelabError } from "../core/errors.ts";
import { mustBe } from "../core/look-up.ts";
import { readPlain } from "../disk/plain-file.ts";
import { needPlugins } from "../plugins/at-hand.ts";
import { finishedFile } from "../runs/finished-file.ts";
import { readPredictions } from "../runs/predictions.ts";
import { runFiles } from "../runs/run-folder.ts";
import { DataBook } from "./data-book.ts";
import type { KeptResults, RunResults } from "./results.ts";
import type { RunSpec } from "./run-spec.ts";
import { checkSelection, describeSelection, type Selection, scoreOf } from "./selection.ts";

export interface KeptChoice {
  chosen: KeptResults;
  /** Every kept epoch with its score, higher is better; the chosen one among them. */
  candidates: { epoch: number; files: KeptResults["files"]; score: number }[];
  selection: KeptResults["selection"];
}

/** The epochs of a run's results, each once, under the files that hold it. */
function keptEpochs({ epoch, selection, accuracy, also = [] }: RunResults): KeptResults[] {
  const { predictions, model, weights } = runFiles;
  const all = [{ epoch, selection, accuracy, files: { predictions, model, weights } }, ...also];
  return all.filter(({ files }, i) => all.findIndex((other) => other.files.weights === files.weights) === i);
}

export async function chooseKept(folder: string, selection: Selection): Promise<KeptChoice> {
  const text = (name: string) => finishedFile(folder, name).then((path) => readPlain(path).then(String));
  const { data, plugins } = JSON.parse(await text(runFiles.spec)) as RunSpec;
  await needPlugins(plugins);
  const results = JSON.parse(await text(runFiles.results)) as RunResults;
  const columns = await new DataBook().handle(data).columns();
  checkSelection(selection, columns);
  const val = columns.splits.names.indexOf("val");
  const kept = keptEpochs(results);
  const candidates: KeptChoice["candidates"] = [];
  for (const { epoch, files } of kept) {
    const path = await finishedFile(folder, files.predictions);
    const isVal = (index: number) => columns.splits.values[index] === val;
    const predictions = await readPredictions(path, columns.classNames.length, isVal);
    candidates.push({ epoch, files, score: scoreOf(selection, columns, predictions) });
  }
  const best = candidates.reduce((a, b) => (b.score > a.score ? b : a));
  const chosen = mustBe(
    kept.find(({ files }) => files === best.files),
    best.files.weights,
  );
  return { chosen, candidates, selection: describeSelection(selection) };
}

/** `val-worst-group:place,time` as a rule with its groups; `val-alpha@0.5:place` has its power, too. */
export function parseSelection(text: string): { by: string; groups?: string[]; alpha?: number } {
  const match = /^([\w-]+)(?:@([^:]+))?(?::(.+))?$/.exec(text);
  const [, by, alpha, groups] = match ?? [];
  if (by === undefined || (alpha !== undefined && !Number.isFinite(Number(alpha))))
    throw new CuelabError({
      kind: "usage",
      what: `cannot read the rule "${text}"`,
      expected:
        "a rule, with groups after a colon: val-worst-class, val-worst-group:place,time, val-alpha@0.5:place",
    });
  return {
    by,
    ...(groups !== undefined && { groups: groups.split(",").map((name) => name.trim()) }),
    ...(alpha !== undefined && { alpha: Number(alpha) }),
  };
}
