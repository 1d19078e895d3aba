/**
 * Features of a dataset's images on disk: `features.npy` [images, width] as float32, `examples.parquet` with each
 * image's split, label and attributes, and `features.json` with what they are. NumPy and DuckDB read them too.
 */

import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Attribute, Dataset, ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { harmedRow } from "../core/not-finite.ts";
import { exampleColumns, sourceColumn } from "../core/own-columns.ts";
import { diskError } from "../disk/disk-error.ts";
import { type FolderContent, OutputFolder } from "../disk/output-folder.ts";
import { isPartial } from "../disk/partial-name.ts";
import { openPlain, readPlain, readPlainText, requirePlain } from "../disk/plain-file.ts";
import { RowFile } from "../disk/row-file.ts";
import { sealed } from "../disk/vouched.ts";
import { npyHeader, parseNpyHeader } from "../tables/npy.ts";
import { readThrough } from "../tables/read-through.ts";
import {
  damagedFeatures as damaged,
  type FeatureOrigin,
  type FeaturesAbout,
  featuresVersion,
  parseAbout,
} from "./features-about.ts";

const files = { features: "features.npy", examples: "examples.parquet", about: "features.json" } as const;

const featureContent: FolderContent = {
  name: "features",
  already: "features are there already",
  // Damaged ones too: those are the ones to extract again.
  ownIn: async (folder) => {
    const known: readonly string[] = Object.values(files);
    const isOwn = (path: string) => known.includes(path) || isPartial(path);
    return existsSync(join(folder, files.about)) ? isOwn : undefined;
  },
};

export interface DescribedFeatures {
  /** Everything but the images. */
  dataset: Dataset;
  source: FeatureOrigin;
  width: number;
  /** Equal identities mean equal features, labels, splits and attributes. */
  identity: string;
}

export interface FeatureSet extends DescribedFeatures {
  /** [images, width], row by row. */
  features: Float32Array;
}

/** In memory, or in their file where they are too many. */
export type OpenedFeatures = FeatureSet | (DescribedFeatures & { rows: RowFile });

/** Writes features as they come, in the dataset's order. The folder appears when all is there. */
export class FeatureWriter {
  readonly #folder: OutputFolder;
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash("sha256");
  readonly #dataset: Dataset;
  readonly #width: number;

  private constructor(folder: OutputFolder, file: FileHandle, dataset: Dataset, width: number) {
    this.#folder = folder;
    this.#file = file;
    this.#dataset = dataset;
    this.#width = width;
  }

  /** `force` replaces features that are there. */
  static async create(
    out: string,
    dataset: Dataset,
    width: number,
    { force }: { force: boolean },
  ): Promise<FeatureWriter> {
    const folder = await OutputFolder.create(out, { force }, featureContent);
    try {
      const writer = new FeatureWriter(folder, await folder.open(files.features), dataset, width);
      await writer.#append(npyHeader("<f4", [dataset.images.count, width]));
      return writer;
    } catch (cause) {
      await folder.discard();
      throw cause;
    }
  }

  /** Rows of features: [some images, width]. */
  async write(rows: Float32Array): Promise<void> {
    await this.#append(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
  }

  async finish(source: FeatureOrigin): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    const { name, images, classNames, splits, attributes, provenance } = this.#dataset;
    const examples = await encodeExamples(this.#dataset);
    const about: FeaturesAbout = {
      cuelabFeatures: featuresVersion,
      count: images.count,
      width: this.#width,
      sha256: this.#hash.digest("hex"),
      examplesSha256: createHash("sha256").update(examples).digest("hex"),
      source,
      name,
      classNames,
      splitNames: splits.names,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, attribute]) => [key, withoutValues(attribute)]),
      ),
      provenance,
    };
    await this.#folder.write(files.examples, examples);
    await this.#folder.write(files.about, sealed(about));
    await this.#folder.commit();
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => {});
    await this.#folder.discard();
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    await this.#file.appendFile(bytes).catch((cause: unknown) => {
      throw diskError(cause, this.#folder.path);
    });
  }
}

function withoutValues({ valueNames, role, description, classValues }: Attribute): Omit<Attribute, "values"> {
  return { valueNames, role, ...(description && { description }), ...(classValues && { classValues }) };
}

/** Columns id, split, label, one an attribute with its value's name, and the original file where that is known. */
async function encodeExamples({ images, labels, splits, attributes }: Dataset): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const texts = (name: string, names: readonly string[], codes: ArrayLike<number>) => ({
    name,
    data: Array.from(codes, (code) => names[code]!),
    type: "STRING" as const,
    nullable: false,
  });
  const numbers = { type: "INT32" as const, nullable: false };
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: exampleColumns.id, data: Int32Array.from(labels.keys()), ...numbers },
        texts(exampleColumns.split, splits.names, splits.values),
        { name: exampleColumns.label, data: Int32Array.from(labels), ...numbers },
        ...Object.entries(attributes).map(([name, { valueNames, values }]) =>
          texts(name, valueNames, values),
        ),
        ...(images.source ? [sourceTexts(images)] : []),
      ],
    }),
  );
}

function sourceTexts(images: ImageSet) {
  const data = Array.from({ length: images.count }, (_, i) => images.source!(i));
  return { name: sourceColumn, data, type: "STRING" as const, nullable: false };
}

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
  const { count, width } = about;
  const where = join(path, files.features);
  await checkSize(where, about);
  const features = 4 * count * width > most ? undefined : new Float32Array(count * width);
  const headerLength = await checkArray(where, about, described, features);
  if (features !== undefined) return { ...described, features };
  return { ...described, rows: await RowFile.open(where, width, headerLength) };
}

async function describedBy(path: string, about: FeaturesAbout): Promise<DescribedFeatures> {
  const { examples, rows } = await readExamples(join(path, files.examples), about);
  const codes = (column: string, names: readonly string[]) => {
    const known = new Map(names.map((name, code) => [name, code]));
    return rows.map((row, i) => {
      const code = known.get(String(row[column]));
      if (code !== undefined) return code;
      throw damaged(
        join(path, files.examples),
        `${column} "${row[column]}" in row ${i}, which ${files.about} does not know`,
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
        throw damaged(join(path, files.examples), `label ${row[exampleColumns.label]} in row ${i}`);
      }),
      classNames: about.classNames,
      attributes: Object.fromEntries(attributes) as Dataset["attributes"],
      splits: { names: about.splitNames, values: Uint8Array.from(splits) },
      provenance: about.provenance,
    },
    source: about.source,
    width: about.width,
    identity: `features sha256:${createHash("sha256").update(about.sha256).update(examples).digest("hex")}`,
  };
}

async function readAbout(path: string): Promise<FeaturesAbout> {
  const where = join(path, files.about);
  const text = await readPlainText(where).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "no folder of features",
      where: path,
      expected: `${Object.values(files).join(", ")}, as 'cuelab features extract' writes them`,
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

/** Before memory is taken for what the description says. */
async function checkSize(path: string, { count, width }: FeaturesAbout): Promise<void> {
  await requirePlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  const { size } = await stat(path);
  if (4 * count * width > size) throw damaged(path, `${size} bytes of ${count} × ${width} features`);
}

/** Reads the array once, into memory where that is given; the length of its header. */
async function checkArray(
  path: string,
  { count, width, sha256 }: FeaturesAbout,
  { dataset }: DescribedFeatures,
  into: Float32Array | undefined,
): Promise<number> {
  const file = await openPlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  try {
    const start = Buffer.alloc(1024);
    await file.read(start, 0, start.length, 0);
    const { dtype, shape, headerLength } = parseNpyHeader(start, path);
    const { size } = await file.stat();
    if (
      dtype !== "<f4" ||
      shape[0] !== count ||
      shape[1] !== width ||
      size !== headerLength + 4 * count * width
    )
      throw damaged(path, `${dtype} [${shape.join(", ")}] in ${size} bytes`);
    const hash = createHash("sha256").update(start.subarray(0, headerLength));
    // In pieces: one read of the system gives at most two gigabytes.
    const rows = Math.max(1, Math.floor((64 * 2 ** 20) / (4 * width)));
    const memory = into === undefined ? new Float32Array(Math.min(rows, count) * width) : undefined;
    let harmed: ReturnType<typeof harmedRow>;
    for (let row = 0; row < count; row += rows) {
      const size = Math.min(rows, count - row) * width;
      const piece = memory?.subarray(0, size) ?? into!.subarray(row * width, row * width + size);
      const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
      await file.read(bytes, 0, bytes.length, headerLength + 4 * row * width);
      hash.update(bytes);
      const found = harmed === undefined ? harmedRow(piece, width) : undefined;
      if (found !== undefined) harmed = { row: row + found.row, count: found.count };
    }
    if (hash.digest("hex") !== sha256) throw damaged(path, "other bytes than were written");
    if (harmed !== undefined) {
      const { names, values } = dataset.splits;
      const image = `image ${harmed.row} of split "${names[values[harmed.row]!]}"`;
      throw damaged(path, `${harmed.count} of ${width} features of ${image} are NaN or infinite`);
    }
    return headerLength;
  } finally {
    await file.close();
  }
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

function unreadable(cause: unknown, path: string): CuelabError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return damaged(path, code === "ENOENT" ? "no such file" : message, cause);
}
