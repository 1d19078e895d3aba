/** A dataset from its name to a folder: built with its settings, checked against its format, written. */

import type { Dataset } from "../core/dataset.ts";
import { parseAssignments } from "../core/settings.ts";
import { findDataset } from "../datasets/index.ts";
import { checkTarget } from "../disk/output-folder.ts";
import { datasetContent } from "./dataset-content.ts";
import { type StoredEncoding, splitSizes } from "./format.ts";
import { formats } from "./index.ts";
import type { Manifest } from "./manifest.ts";
import { checkEncoding, type WriteOptions, writeDataset } from "./write-dataset.ts";

export interface MakeDatasetOptions
  extends Pick<WriteOptions, "workers" | "sideImages" | "signal" | "onProgress"> {
  /** Settings as `key=value`. */
  set: readonly string[];
  seed: number;
  out: string;
  format: string;
  /** By default the format's first. */
  encoding?: StoredEncoding | undefined;
  force: boolean;
  /** Say what would be made, and write nothing. */
  dryRun?: boolean | undefined;
  /** Before the first image, with how many there will be. */
  onBegun?: (images: number) => void;
}

/** What is made, or would be. */
export interface DatasetPlan {
  name: string;
  count: number;
  splits: Record<string, number>;
  format: string;
  encoding: StoredEncoding;
  out: string;
  seed: number;
  settings: Readonly<Record<string, unknown>>;
}

export interface MadeDataset {
  dataset: Dataset;
  plan: DatasetPlan;
  /** Undefined of what would be made. */
  manifest: Manifest | undefined;
}

export async function makeDataset(name: string, options: MakeDatasetOptions): Promise<MadeDataset> {
  const { definition, assignments } = findDataset(name);
  const { set, seed, out, force, dryRun = false, onBegun, ...writing } = options;
  const format = formats.get(options.format);
  const dataset = await definition.build(
    parseAssignments(definition.settings, [...assignments, ...set]),
    seed,
  );
  const encoding = options.encoding ?? format.encodings[0]!;
  checkEncoding({ format, encoding });
  format.accept?.(dataset);
  const { count } = dataset.images;
  const { settings } = dataset.provenance;
  const splits = splitSizes(dataset.splits);
  const plan = { name, count, splits, format: format.name, encoding, out, seed, settings };
  if (dryRun) {
    await checkTarget(out, force, datasetContent);
    return { dataset, plan, manifest: undefined };
  }
  onBegun?.(count);
  const manifest = await writeDataset(dataset, { ...writing, out, format, encoding, force });
  return { dataset, plan, manifest };
}
