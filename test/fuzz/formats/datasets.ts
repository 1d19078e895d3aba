/** Datasets as they lie on disk: ours in every format, and what others write in the same formats. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, sealed } from "../../../src/disk/vouched.ts";
import { formats } from "../../../src/formats/index.ts";
import { writeDataset } from "../../../src/formats/write-dataset.ts";
import { decodeImage } from "../../../src/images/codec.ts";
import { encodePng } from "../../../src/images/png.ts";
import { npyFile, npyHeader, npyTexts } from "../../../src/tables/npy.ts";
import { type FuzzedFormat, type Mutator, noOpinion } from "../fuzzed-format.ts";
import { parquetFooter, parquetPages, pngChunks } from "../mutators/binary.ts";
import { jsonFile } from "../mutators/json.ts";
import { oddTable } from "../mutators/odd-text.ts";
import { pngExtras } from "../mutators/pictures.ts";
import { tarHeaders, tarRecords } from "../mutators/tar.ts";
import { tableText } from "../mutators/text.ts";
import { parquetFields, parquetPageFields } from "../mutators/thrift.ts";
import { jsonWords } from "../mutators/tokens.ts";
import { npyContents, npzArrays, writeZip, zipDirectory } from "../mutators/zip.ts";
import { duckRows, duckText } from "../others/duck.ts";
import { refereeReads } from "../others/referee.ts";
import {
  type DatasetContent,
  datasetContent,
  pixelText,
  smallDataset,
  smallPixels,
} from "./small-dataset.ts";

const arrayMutators = [npzArrays, zipDirectory, npyContents];
const parquetMutators = [parquetFooter, parquetPages, parquetFields, parquetPageFields];
const tableMutators = [tableText(","), oddTable(",")];

const { labels, classNames, attributes, splits } = smallDataset;
const splitOf = (i: number) => splits.names[splits.values[i]!]!;

async function ours(folder: string, name: string): Promise<void> {
  const format = formats.get(name);
  const written = {
    out: join(folder, "d"),
    format,
    encoding: format.encodings[0]!,
    force: false,
    workers: 0,
  };
  await writeDataset(smallDataset, written);
}

/** A dataset of ours, of which one file is changed. */
function own(
  name: string,
  format: string,
  file: string,
  mutators: readonly Mutator[],
  covers: readonly string[],
): FuzzedFormat {
  return {
    name,
    covers,
    mutators,
    seed: async (folder) => {
      await ours(folder, format);
      return join("d", file);
    },
    settle: (folder, changed) => vouchAgain(join(folder, "d"), changed),
    read: (folder) => datasetContent(join(folder, "d")),
  };
}

/** dataset.json as whoever changed the file would write it: with its new digest, and a new seal. */
async function vouchAgain(folder: string, changed: string): Promise<void> {
  const path = join(folder, "dataset.json");
  try {
    const { seal: _, ...manifest } = JSON.parse(readFileSync(path, "utf8")) as {
      seal: string;
      files: { path: string }[];
    };
    const files = manifest.files.map((file) => {
      if (!changed.endsWith(file.path)) return file;
      const bytes = readFileSync(join(folder, file.path));
      return { ...file, bytes: bytes.length, sha256: digestOf(bytes) };
    });
    writeFileSync(path, sealed({ ...manifest, files }));
  } catch {
    // It is the manifest itself that is no longer one.
  }
}

function arrays(packed: boolean): Buffer {
  const images = Buffer.concat([
    npyHeader("|u1", [8, 5, 6, 3]),
    ...Array.from({ length: 8 }, (_, i) => smallPixels(i).data),
  ]);
  return writeZip([
    { name: "images.npy", bytes: images, packed },
    { name: "labels.npy", bytes: npyFile(labels, "<i8"), packed },
    {
      name: "colour.npy",
      bytes: npyTexts([...attributes.colour!.values].map((value) => attributes.colour!.valueNames[value]!)),
      packed,
    },
  ]);
}

function foreignNpz(name: string, packed: boolean): FuzzedFormat {
  return {
    name,
    covers: ["format npz"],
    mutators: arrayMutators,
    seed: async (folder) => {
      writeFileSync(join(folder, "x.npz"), arrays(packed));
      return "x.npz";
    },
    read: (folder, file) => datasetContent(join(folder, file)),
    other: async (folder, file, ours) =>
      npzContent(await refereeReads("arrays", join(folder, file)), ours as DatasetContent),
  };
}

type NumpyArrays = Record<string, { shape: number[]; values: (string | number)[]; refused?: string }>;

/** As NumPy reads them; columns that were left out are told of. */
function npzContent(read: unknown, { ignored }: DatasetContent): unknown {
  if (read === noOpinion) return noOpinion;
  const found = read as NumpyArrays;
  const first = (...names: string[]) => {
    const name = names.find((each) => found[each] !== undefined)!;
    if (found[name]!.refused !== undefined) throw new Error(found[name]!.refused);
    return name;
  };
  const [imageName, labelName] = [first("images", "image", "x", "X"), first("labels", "label", "y", "Y")];
  const [rows, height, width, channels = 1] = found[imageName]!.shape as [number, number, number, number?];
  const pixels = Uint8Array.from(found[imageName]!.values ?? [], Number);
  const size = height * width * channels;
  const refused = Object.entries(found).find(
    ([name, one]) => one.refused !== undefined && !ignored.includes(name),
  );
  if (refused) throw new Error(`${refused[0]}: ${refused[1].refused}`);
  const columns = Object.entries(found)
    .filter(([name]) => name !== imageName && name !== labelName && !ignored.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const images = Array.from({ length: rows }, (_, i) => ({
    split: "train",
    label: String(found[labelName]!.values[i]),
    attributes: Object.fromEntries(columns.map(([name, { values }]) => [name, String(values[i])])),
    pixels: pixelText({ data: pixels.subarray(i * size, (i + 1) * size), height, width, channels }),
  }));
  return { images, ignored };
}

const pngOf = (i: number) => Buffer.from(encodePng(smallPixels(i)));

function tarOf(files: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = files.flatMap(([name, body]) => {
    const header = Buffer.alloc(512);
    header.write(name);
    header.write("0000644\0", 100);
    header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
    header.write("0", 156);
    header.write("ustar\x0000", 257, "latin1");
    let sum = 256;
    for (const [i, byte] of header.entries()) if (i < 148 || i > 155) sum += byte;
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

const foreignTar: FuzzedFormat = {
  name: "tar",
  covers: ["format webdataset"],
  mutators: [tarHeaders, tarRecords],
  seed: async (folder) => {
    const files = Array.from({ length: 6 }, (_, i) => [
      [`s${i}.png`, pngOf(i)] as const,
      [`s${i}.cls`, Buffer.from(String(labels[i]))] as const,
      [
        `s${i}.json`,
        Buffer.from(JSON.stringify({ colour: attributes.colour!.values[i], note: "a" })),
      ] as const,
    ]).flat();
    writeFileSync(join(folder, "train-000000.tar"), tarOf(files));
    return "train-000000.tar";
  },
  read: (folder, file) => datasetContent(join(folder, file)),
  other: async (folder, file, ours) =>
    tarContent(await refereeReads("tar", join(folder, file)), ours as DatasetContent),
};

/** As WebDataset groups them: neighbours whose names are equal up to the first dot. */
async function tarContent(archive: unknown, ours: DatasetContent): Promise<unknown> {
  const { ignored } = ours;
  if (archive === noOpinion) return noOpinion;
  const samples: { key: string; parts: Map<string, Buffer> }[] = [];
  for (const [name, text] of archive as [string, string][]) {
    const body = Buffer.from(text, "base64");
    const [, key = name, ending = ""] = /^(.*?\/?[^/.]*)\.([^/]*)$/.exec(name) ?? [];
    if (samples.at(-1)?.key !== key) samples.push({ key, parts: new Map() });
    if (samples.at(-1)!.parts.has(ending.toLowerCase())) throw new Error(`${name} twice in a sample`);
    samples.at(-1)!.parts.set(ending.toLowerCase(), body);
  }
  const rows = samples.map(({ parts }) => {
    const values = new Map<string, string>();
    for (const [ending, body] of parts) {
      if (ending === "cls") values.set("label", body.toString("utf8").trim());
      if (ending !== "json") continue;
      // Numbers that JavaScript would round stay what is written; what Python writes for no number is nothing to ours.
      const exact = body
        .toString("utf8")
        .replaceAll(/(:\s*)(-?\d{16,})(?=\s*[,}])/g, '$1"$2"')
        .replaceAll(/(:\s*)(-?Infinity|NaN)(?=\s*[,}])/g, "$1null");
      const record = JSON.parse(exact) as Record<string, unknown>;
      for (const [name, value] of Object.entries(record))
        if (value === null || typeof value !== "object")
          values.set(name, String((value as string | null) ?? ""));
    }
    values.delete("split");
    return { values, png: parts.get("png")! };
  });
  const names = new Set(rows.flatMap(({ values }) => [...values.keys()]));
  names.delete("label");
  for (const name of ignored) names.delete(name);
  const images = await Promise.all(
    rows.map(async ({ values, png }) => ({
      split: "train",
      label: values.get("label")!,
      attributes: Object.fromEntries([...names].sort().map((name) => [name, values.get(name) ?? ""])),
      pixels: pixelText(await decodeImage(png)),
    })),
  );
  // Python ends quietly at a header that it does not understand.
  return images.length < ours.images.length ? noOpinion : { images, ignored };
}

const imageTable: FuzzedFormat = {
  name: "metadata.csv",
  covers: ["layout table"],
  mutators: tableMutators,
  seed: async (folder) => {
    mkdirSync(join(folder, "d"));
    const rows = Array.from({ length: 8 }, (_, i) => {
      writeFileSync(join(folder, "d", `${i}.png`), pngOf(i));
      return `${i}.png,${classNames[labels[i]!]},${splitOf(i)},${attributes.colour!.values[i]}`;
    });
    writeFileSync(join(folder, "d", "metadata.csv"), `img_filename,y,split,colour\n${rows.join("\n")}\n`);
    return join("d", "metadata.csv");
  },
  read: (folder) => datasetContent(join(folder, "d")),
  other: (folder, file) => refereeReads("table", join(folder, file)),
  differs: (ours, theirs) => rowsDiffer(ours as DatasetContent, theirs as SeparatedRows, true),
};

/** Rows by separator, or why there are none. */
type SeparatedRows = Record<string, string[][] | string>;

/**
 * Whether each image has the label and the values of a row, rows in some order of splits; which column is which is ours
 * to say, and what layouts call their values (`isVerbatim` of tables of one's own).
 */
function rowsDiffer(
  { images }: DatasetContent,
  found: SeparatedRows,
  isVerbatim: boolean,
): string | undefined {
  const reasons = Object.values(found).map((rows) => {
    if (typeof rows === "string") return rows;
    const [header = [], ...body] = rows;
    if (body.length !== images.length) return `${images.length} images of ${body.length} rows`;
    // What counts as white space around a cell, beyond spaces and tabs, is everybody's own.
    const open = body.map((row) => new Map(header.map((name, i) => [name.trim(), row[i]?.trim() ?? ""])));
    for (const { label, attributes } of images) {
      const fits = open.findIndex((row) => {
        const labels = row.has("y") ? [row.get("y")] : [...row.values()];
        return (
          (!isVerbatim || labels.includes(label.trim())) &&
          Object.entries(attributes).every(([name, value]) => {
            const cell = row.get(name.trim());
            return [undefined, value.trim()].includes(cell) || cell?.replace(",", ".") === value.trim();
          })
        );
      });
      if (fits < 0) return `no row of ${JSON.stringify({ label, attributes })}`;
      open.splice(fits, 1);
    }
    return undefined;
  });
  return reasons.includes(undefined) ? undefined : reasons[0];
}

const waterbirds: FuzzedFormat = {
  name: "waterbirds",
  covers: ["layout waterbirds"],
  mutators: tableMutators,
  seed: async (folder) => {
    mkdirSync(join(folder, "d"));
    const rows = Array.from({ length: 8 }, (_, i) => {
      writeFileSync(join(folder, "d", `${i}.png`), pngOf(i));
      return `${i + 1},${i}.png,${labels[i]},${splits.values[i]},${i % 2},p${i}`;
    });
    const header = "img_id,img_filename,y,split,place,place_filename";
    writeFileSync(join(folder, "d", "metadata.csv"), `${header}\n${rows.join("\n")}\n`);
    return join("d", "metadata.csv");
  },
  read: (folder) => datasetContent(join(folder, "d")),
  other: (folder, file) => refereeReads("table", join(folder, file)),
  differs: (ours, theirs) => rowsDiffer(ours as DatasetContent, theirs as SeparatedRows, false),
};

const camelyon: FuzzedFormat = {
  name: "wilds camelyon17",
  covers: ["layout wilds"],
  mutators: tableMutators,
  seed: async (folder) => {
    const header = ",patient,node,x_coord,y_coord,tumor,slide,center,split";
    const rows = Array.from({ length: 6 }, (_, i) => {
      const place = join(folder, "d", "patches", `patient_00${i}_node_1`);
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `patch_patient_00${i}_node_1_x_${i}_y_2.png`), pngOf(i));
      return `${i},00${i},1,${i},2,${i % 2},${i},${i % 5},${i % 2}`;
    });
    writeFileSync(join(folder, "d", "metadata.csv"), `${header}\n${rows.join("\n")}\n`);
    return join("d", "metadata.csv");
  },
  read: (folder) => datasetContent(join(folder, "d")),
  other: (folder, file) => refereeReads("table", join(folder, file)),
  differs: (ours, theirs) => rowsDiffer(ours as DatasetContent, theirs as SeparatedRows, false),
};

const foreignParquet: FuzzedFormat = {
  name: "parquet (without dataset.json)",
  covers: ["format parquet"],
  mutators: parquetMutators,
  seed: async (folder) => {
    await ours(folder, "parquet");
    const name = "train-00000-of-00001.parquet";
    writeFileSync(join(folder, name), readFileSync(join(folder, "d", "data", name)));
    return name;
  },
  read: (folder, file) => datasetContent(join(folder, file)),
  other: async (folder, file, ours) => parquetContent(join(folder, file), ours as DatasetContent),
};

async function parquetContent(path: string, { ignored }: DatasetContent): Promise<DatasetContent> {
  const rows = await duckRows(`select * from read_parquet('${path}')`);
  const images = await Promise.all(
    rows.map(async (row) => {
      const { image, label, split, ...rest } = row as Record<string, unknown> & {
        image: { bytes: Uint8Array };
      };
      return {
        split: typeof split === "string" ? split : "train",
        label: String(label),
        attributes: Object.fromEntries(
          Object.entries(rest)
            .filter(([name]) => !ignored.includes(name))
            .map(([name, value]) => [name, duckText(value)] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        pixels: pixelText(await decodeImage(image.bytes)),
      };
    }),
  );
  return { images, ignored };
}

export const datasetFormats: readonly FuzzedFormat[] = [
  foreignNpz("npz", false),
  foreignNpz("npz (compressed)", true),
  own("npz (ours)", "npz", "dataset.npz", arrayMutators, ["format npz"]),
  foreignTar,
  own("tar (ours)", "webdataset", "train-000000.tar", [tarHeaders, tarRecords], ["format webdataset"]),
  foreignParquet,
  own("parquet (ours)", "parquet", "data/train-00000-of-00001.parquet", parquetMutators, ["format parquet"]),
  imageTable,
  own("folder (ours)", "folder", "metadata.csv", tableMutators, ["format folder"]),
  own("folder, an image", "folder", "train/000001.png", [pngChunks, pngExtras], ["format folder"]),
  own("dataset.json", "folder", "dataset.json", [jsonFile, jsonWords], ["format folder"]),
  waterbirds,
  camelyon,
];
