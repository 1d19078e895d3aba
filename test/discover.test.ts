/** `data discover` as people call it: a folder whose classes differ in how their files were made, and one whose classes do not. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { answerOf } from "../src/audits/ask.ts";
import type { AuditedFeatures } from "../src/audits/audit.ts";
import type { DiscoverAnswer } from "../src/audits/discover/answer.ts";
import { discoverAudit } from "../src/audits/discover/audit.ts";
import { nearDuplicates } from "../src/audits/discover/grouping/near-duplicates.ts";
import { unitsOf } from "../src/audits/discover/grouping/units.ts";
import { featureColumns } from "../src/audits/discover/measuring/feature-columns.ts";
import { drawImages, measureImages } from "../src/audits/discover/measuring/measure-images.ts";
import { properties } from "../src/audits/discover/properties/index.ts";
import { findShortcuts } from "../src/audits/discover/testing/find-shortcuts.ts";
import { cutProperty } from "../src/audits/discover/testing/parts.ts";
import { openSubject, type SubjectOptions } from "../src/audits/open-subject.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { randomStream } from "../src/core/random.ts";
import { datasets } from "../src/datasets/index.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const [leak, fair, scans] = ["leak", "fair", "scans"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];

/** Waves of colour: no two are alike. */
function scene(seed: number): Sharp {
  const random = randomStream(seed, "test/discover").at(0);
  const waves = Array.from({ length: 5 }, () => Array.from({ length: 6 }, () => random.uniform()));
  const [width, height] = [48, 36];
  const data = Uint8Array.from({ length: 3 * width * height }, (_, i) => {
    const [x, y, channel] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width), i % 3];
    const value = waves.reduce(
      (sum, [a, b, c, ...s]) => sum + 50 * s[channel]! * Math.sin(a! * x * 0.4 + b! * y * 0.4 + 6 * c!),
      128,
    );
    return Math.max(0, Math.min(255, value));
  });
  return sharp(data, { raw: { width, height, channels: 3 } });
}

type Save = (image: Sharp, path: string, i: number) => Promise<unknown>;

async function folder(path: string, each: number, save: Readonly<Record<string, Save>>): Promise<void> {
  let seed = 0;
  for (const split of ["train", "test"])
    for (const [name, write] of Object.entries(save)) {
      mkdirSync(join(path, split, name), { recursive: true });
      for (let i = 0; i < (split === "train" ? each : each / 4); i++)
        await write(scene(seed++), join(path, split, name, `bild${(7919 * seed) % 10_007}`), i);
    }
}

const jpeg: Save = (image, path) => image.jpeg({ quality: 90 }).toFile(`${path}.jpg`);

async function discovered(
  path: string,
  question: object = {},
  options: SubjectOptions = {},
): Promise<DiscoverAnswer> {
  const { subject, close } = await openSubject("dataset", [path], options);
  try {
    return (await answerOf(discoverAudit, { workers: 0, ...question }, subject)).answer;
  } finally {
    await close();
  }
}

beforeAll(async () => {
  await folder(leak, 48, {
    Tier: (image, path) => image.greyscale().png().toFile(`${path}.png`),
    "Kein Tier": jpeg,
  });
  // A training image once more in test, smaller and of another quality.
  const copy = scene(48).resize(40, 30).jpeg({ quality: 55 });
  await copy.toFile(join(leak, "test", "Kein Tier", "<script>alert(1).jpg"));
  await folder(fair, 48, { a: jpeg, b: jpeg });
});

describe("animals are grey PNG files, all else colour JPEG files, and one picture is in both splits", () => {
  test("what gives the class away is found, with numbers and examples", async () => {
    const { findings, lookAlikes, classifiers, thresholds, clusters } = await discovered(leak);
    const own = findings.filter(({ explainedBy }) => explainedBy === null).map(({ property }) => property);
    expect(own).toEqual(["colour mode", "format"]);
    const grey = findings.find((each) => each.property === "colour mode" && each.class === "Tier")!;
    expect(grey).toMatchObject({
      statement: "colour mode is grey",
      effect: 1,
      share: 1,
      elsewhere: 0,
      high: 1,
    });
    expect(grey.low).toBeGreaterThan(0.6);
    expect(grey.pValue).toBeLessThan(1e-6);
    expect(grey.examples.having[0]).toMatch(/^train\/Tier\/bild\d+\.png$/);
    expect(grey.examples.lacking).toEqual([]);
    expect(thresholds).toEqual({ effect: 0.2, rate: 0.05, by: "Benjamini–Yekutieli" });
    expect(lookAlikes).toMatchObject({ groups: 1, images: 2, acrossSplits: 1, acrossClasses: 0 });
    expect(lookAlikes.examples[0]!.images[1]).toContain("<script>");
    expect(classifiers.find(({ name }) => name === "metadata alone")).toMatchObject({
      accuracy: 1,
      guessing: 0.5,
    });
    expect(clusters).toEqual({ count: 96, by: ["looks"] });
  });

  test("the same whatever the number of threads, and from the program", async () => {
    const { shown: _, ...answer } = await discovered(leak);
    expect(await jsonHere(["data", "discover", leak, "--workers", "2"])).toEqual(answer);
  });

  test("without encoding and colour nothing remains", async () => {
    const { without, findings } = await discovered(leak, { without: ["encoding", "colour"] });
    expect(findings.length).toBeGreaterThan(10);
    expect(without!.removed).toEqual(["encoding", "colour"]);
    expect(without!.findings).toEqual([]);
    for (const { name, low } of without!.classifiers) expect([name, low < 0.5]).toEqual([name, true]);
    // Colour alone leaves what files say, encoding alone leaves what pixels show.
    const properties = async (what: string) =>
      (await discovered(leak, { without: [what] })).without!.findings.map(({ property }) => property);
    expect(await properties("colour")).toContain("format");
    expect(await properties("encoding")).toContain("colour mode");
    expect(await properties("encoding")).not.toContain("format");
  });

  test("a page shows the pictures, and no name is a part of it", async () => {
    const page = join(root, "page.html");
    const { code, stdout } = await ranHere(["data", "discover", leak, "--report", page]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /"Kein Tier": colour mode is colour \(likewise [^)]+\) in 100% of its images, in 0% of all others/,
    );
    const html = readFileSync(page, "utf8");
    // Four with it, four without, and the picture that is there twice.
    expect(html.match(/<img src="data:image\/png/g)).toHaveLength(10);
    expect(html).not.toContain("<script");
  });
});

test("where classes do not differ nothing is found, and what could have been is told", async () => {
  const { findings, visible, leftOut, lookAlikes } = await discovered(fair);
  expect(findings).toEqual([]);
  expect(lookAlikes.groups).toBe(0);
  expect(visible).toBeGreaterThan(0.3);
  expect(leftOut).toEqual([]);
});

test("of a patient's many images one counts; a patient in two splits is a leak", async () => {
  mkdirSync(scans);
  const rows = ["file,y,split,patient"];
  // Six patients of each class, who differ in brightness; twenty images each.
  for (let patient = 0; patient < 12; patient++)
    for (let i = 0; i < 20; i++) {
      const name = `${patient}-${i}.png`;
      await scene(20 * patient + i)
        .linear(1, 40 * (patient % 2))
        .png()
        .toFile(join(scans, name));
      rows.push(`${name},${patient % 2},${i === 19 && patient === 3 ? "test" : "train"},p${patient}`);
    }
  writeFileSync(join(scans, "metadata.csv"), `${rows.join("\n")}\n`);
  const columns = { reading: { columns: { image: "file" } } };
  const plain = await discovered(scans, {}, columns);
  expect(plain.findings.some(({ property }) => property === "brightness")).toBe(true);
  expect(plain.leaks.find(({ by }) => by === "patient")).toMatchObject({
    crossing: 1,
    leaked: 1,
    outside: 1,
  });
  const clustered = await discovered(scans, { clusterBy: ["patient"] }, columns);
  expect(clustered.clusters).toEqual({ count: 12, by: ["looks", "patient"] });
  // Ids are no cues, but can be what images belong together by.
  const ids = [
    "file,y,visit",
    ...rows.slice(1).map((row, i) => `${row.split(",").slice(0, 2).join(",")},v${i >> 1}`),
  ];
  writeFileSync(join(scans, "visits.csv"), `${ids.join("\n")}\n`);
  const visits = ["--image-column", "file", "--cluster-by", "visit"];
  const { clusters } = await jsonHere<DiscoverAnswer>([
    "data",
    "discover",
    join(scans, "visits.csv"),
    ...visits,
  ]);
  expect(clusters).toEqual({ count: 120, by: ["looks", "visit"] });
  expect(clustered.findings).toEqual([]);
});

test("datasets without files say what is left out", async () => {
  const { leftOut, findings } = await discovered("colored-mnist", {}, { set: ["trainPerEnvironment=300"] });
  expect(leftOut.map(({ of }) => of)).toEqual(["name", "file"]);
  const own = findings.filter(({ explainedBy }) => explainedBy === null).map(({ property }) => property);
  expect(own).toEqual(["hue"]);
});

test("labels shuffled 200 times: at most 16 draws find anything among real images", async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 150 }, 0);
  const { count } = dataset.images;
  const drawn = drawImages(count, [], 0);
  const measured = await measureImages(dataset, { without: [], workers: 0, drawn });
  const { images, chosen } = unitsOf(
    [...dataset.labels.keys()],
    await nearDuplicates(measured),
    measured.digests,
  );
  const cuts = properties.flatMap(
    (property, p) => cutProperty(property, measured.columns[p]!, images, chosen) ?? [],
  );
  const labels = Uint16Array.from(images, (index) => dataset.labels[index]!);
  const random = randomStream(0, "test/shuffled").at(0);
  let draws = 0;
  for (let draw = 0; draw < 200; draw++) {
    random.shuffle(labels);
    // Without the least difference, which would hide what the test does.
    const { found } = await findShortcuts({
      cuts,
      labels,
      chosen,
      classes: 2,
      thresholds: { effect: 0, rate: 0.05 },
    });
    if (found.length > 0) draws++;
  }
  expect(draws).toBeLessThanOrEqual(16);
});

test("features become components, and those of other images are refused", () => {
  const dataset = {
    labels: Uint16Array.from({ length: 60 }, (_, i) => i % 2),
    classNames: ["a", "b"],
    images: { count: 60 },
  };
  // Along (3, 4) / 5, from -29.5 to 29.5, and a tenth as far across it.
  const place = (i: number) => i - 29.5;
  const across = (i: number) => (i % 2 === 0 ? 1 : -1);
  const features = Float32Array.from({ length: 120 }, (_, at) => {
    const i = at >> 1;
    return at % 2 === 0 ? 0.6 * place(i) - 0.8 * across(i) : 0.8 * place(i) + 0.6 * across(i);
  });
  const given = { title: "F", features, width: 2, dataset } as unknown as AuditedFeatures;
  const [first, second] = featureColumns(dataset as unknown as Dataset, given);
  expect(first!.property).toMatchObject({ name: "component 1", of: "features" });
  const sign = Math.sign(first!.column.values[59]!);
  for (const i of [0, 20, 59]) expect(sign * first!.column.values[i]!).toBeCloseTo(place(i), 0);
  expect(Math.abs(second!.column.values[3]!)).toBeCloseTo(1, 0);
  const others = { ...given, dataset: { ...dataset, labels: dataset.labels.map((label) => 1 - label) } };
  expect(() => featureColumns(dataset as unknown as Dataset, others as unknown as AuditedFeatures)).toThrow(
    "other classes",
  );
});

test.each([
  [{ split: "trian" }, /no split "trian"[\s\S]*did you mean "train"\?/],
  [{ without: ["color"] }, /without[\s\S]*colour/],
  [{ clusterBy: ["patient"] }, /no column "patient"/],
  [{ effect: 7 }, /effect/],
  [{ split: "val" }, /no image to look at/],
] as const)("%j is refused", async (question, message) => {
  await expect(discovered(fair, question)).rejects.toThrow(message);
});
