/** The dataset that finished runs were trained on, found by what their specs say. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { datasets } from "../datasets/index.ts";
import { openDataset } from "../formats/open-dataset.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import { runFiles } from "../store/run-folder.ts";

type RunData = RunSpec["data"];

/** Undefined where a path is no run, where the runs differ in data, or where the data is gone. */
export async function datasetOfRuns(
  paths: readonly string[],
): Promise<{ dataset: Dataset | undefined; remarks: string[] }> {
  const found = await Promise.all(paths.map(dataOf));
  const [first] = found;
  if (first === undefined || found.includes(undefined)) return { dataset: undefined, remarks: [] };
  const without = (why: string) => ({
    dataset: undefined,
    remarks: [`${why}: give --data or --train-counts for what needs training counts`],
  });
  if (found.some((data) => sameness(data!) !== sameness(first))) {
    return without("the runs were trained on different data");
  }
  try {
    const { path, name, settings, seed } = first;
    const dataset =
      path === undefined
        ? await datasets.get(name ?? "").build(settings, seed)
        : (await openDataset(path)).dataset;
    return { dataset, remarks: [] };
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    return without(`the run's data cannot be opened (${cause.parts.what}, ${first.path ?? first.name})`);
  }
}

async function dataOf(path: string): Promise<RunData | undefined> {
  try {
    return (JSON.parse(await readFile(join(path, runFiles.spec), "utf8")) as RunSpec).data;
  } catch {
    // A table is no folder; whatever else is wrong with it is told when it is read.
    return undefined;
  }
}

function sameness({ identity, settings, seed }: RunData): string {
  return JSON.stringify([identity, settings, seed]);
}
