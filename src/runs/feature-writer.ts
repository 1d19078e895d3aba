/** Writes a folder of features as they come: streamed, and gone on with after a kill. It appears when all is there. */

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Attribute, Dataset, ImageSet } from "../core/dataset.ts";
import { exampleColumns, sourceColumn } from "../core/own-columns.ts";
import { GrowingFile } from "../disk/growing-file.ts";
import { OutputFolder } from "../disk/output-folder.ts";
import { digestOf, sealed } from "../disk/vouched.ts";
import { npyHeader } from "../tables/npy.ts";
import type { ResolvedUse } from "../views/view.ts";
import { featureContent, featureFiles, viewFiles } from "./feature-files.ts";
import { encodedNumbers, numberBytes, numpyTypes } from "./feature-numbers.ts";
import {
  type FeatureOrigin,
  type FeaturesAbout,
  type FeatureType,
  featuresVersion,
  type ViewAbout,
} from "./features-about.ts";
import { encodeSafetensors } from "./safetensors.ts";

/** A linear layer over features. */
export interface OwnHead {
  /** Before `.weight` and `.bias`. */
  name: string;
  /** [classes, width] */
  weight: Float32Array;
  bias: Float32Array;
}

export interface FeatureWriterOptions {
  /** Replaces features that are there. */
  force: boolean;
  type?: FeatureType;
  /** Equal keys, equal work: what a killed process has written of it is gone on with. */
  key?: string;
  /** Rows that were computed together: only whole ones are gone on behind. */
  batch?: number;
  views?: readonly Pick<ViewAbout, "name" | "chain" | "copies" | "images">[];
}

/** Which images the rows of a view are of: [rows, 3] of image, partner and code; [rows, 2] of both shares. */
export interface ViewRows {
  features: Float32Array;
  rows: Int32Array;
  shares: Float32Array;
}

export class FeatureWriter {
  readonly #folder: OutputFolder;
  readonly #dataset: Dataset;
  readonly #width: number;
  readonly #type: FeatureType;
  readonly #own: GrowingFile;
  readonly #views: ReadonlyMap<string, ViewWriter>;

  private constructor(
    folder: OutputFolder,
    dataset: Dataset,
    width: number,
    type: FeatureType,
    own: GrowingFile,
    views: ReadonlyMap<string, ViewWriter>,
  ) {
    this.#folder = folder;
    this.#dataset = dataset;
    this.#width = width;
    this.#type = type;
    this.#own = own;
    this.#views = views;
  }

  static async create(
    out: string,
    dataset: Dataset,
    width: number,
    { force, type = "float32", key, batch = 1, views = [] }: FeatureWriterOptions,
  ): Promise<FeatureWriter> {
    const folder = await OutputFolder.create(out, { force, key }, featureContent);
    const opened: { close(): Promise<void> }[] = [];
    try {
      const own = await GrowingFile.open(join(folder.path, featureFiles.features), {
        head: npyHeader(numpyTypes[type], [dataset.images.count, width]),
        record: numberBytes[type] * width,
        unit: batch,
      });
      opened.push(own);
      await own.keep(own.count);
      const writers = new Map<string, ViewWriter>();
      for (const view of views) {
        const writer = await ViewWriter.open(folder.path, view, width, type, batch);
        opened.push(writer);
        writers.set(view.name, writer);
      }
      return new FeatureWriter(folder, dataset, width, type, own, writers);
    } catch (cause) {
      for (const each of opened) await each.close();
      await folder.discard();
      throw cause;
    }
  }

  /** Rows that are there already, of the images as they are. */
  get done(): number {
    return this.#own.count;
  }

  /** Rows of features: [some images, width], in the dataset's order. */
  async write(rows: Float32Array): Promise<void> {
    await this.#own.add(encodedNumbers(rows, this.#type));
  }

  view(name: string): ViewWriter {
    return this.#views.get(name)!;
  }

  async finish(source: FeatureOrigin, head?: OwnHead): Promise<void> {
    const sha256 = await this.#own.finish();
    const views: ViewAbout[] = [];
    for (const view of this.#views.values()) views.push(await view.finish());
    const { name, images, classNames, splits, attributes, provenance } = this.#dataset;
    const examples = await encodeExamples(this.#dataset);
    const layer = head && encodedHead(head, this.#width);
    const about: FeaturesAbout = {
      cuelabFeatures: featuresVersion,
      count: images.count,
      width: this.#width,
      sha256,
      examplesSha256: createHash("sha256").update(examples).digest("hex"),
      source,
      ...(this.#type !== "float32" && { type: this.#type }),
      ...(views.length > 0 && { views }),
      ...(layer && { head: { name: head.name, sha256: digestOf(layer) } }),
      name,
      classNames,
      splitNames: splits.names,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([key, attribute]) => [key, withoutValues(attribute)]),
      ),
      provenance,
    };
    if (layer) await this.#folder.write(featureFiles.head, layer);
    await this.#folder.write(featureFiles.examples, examples);
    await this.#folder.write(featureFiles.about, sealed(about));
    await this.#folder.commit();
  }

  async discard(): Promise<void> {
    await this.#close();
    await this.#folder.discard();
  }

  /** For who comes again with the same key. */
  async leave(): Promise<void> {
    await this.#close();
    this.#folder.leave();
  }

  async #close(): Promise<void> {
    await this.#own.close();
    for (const view of this.#views.values()) await view.close();
  }
}

/** Three files that grow together. */
export class ViewWriter {
  readonly #view: Omit<ViewAbout, "sha256">;
  readonly #type: FeatureType;
  readonly #files: readonly [GrowingFile, GrowingFile, GrowingFile];

  private constructor(
    view: Omit<ViewAbout, "sha256">,
    type: FeatureType,
    files: readonly [GrowingFile, GrowingFile, GrowingFile],
  ) {
    this.#view = view;
    this.#type = type;
    this.#files = files;
  }

  static async open(
    folder: string,
    { name, chain, copies, images }: Omit<ViewAbout, "sha256">,
    width: number,
    type: FeatureType,
    batch: number,
  ): Promise<ViewWriter> {
    const paths = viewFiles(name);
    const count = copies * images;
    const at = (file: string, dtype: string, columns: number, bytes: number) =>
      GrowingFile.open(join(folder, file), {
        head: npyHeader(dtype, [count, columns]),
        record: bytes * columns,
      });
    const files = [
      await at(paths.features, numpyTypes[type], width, numberBytes[type]),
      await at(paths.rows, "<i4", 3, 4),
      await at(paths.shares, "<f4", 2, 4),
    ] as const;
    const there = Math.min(...files.map((file) => file.count));
    // Each copy begins a batch of its own.
    const [whole, rest] = [Math.floor(there / images), there % images];
    const kept = whole * images + Math.floor(rest / batch) * batch;
    for (const file of files) await file.keep(kept);
    return new ViewWriter({ name, chain, copies, images }, type, files);
  }

  get done(): number {
    return this.#files[0].count;
  }

  async write({ features, rows, shares }: ViewRows): Promise<void> {
    const [ofFeatures, ofRows, ofShares] = this.#files;
    await ofFeatures.add(encodedNumbers(features, this.#type));
    await ofRows.add(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    await ofShares.add(new Uint8Array(shares.buffer, shares.byteOffset, shares.byteLength));
  }

  async finish(): Promise<ViewAbout> {
    const [features, rows, shares] = this.#files;
    const sha256 = {
      features: await features.finish(),
      rows: await rows.finish(),
      shares: await shares.finish(),
    };
    return { ...this.#view, sha256 };
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}

/** The chain of a view, for telling views apart. */
export function chainKey(chain: readonly ResolvedUse[]): string {
  return JSON.stringify(chain.map(({ view, version, with: settings }) => [view, version, settings]));
}

function encodedHead({ name, weight, bias }: OwnHead, width: number): Uint8Array {
  return encodeSafetensors({
    tensors: new Map([
      [`${name}.weight`, { shape: [bias.length, width], data: weight }],
      [`${name}.bias`, { shape: [bias.length], data: bias }],
    ]),
    metadata: { format: "pt" },
  });
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
