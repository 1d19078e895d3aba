/** A pool that is there, opened from its folder alone. */

import { existsSync } from "node:fs";
import { CuelabError } from "../core/errors.ts";
import { needPlugins } from "../plugins/at-hand.ts";
import type { EnvironmentPlan, Fold } from "../training/environments.ts";
import { classifiersIn } from "./left-out.ts";
import { findPool, type MadePool } from "./make-pool.ts";
import { aboutOfPool, tablePaths } from "./pool-folder.ts";
import type { PoolSpec, RecordedSpec } from "./pool-spec.ts";
import { decodeRows } from "./pool-table.ts";

/** Its data is opened to know environments and groups; nothing is trained, and nothing is written. */
export async function openPool(folder: string): Promise<MadePool> {
  const { csv, parquet } = tablePaths(folder);
  if (!existsSync(parquet)) {
    throw new CuelabError({
      kind: "input",
      what: "there is no finished pool",
      where: folder,
      expected: "a folder that 'cuelab pool run' has written, with accuracies.parquet",
    });
  }
  const about = (await aboutOfPool(folder)) as unknown as RecordedSpec;
  await needPlugins(about.plugins);
  const spec: PoolSpec = { groups: [], oodSplits: null, extractors: [], ...about };
  const rows = await decodeRows(parquet);
  const trainedOn = [...new Set(rows.map((row) => String(row.trained_on)))];
  const asked = { out: folder, classifiers: 0, holdOut: "all" };
  const { rows: _, found: __, ...planned } = await findPool(spec, asked);
  // Each environment was left out in turn, or one choice of them was trained on.
  const [only] = trainedOn.map((text) => foldOf(planned.plan.environments, text));
  if (trainedOn.length === 1 && only !== undefined) planned.folds = [only];
  return {
    ...planned,
    points: rows.length,
    missing: [],
    trained: 0,
    networks: { trained: 0, failed: [] },
    inTable: classifiersIn(rows).size,
    leftOut: 0,
    csv,
    parquet,
  };
}

/** From the names of the environments that a row's classifier was trained on, in their order; names may have spaces. */
function foldOf(environments: EnvironmentPlan["environments"], text: string): Fold | undefined {
  const trainingFrom = (first: number, rest: string): number[] | undefined => {
    if (rest === "") return [];
    for (let i = first; i < environments.length; i++) {
      const { name } = environments[i]!;
      if (rest !== name && !rest.startsWith(`${name} `)) continue;
      const others = trainingFrom(i + 1, rest.slice(name.length + 1));
      if (others !== undefined) return [i, ...others];
    }
    return undefined;
  };
  const training = trainingFrom(0, text);
  if (training === undefined) return undefined;
  return { training, shifted: [...environments.keys()].filter((i) => !training.includes(i)) };
}
