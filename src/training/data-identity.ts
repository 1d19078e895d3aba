/** What data on disk is: asked when a run is planned, and again by the process that trains it. */

import { createHash } from "node:crypto";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { readerVersion } from "../images/codec.ts";
import { fileBeneath } from "../images/recipe.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";
import type { RunSpec } from "./run-spec.ts";
import type { OpenedData } from "./training-data.ts";

/** Equal ones mean equal images, labels, splits and attributes. */
export async function identityOnDisk(
  { dataset, manifest, identity }: OpenedData,
  preparation: Preparation,
  signal?: AbortSignal,
): Promise<string> {
  if (identity !== undefined) return identity;
  if (manifest !== undefined) return preparedIdentity(manifest.hash, preparation);
  return foreignIdentity(dataset, preparation, signal);
}

/** Between a plan and its last run lie hours, in which files may change: a run is never one of others than it names. */
export async function checkUnchanged(data: RunSpec["data"], opened: OpenedData): Promise<void> {
  if (data.path === undefined) return;
  const found = await identityOnDisk(opened, preparationOf(data));
  if (found === data.identity) return;
  throw new CuelabError({
    kind: "input",
    what: "the data is not what it was when this run was planned: images, or what is said of them, have changed since",
    where: data.path,
    expected: data.identity,
    got: found,
    todo: "put it back as it was; or give the command again, for runs on what is there now",
  });
}

/** Of data that says its own hash. */
function preparedIdentity(hash: string, preparation: Preparation): string {
  return Object.keys(preparation).length === 0 ? hash : `${hash} ${JSON.stringify(preparation)}`;
}

/** For people's own data: the table with all its columns, each image's bytes as they are stored, and what is done to them. */
async function foreignIdentity(
  { images, classNames, labels, splits, attributes }: Dataset,
  preparation: Preparation,
  signal: AbortSignal | undefined,
): Promise<string> {
  const columns = Object.entries(attributes).map(([name, { valueNames, values }]) => [
    name,
    valueNames,
    [...values],
  ]);
  const table = [classNames, [...labels], splits.names, [...splits.values], columns];
  const file = fileBeneath(images);
  const read = file ? { reader: readerVersion } : {};
  const prepared = Object.keys(preparation).length === 0 ? {} : { prepared: preparation };
  const hash = createHash("sha256").update(JSON.stringify({ table, ...read, ...prepared }));
  for (let i = 0; i < images.count; i++) {
    signal?.throwIfAborted();
    const bytes = file ? (await file(i)).bytes : (await images.pixels(i)).data;
    // With its length, so that bytes cannot move from one image to the next unnoticed.
    hash.update(`${bytes.length} `).update(bytes);
  }
  return `own sha256:${hash.digest("hex")}`;
}
