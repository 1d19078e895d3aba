/** Writes a dataset in a format: images, table, data card, contact sheet and metadata, appearing all at once. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ContentHasher } from "../core/content-hash.ts";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { version } from "../core/version.ts";
import { diskError } from "../disk/disk-error.ts";
import { OutputFolder } from "../disk/output-folder.ts";
import { sealed } from "../disk/vouched.ts";
import { inSplitOrder } from "../images/change-dataset.ts";
import { BoxTable, boxesName } from "./boxes.ts";
import { contactSheet, contactSheetName } from "./card/contact-sheet.ts";
import { croissant } from "./card/croissant.ts";
import { dataCard } from "./card/data-card.ts";
import { cardName, croissantName, datasetContent } from "./dataset-content.ts";
import {
  checkAttributeNames,
  type Format,
  type StoredEncoding,
  splitRanges,
  type WritePlan,
} from "./format.ts";
import { type Manifest, manifestName, type WrittenFile } from "./manifest.ts";
import { processImages, refuseBroken } from "./process-images.ts";
import { checkSideNames, describeSides, makeSideFolders, SideHasher, sidePaths } from "./side-images.ts";

export interface WriteOptions {
  out: string;
  format: Format;
  encoding: StoredEncoding;
  force: boolean;
  workers: number;
  /** Whether pictures that go with the images are written too; they are unless this is false. */
  sideImages?: boolean | undefined;
  /** What the content and the side images must hash to, where it is known beforehand. */
  expect?: Manifest | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

export async function writeDataset(whole: Dataset, options: WriteOptions): Promise<Manifest> {
  checkLengths(whole);
  const dataset = inSplitOrder(options.sideImages === false ? withoutSides(whole) : whole);
  checkEncoding(options);
  checkAttributeNames(dataset);
  checkSideNames(dataset);
  options.format.accept?.(dataset);
  const output = await OutputFolder.create(options.out, options, datasetContent);
  try {
    const manifest = await fill(output, dataset, options);
    await output.commit();
    return manifest;
  } catch (cause) {
    await output.discard();
    throw diskError(cause, options.out);
  }
}

function withoutSides(dataset: Dataset): Dataset {
  const rest = { ...dataset };
  delete rest.sideImages;
  return rest;
}

/** Every image has a label, a split and its attributes: where their number differs they belong to other images. */
function checkLengths({ name, images: { count }, labels, splits, attributes }: Dataset): void {
  const columns = [
    ["labels", labels],
    ["splits", splits.values],
    ...Object.entries(attributes).map(([attribute, { values }]) => [attribute, values] as const),
  ] as const;
  for (const [column, { length }] of columns) {
    if (length === count) continue;
    throw new CuelabError({
      kind: "input",
      what: `a dataset does not have one value of "${column}" an image`,
      where: name,
      expected: `${count} values, as many as there are images`,
      got: String(length),
      todo: "choose images with subset, which takes everything that belongs to them along",
    });
  }
}

/** Throws for an encoding that the format cannot hold. */
export function checkEncoding({ format, encoding }: Pick<WriteOptions, "format" | "encoding">): void {
  if (format.encodings.includes(encoding)) return;
  throw new CuelabError({
    kind: "usage",
    what: `format "${format.name}" does not store images as ${encoding}`,
    expected: `one of: ${format.encodings.join(", ")}`,
  });
}

async function fill(output: OutputFolder, dataset: Dataset, options: WriteOptions): Promise<Manifest> {
  const { path } = output;
  const { format, encoding, workers, signal, onProgress } = options;
  const plan: WritePlan = { dataset, encoding, ranges: splitRanges(dataset.splits) };
  const writer = await format.createWriter(path, plan);
  const hasher = new ContentHasher(dataset);
  const sideHasher = new SideHasher(dataset);
  const boxes = new BoxTable(dataset);
  let filePaths: string[];
  try {
    makeSideFolders(path, format, plan);
    const [imagePath, sidePath] = [format.imagePaths?.(plan), sidePaths(format, plan)];
    const chunks = processImages(dataset, {
      encoding,
      workers,
      signal,
      onProgress,
      fileOf: imagePath && ((index) => join(path, imagePath(index))),
      sides: true,
      sideOf: (name, index) => join(path, sidePath(name, index)),
    });
    for await (const chunk of chunks) {
      refuseBroken(chunk, dataset.images);
      hasher.update(chunk.digests);
      sideHasher.update(chunk.sideDigests);
      boxes.add(chunk);
      await writer.write(chunk);
    }
    filePaths = await writer.finish();
  } catch (cause) {
    await writer.abort();
    throw cause;
  }
  const files: WrittenFile[] = [];
  for (const file of filePaths) files.push(await describeFile(path, file));
  const manifest: Manifest = {
    ...manifestOf(dataset, plan, format),
    ...describeSides(dataset, sideHasher.digests()),
    ...(await writeBoxes(path, dataset, boxes, plan)),
    hash: hasher.digest(),
    files,
  };
  checkHash(manifest, options);
  await output.write(contactSheetName, await contactSheet(dataset));
  await output.write(cardName, dataCard(dataset, manifest, format));
  await output.write(croissantName, `${JSON.stringify(croissant(manifest, format), null, 2)}\n`);
  await output.write(manifestName, sealed(manifest));
  return manifest;
}

async function writeBoxes(
  folder: string,
  { boxes = {} }: Dataset,
  table: BoxTable,
  { ranges }: WritePlan,
): Promise<Pick<Manifest, "boxes">> {
  const things = Object.entries(boxes).map(([name, { description }]) => ({ name, description }));
  if (things.length === 0) return {};
  await table.write(folder, ranges);
  const { bytes, sha256 } = await describeFile(folder, boxesName);
  return { boxes: { things, bytes, sha256 } };
}

function checkHash({ name, hash, sideImages = [] }: Manifest, { expect }: WriteOptions): void {
  if (expect === undefined) return;
  const changed = sideImages.find((side) =>
    expect.sideImages?.some((known) => known.name === side.name && known.sha256 !== side.sha256),
  );
  if (hash === expect.hash && changed === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: "the dataset is not what its dataset.json says",
    where: name,
    ...(changed === undefined
      ? { expected: expect.hash, got: hash }
      : { got: `other side images "${changed.name}"` }),
    todo: "run cuelab data check, which shows what has changed",
  });
}

function manifestOf(
  { name, images, classNames, attributes, provenance }: Dataset,
  { encoding, ranges }: WritePlan,
  format: Format,
): Omit<Manifest, "hash" | "files"> {
  const { title, description, license, citation, statisticsBy, shiftedSplits, generator, settings, seed } =
    provenance;
  return {
    cuelabDataset: 1,
    cuelabVersion: version,
    name,
    title,
    description,
    license,
    ...(citation === undefined ? {} : { citation }),
    format: format.name,
    encoding,
    count: images.count,
    splits: Object.fromEntries(ranges.map(({ name, count }) => [name, count])),
    image: images.shape,
    classNames: [...classNames],
    attributes: Object.entries(attributes).map(([name, attribute]) => ({
      name,
      role: attribute.role,
      valueNames: [...attribute.valueNames],
      ...(attribute.description === undefined ? {} : { description: attribute.description }),
      ...(attribute.classValues === undefined ? {} : { classValues: [...attribute.classValues] }),
    })),
    ...(statisticsBy === undefined ? {} : { statisticsBy }),
    ...(shiftedSplits === undefined ? {} : { shiftedSplits: [...shiftedSplits] }),
    generator,
    settings,
    seed,
    sources: provenance.sources.map(({ filteredOut, ...source }) => ({
      ...source,
      sha256: { ...source.sha256 },
      ...(filteredOut && { filteredOut: { ...filteredOut } }),
    })),
    skipped: [...provenance.skipped],
  };
}

async function describeFile(folder: string, path: string): Promise<WrittenFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(folder, path), { highWaterMark: 2 ** 20 }), hash);
  return { path, bytes: (await stat(join(folder, path))).size, sha256: hash.digest("hex") };
}
