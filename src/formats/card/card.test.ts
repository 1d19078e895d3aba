import { expect, test } from "vitest";
import { datasets } from "../../datasets/index.ts";
import { formats } from "../index.ts";
import type { Manifest } from "../manifest.ts";
import { croissant } from "./croissant.ts";
import { dataCard } from "./data-card.ts";

const manifest: Manifest = {
  cuelabDataset: 1,
  cuelabVersion: "0.0.0",
  name: "colored-mnist",
  title: "ColoredMNIST",
  description: "Digits.",
  license: "CC BY-SA 3.0",
  citation: "Arjovsky et al. 2019",
  format: "folder",
  encoding: "png",
  count: 189,
  splits: { train: 100, val: 26, test: 63 },
  image: { height: 28, width: 28, channels: 3 },
  classNames: ["below 5", "5 or above"],
  attributes: [{ name: "color", role: "cue", valueNames: ["red", "green"], description: "the shortcut" }],
  statisticsBy: "environment",
  generator: { name: "colored-mnist", version: 1 },
  settings: { labelNoise: 0.25 },
  seed: 0,
  sources: [],
  skipped: [{ image: "a|b.png", reason: "truncated" }],
  hash: `sha256:${"0".repeat(64)}`,
  files: [{ path: "metadata.csv", bytes: 12, sha256: "f".repeat(64) }],
};

/** As each format lists what it wrote. */
const written: Record<string, string[]> = {
  npz: ["dataset.npz", "records.csv"],
  webdataset: ["train", "val", "test"].flatMap((split) => [`${split}-000000.tar`, `records-${split}.csv`]),
};

function manifestOf(format: string): Manifest {
  const [file] = manifest.files;
  const paths = written[format];
  return paths ? { ...manifest, files: paths.map((path) => ({ ...file!, path })) } : manifest;
}

interface Node {
  "@type": string;
  "@id": string;
  [property: string]: unknown;
}

test.each(formats.entries.map((format) => [format.name, format] as const))(
  "Croissant of %s has what version 1.1 requires",
  (_, format) => {
    const document = croissant(manifestOf(format.name), format) as Record<string, unknown>;
    // Required by the specification, section "Dataset-level Information".
    for (const property of [
      "@context",
      "@type",
      "conformsTo",
      "description",
      "license",
      "name",
      "url",
      "creator",
      "datePublished",
      "distribution",
    ]) {
      expect(document[property], property).toBeTruthy();
    }
    expect(document.conformsTo).toBe("http://mlcommons.org/croissant/1.1");
    const files = document.distribution as Node[];
    const ids = new Set(files.map((file) => file["@id"]));
    expect(ids.size).toBe(files.length);
    for (const file of files) {
      expect(["cr:FileObject", "cr:FileSet"]).toContain(file["@type"]);
      expect(file.encodingFormat, file["@id"]).toBeTruthy();
      if (file["@type"] === "cr:FileSet") expect(file.includes).toBeTruthy();
      else expect(file.contentUrl).toBeTruthy();
      for (const { "@id": container } of [file.containedIn ?? []].flat() as Node[])
        expect(ids).toContain(container);
    }
    const sets = document.recordSet as (Node & { field: (Node & { source: Record<string, Node> })[] })[];
    // Names in archives are those of a split.
    expect(sets.map((set) => set["@id"])).toEqual(
      format.name === "webdataset" ? ["train", "val", "test"] : ["records"],
    );
    for (const set of sets) {
      for (const field of set.field) {
        expect(field["@id"]).toBe([set["@id"], field.name].join("/"));
        expect(field.dataType).toBeTruthy();
        const { fileObject, fileSet } = field.source;
        expect(ids).toContain((fileObject ?? fileSet)!["@id"]);
      }
      const names = set.field.map((field) => field.name);
      expect(names).toEqual(expect.arrayContaining(["color", "split"]));
    }
  },
);

test("the card has the picture, the counts, the cues and the way back", async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 50 }, 0);
  const card = dataCard(dataset, manifest, formats.get("folder"));
  expect(card).toMatch(/^---\npretty_name: "ColoredMNIST"/);
  expect(card).toContain('- split: validation\n        path: "val/**"');
  expect(card).toContain("](contact-sheet.png)");
  expect(card).toContain("| slice | class | color: red | color: green |\n| --- | --- | --- | --- |\n");
  expect(card).toContain("| color | environment 0.9 | 63 |");
  expect(card).toContain("a\\|b.png");
  expect(card).toContain(manifest.hash);
  const counts = [...card.matchAll(/^\| environment 0\.\d \| [^|]+ \| (\d+) \| (\d+) \|$/gm)].map(
    (row) => Number(row[1]) + Number(row[2]),
  );
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(189);
});

test("the card tells a cue from noise as data check does", async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 50 }, 0);
  // Each value as often in either class of each environment as the split of 50 allows: the order of images has nothing to do with them.
  const noise = {
    role: "cue" as const,
    valueNames: ["a", "b"],
    values: dataset.labels.map((_, i) => (i * 7) % 2),
  };
  const card = dataCard(
    { ...dataset, attributes: { ...dataset.attributes, noise } },
    manifest,
    formats.get("folder"),
  );
  expect(card).toContain(
    "| cue | slice | images | P(agrees) | V | 95% over images | by chance | p | norm. MI |",
  );
  expect(card).toMatch(/- color: of [^\n]+ have (red|green); of all others/);
  expect(card).toMatch(/- noise: goes with the class no more than chance would/);
});

interface Described {
  distribution: Node[];
  recordSet: [{ field: Node[] }];
}

const described = (format: string, changes: Partial<Manifest> = {}) =>
  croissant({ ...manifestOf(format), ...changes }, formats.get(format)) as Described;

test("Croissant joins the image files to the rows of the table by their path", () => {
  const { distribution, recordSet } = described("folder", { splits: { train: 189, val: 0 } });
  const field = (name: string) => recordSet[0].field.find((entry) => entry.name === name)!;
  expect(field("path")).toMatchObject({
    source: { fileSet: { "@id": "images" }, extract: { fileProperty: "fullpath" } },
    references: { fileObject: { "@id": "metadata.csv" }, extract: { column: "file_name" } },
  });
  expect(field("image")).not.toHaveProperty("references");
  expect(distribution.find((entry) => entry["@id"] === "images")!.includes).toEqual(["train/*.png"]);
  const jpeg = described("folder", { encoding: "jpeg" }).distribution[1]!;
  expect(jpeg).toMatchObject({
    includes: ["train/*.jpg", "val/*.jpg", "test/*.jpg"],
    encodingFormat: "image/jpeg",
  });
  const kept = described("webdataset", { encoding: "keep" }).distribution;
  expect(kept.find((entry) => entry["@id"] === "images-train")!.includes).toContain("*.webp");
  const attributes = [{ ...manifest.attributes[0]!, name: "path" }];
  const ids = described("folder", { attributes }).recordSet[0].field.map((entry) => entry["@id"]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("Croissant has the split where the data have it, and no shard contains the set of shards", () => {
  const split = described("folder").recordSet[0].field.find((entry) => entry["@id"] === "records/split");
  expect(split).toMatchObject({ dataType: "sc:Integer", description: "split: 0 train, 1 val, 2 test" });
  expect(described("npz").distribution.map((entry) => entry["@id"])).toContain("split.npy");
  const shards = described("parquet").distribution.find((entry) => entry["@id"] === "shards")!;
  expect(shards).not.toHaveProperty("containedIn");
});

test("the npz snippet is valid Python for any name of an attribute", () => {
  const attributes = [{ ...manifest.attributes[0]!, name: 'class of "hair"' }];
  const lines = formats
    .get("npz")
    .loading({ ...manifest, attributes })
    .split("\n");
  expect(lines).toContain(String.raw`data["class of \"hair\""]`);
});
