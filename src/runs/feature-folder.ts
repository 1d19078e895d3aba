/**
 * Features of a dataset's images on disk: `features.npy` [images, width], `examples.parquet` with each image's split, label
 * and attributes, and `features.json` with what they are; beside them features of views, and the network's own last layer.
 * NumPy and DuckDB read them too.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Dataset, ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { exampleColumns, sourceColumn } from "../core/own-columns.ts";
import { readPlain, readPlainText } from "../disk/plain-file.ts";
import { RowFile } from "../disk/row-file.ts";
import { digestOf } from "../disk/vouched.ts";
import { readThrough } from "../tables/read-through.ts";
import { checkArray, checkSize, type FeatureArrayFile, unreadable } from "./feature-arrays.ts";
import { featureFiles } from "./feature-files.ts";
import { numberBytes } from "./feature-numbers.ts";
import type { OwnHead } from "./feature-writer.ts";
import {
  damagedFeatures as damaged,
  type FeatureOrigin,
  type FeaturesAbout,
  type FeatureType,
  type HeadAbout,
  parseAbout,
  type ViewAbout,
} from "./features-about.ts";
import { decodeSafetensors } from "./safetensors.ts";

export interface DescribedFeatures {
  /** Everything but the images. */
  dataset: Dataset;
  source: FeatureOrigin;
  width: number;
  type: FeatureType;
  /** Features of changed training images. */
  views: readonly ViewAbout[];
  /** The network's own last layer, where the labels are numbered as it numbers classes. */
  head: HeadAbout | undefined;
  /** Equal identities mean equal features, labels, splits and attributes. */
  identity: string;
}

export interface FeatureSet extends DescribedFeatures {
  /** [images, width], row by row. */
  features: Float32Array;
}

/** In memory, or in their file where they are too many. */
export type OpenedFeatures = FeatureSet | (DescribedFeatures & { rows: RowFile });

/** Everything but the features themselves, which are not read. */
export async function describeFeatures(path: string): Promise<DescribedFeatures> {
  return describedBy(path, await readAbout(path));
}

export async function readFeatures(path: string): Promise<FeatureSet> {
  return (await openFeatures(path, { most: Number.POSITIVE_INFINITY })) as FeatureSet;
}

/** Found as they were written, and read into memory where they take `most` bytes or less. Rows in a file are to be closed. */
export async function openFeatures(path: string, { most }: { most: number }): Promise<OpenedFeatures> {
  const about = await readAbout(path);
  const described = await describedBy(path, about);
  const { count, width, sha256 } = about;
  const { type, dataset } = described;
  const { names, values } = dataset.splits;
  const describe = (row: number) => `image ${row} of split "${names[values[row]!]}"`;
  const array: FeatureArrayFile = {
    path: join(path, featureFiles.features),
    count,
    width,
    type,
    sha256,
    describe,
  };
  await checkSize(array);
  const features = 4 * count * width > most ? undefined : new Float32Array(count * width);
  const headerLength = await checkArray(array, features);
  if (features !== undefined) return { ...described, features };
  return { ...described, rows: await RowFile.open(array.path, width, headerLength, numberBytes[type]) };
}

/** The network's own last layer; undefined where there is none for these labels. */
export async function readFeatureHead(
  path: string,
  { head, width, dataset }: Pick<DescribedFeatures, "head" | "width" | "dataset">,
): Promise<OwnHead | undefined> {
  if (head === undefined) return undefined;
  const where = join(path, featureFiles.head);
  const bytes = await readPlain(where).catch((cause: unknown) => {
    throw unreadable(cause, where);
  });
  if (digestOf(bytes) !== head.sha256) throw damaged(where, "other bytes than were written");
  const { tensors } = decodeSafetensors(bytes, where);
  const [weight, bias] = [tensors.get(`${head.name}.weight`), tensors.get(`${head.name}.bias`)];
  const classes = dataset.classNames.length;
  if (weight?.data.length !== classes * width || bias?.data.length !== classes)
    throw damaged(where, `[${weight?.shape.join(", ") ?? "?"}] for ${classes} classes of ${width} features`);
  return { name: head.name, weight: weight.data, bias: bias.data };
}

async function describedBy(path: string, about: FeaturesAbout): Promise<DescribedFeatures> {
  const { examples, rows } = await readExamples(join(path, featureFiles.examples), about);
  const codes = (column: string, names: readonly string[]) => {
    const known = new Map(names.map((name, code) => [name, code]));
    return rows.map((row, i) => {
      const code = known.get(String(row[column]));
      if (code !== undefined) return code;
      throw damaged(
        join(path, featureFiles.examples),
        `${column} "${row[column]}" in row ${i}, which ${featureFiles.about} does not know`,
      );
    });
  };
  const splits = codes(exampleColumns.split, about.splitNames);
  const attributes = Object.entries(about.attributes).map(([name, attribute]) => [
    name,
    { ...attribute, values: Uint16Array.from(codes(name, attribute.valueNames)) },
  ]);
  return {
    dataset: {
      name: about.name,
      images: noImages(about, rows),
      labels: Uint16Array.from(rows, (row, i) => {
        const label = Number(row[exampleColumns.label]);
        if (about.classNames[label] !== undefined) return label;
        throw damaged(join(path, featureFiles.examples), `label ${row[exampleColumns.label]} in row ${i}`);
      }),
      classNames: about.classNames,
      attributes: Object.fromEntries(attributes) as Dataset["attributes"],
      splits: { names: about.splitNames, values: Uint8Array.from(splits) },
      provenance: about.provenance,
    },
    source: about.source,
    width: about.width,
    type: about.type ?? "float32",
    views: about.views ?? [],
    head: about.head,
    identity: identityOf(about, examples),
  };
}

function identityOf({ sha256, views = [], head }: FeaturesAbout, examples: Buffer): string {
  const hash = createHash("sha256").update(sha256).update(examples);
  for (const view of views) hash.update(JSON.stringify([view.chain, view.sha256]));
  if (head !== undefined) hash.update(head.sha256);
  return `features sha256:${hash.digest("hex")}`;
}

async function readAbout(path: string): Promise<FeaturesAbout> {
  const where = join(path, featureFiles.about);
  const text = await readPlainText(where).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "no folder of features",
      where: path,
      expected: `${featureFiles.features}, ${featureFiles.examples}, ${featureFiles.about}, as 'cuelab features extract' writes them`,
      got: (cause as Error).message,
      cause,
    });
  });
  return parseAbout(text, where);
}

type ExampleRow = Record<string, string | number>;

async function readExamples(
  path: string,
  { count, examplesSha256 }: FeaturesAbout,
): Promise<{ examples: Buffer; rows: ExampleRow[] }> {
  const examples = await readPlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  if (createHash("sha256").update(examples).digest("hex") !== examplesSha256)
    throw damaged(path, "other bytes than were written");
  await readThrough(path);
  // From the bytes whose hash was compared.
  const { parquetReadObjects } = await import("hyparquet");
  const file = Uint8Array.from(examples).buffer;
  const rows = (await parquetReadObjects({ file }).catch((cause: unknown) => {
    throw damaged(path, (cause as Error).message, cause);
  })) as ExampleRow[];
  if (rows.length !== count) throw damaged(path, `${rows.length} rows instead of ${count}`);
  return { examples, rows };
}

function noImages({ count, name }: FeaturesAbout, rows: readonly ExampleRow[]): ImageSet {
  const isNamed = rows[0]?.[sourceColumn] !== undefined;
  return {
    count,
    shape: null,
    pixels: () => {
      throw new CuelabError({ kind: "failure", what: `features of "${name}" hold no pixels` });
    },
    describe: (index) => `row ${index}`,
    ...(isNamed && { source: (index: number) => String(rows[index]![sourceColumn]) }),
  };
}
