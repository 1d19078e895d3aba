/** Folders of domains, as DomainBed and collections of sites keep them: recognised by class names that they share. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset } from "../src/core/dataset.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
let picture: Buffer;

beforeAll(async () => {
  picture = await sharp({ create: { width: 6, height: 5, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
});

function folder(name: string, paths: readonly string[]): string {
  for (const path of paths) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true });
    writeFileSync(join(root, name, path), picture);
  }
  return join(root, name);
}

/** Every combination, with `many` images each. */
function grid(domains: readonly string[], classes: readonly string[], many: number): string[] {
  return domains.flatMap((domain) =>
    classes.flatMap((label) => Array.from({ length: many }, (_, i) => `${domain}/${label}/pic_${i}.jpg`)),
  );
}

/** Images by environment, class and split: `sketch dog train` → 3. */
function tally({ images, labels, classNames, attributes, splits }: Dataset): Record<string, number> {
  const counts: Record<string, number> = {};
  const { values, valueNames } = attributes.environment!;
  for (let i = 0; i < images.count; i++) {
    const key = `${valueNames[values[i]!]} ${classNames[labels[i]!]} ${splits.names[splits.values[i]!]}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const pacs = ["art_painting", "cartoon", "photo", "sketch"];

describe("domains with folders of classes", () => {
  test("are an attribute, and a fifth of each is kept for measuring", async () => {
    const base = folder("PACS", grid(pacs, ["dog", "elephant"], 10));
    const { dataset, format, warnings } = await openDataset(base);
    expect(format).toBe("domain-folders");
    expect(dataset.classNames).toEqual(["dog", "elephant"]);
    expect(dataset.attributes.environment).toMatchObject({ valueNames: pacs, role: "other" });
    expect(dataset.provenance.statisticsBy).toBe("environment");
    for (const [i, domain] of pacs.entries()) {
      const parts = [0, 0, 0];
      dataset.attributes.environment!.values.forEach((value, image) => {
        if (value === i) parts[dataset.splits.values[image]!]!++;
      });
      expect([domain, ...parts]).toEqual([domain, 16, 4, 0]);
    }
    expect(warnings.join("\n")).toMatch(
      /taken for domains \(art_painting, [\s\S]*--layout class[\s\S]*a fifth/,
    );
    // The path must agree with what is said about it, after the images were ordered by split.
    dataset.labels.forEach((label, i) => {
      const environment = pacs[dataset.attributes.environment!.values[i]!];
      expect(dataset.images.describe(i)).toContain(`/${environment}/${dataset.classNames[label]}/`);
    });
  });

  test("keep their parts wherever they lie, also below folders that hold everything", async () => {
    const plain = await openDataset(folder("plain", grid(pacs, ["dog", "horse"], 7)));
    const inside = grid(pacs, ["dog", "horse"], 7).map((path) => `PACS/kfold/${path}`);
    const wrapped = await openDataset(folder("wrapped", inside));
    const held = ({ dataset }: typeof plain) =>
      Array.from({ length: dataset.images.count }, (_, i) => i)
        .filter((i) => dataset.splits.values[i] === 1)
        .map((i) => dataset.images.describe(i).split("/").slice(-3).join("/"));
    expect(held(wrapped)).toEqual(held(plain));
    // 14 images a domain: two of them.
    expect(held(plain)).toHaveLength(8);
  });

  test("may lack classes, as sites and camera traps do", async () => {
    const base = folder("sites", [
      ...grid(["hospital_a"], ["covid"], 5),
      ...grid(["hospital_b"], ["covid", "normal"], 5),
      ...grid(["hospital_c"], ["normal"], 5),
    ]);
    const { dataset } = await openDataset(base);
    expect(dataset.classNames).toEqual(["covid", "normal"]);
    const counts = tally(dataset);
    expect(counts["hospital_a covid train"]).toBe(4);
    expect(counts["hospital_a covid val"]).toBe(1);
    expect(Object.keys(counts).some((key) => key.startsWith("hospital_a normal"))).toBe(false);
  });

  test.each([
    ["above", "{split}/{domain}/{class}"],
    ["below", "{domain}/{split}/{class}"],
  ])("with folders of splits %s them keep those", async (where, pattern) => {
    const paths = ["train", "valid", "test"].flatMap((split) =>
      ["a", "b"].flatMap((domain) =>
        ["cat", "dog"].map(
          (label) =>
            `${pattern.replace("{split}", split).replace("{domain}", domain).replace("{class}", label)}/1.jpg`,
        ),
      ),
    );
    const { dataset, warnings } = await openDataset(folder(`splits-${where}`, paths));
    expect(tally(dataset)).toEqual(
      Object.fromEntries(
        ["a", "b"].flatMap((domain) =>
          ["cat", "dog"].flatMap((label) =>
            ["train", "val", "test"].map((split) => [`${domain} ${label} ${split}`, 1]),
          ),
        ),
      ),
    );
    expect(warnings.join()).not.toMatch(/a fifth/);
  });

  test("survive a conversion, role and all", async () => {
    const base = folder("terra", grid(["location_38", "location_43"], ["bird", "bobcat", "empty"], 5));
    const out = join(root, "terra-parquet");
    const options = { to: "parquet", out, skipBroken: false, mapping: {}, force: false, workers: 0 };
    await convertDataset(base, options);
    const { dataset } = await openDataset(out);
    expect(dataset.attributes.environment).toMatchObject({
      valueNames: ["location_38", "location_43"],
      role: "other",
    });
    expect(tally(dataset)).toEqual(tally((await openDataset(base)).dataset));
    const report = await checkDataset(out, { mapping: { cues: ["environment"] }, workers: 0 });
    expect(report.cues.map(({ cue }) => cue)).toContain("environment");
  });
});

describe("classes with folders inside", () => {
  test.each([
    ["names of their own", ["cat/tabby/1.jpg", "cat/siamese/2.jpg", "dog/pug/3.jpg", "dog/corgi/4.jpg"]],
    [
      "images and masks",
      ["covid/images/1.jpg", "covid/masks/1.jpg", "normal/images/2.jpg", "normal/masks/2.jpg"],
    ],
    ["one inner name", ["cat/raw/1.jpg", "dog/raw/1.jpg"]],
  ])("stay classes: %s", async (name, paths) => {
    const { dataset, format } = await openDataset(folder(`inner-${name}`, paths));
    expect(format).toBe("class-folders");
    expect(dataset.classNames).toEqual(paths[0]!.startsWith("covid") ? ["covid", "normal"] : ["cat", "dog"]);
    expect(Object.keys(dataset.attributes)).toEqual([]);
  });

  test("are read as is asked for, whatever their names", async () => {
    const ambiguous = folder("ambiguous", grid(["cat", "dog"], ["monday", "tuesday"], 2));
    expect((await openDataset(ambiguous)).dataset.classNames).toEqual(["monday", "tuesday"]);
    expect((await openDataset(ambiguous, { layout: "class" })).dataset.classNames).toEqual(["cat", "dog"]);
    const disjoint = folder("disjoint", ["siteA/covid/1.jpg", "siteB/normal/2.jpg", "stray/3.jpg"]);
    expect((await openDataset(disjoint)).dataset.classNames).toEqual(["siteA", "siteB", "stray"]);
    const { dataset, warnings } = await openDataset(disjoint, { layout: "domain-class" });
    expect(dataset.classNames).toEqual(["covid", "normal"]);
    expect(dataset.attributes.environment!.valueNames).toEqual(["siteA", "siteB"]);
    expect(warnings.join()).toMatch(/1 images lie in no domain's class[\s\S]*stray\/3\.jpg/);
  });

  test("or refused where that is not there", async () => {
    const flat = folder("flat", ["cat/1.jpg", "dog/2.jpg"]);
    await expect(openDataset(flat, { layout: "domain-class" })).rejects.toThrow(
      /no domains with folders of classes[\s\S]*got: cat\/1\.jpg/,
    );
    mkdirSync(join(root, "hollow/photo/dog"), { recursive: true });
    mkdirSync(join(root, "hollow/sketch/dog"), { recursive: true });
    await expect(openDataset(join(root, "hollow"))).rejects.toThrow(/no dataset found[\s\S]*no images/);
    writeFileSync(join(flat, "metadata.csv"), "img_filename,y\ncat/1.jpg,0\n");
    await expect(openDataset(flat, { layout: "class" })).rejects.toThrow(/--layout is for folders/);
  });
});

describe("Spawrious", () => {
  const locations = ["beach", "desert", "dirt", "jungle", "mountain", "snow"];
  const breeds = ["bulldog", "corgi", "dachshund", "labrador"];
  const all = (many: number) =>
    ["0", "1"].flatMap((half) => grid(locations, breeds, many).map((path) => `spawrious224/${half}/${path}`));

  test("is breeds at places, not places in halves", async () => {
    const { dataset, warnings } = await openDataset(folder("spawrious", all(1)));
    expect(dataset.classNames).toEqual(breeds);
    expect(dataset.attributes.location).toMatchObject({ valueNames: locations, role: "cue" });
    expect(dataset.attributes.half).toMatchObject({ valueNames: ["0", "1"], role: "other" });
    expect(warnings.join()).toMatch(/--layout spawrious-o2o-easy/);
  });

  /** Images by environment, breed, place and half. */
  const cells = ({ images, attributes, labels, splits }: Dataset) => {
    const counts: Record<string, number> = {};
    const { environment, location, half } = attributes;
    for (let i = 0; i < images.count; i++) {
      const [where, place, side] = [environment!, location!, half!].map(
        ({ values, valueNames }) => valueNames[values[i]!],
      );
      expect(where === "Test").toBe(splits.names[splits.values[i]!] === "test");
      const key = `${where}: ${breeds[labels[i]!]} ${place} ${side}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  };

  test("one to one: a place a breed, 97% and 87% of the time", async () => {
    const { dataset } = await openDataset(folder("one", all(8)), { layout: "spawrious-o2o-hard" });
    expect(dataset.attributes.environment!.valueNames).toEqual(["Test", "SC_group_1", "SC_group_2"]);
    // Of 8: ⌊7.76⌋ = 7 and 1 at the filler, ⌊6.96⌋ = 6 and 2. Lynch et al. 2023: bulldog jungle, dachshund mountain,
    // labrador snow, corgi desert in training; mountain, snow, desert, jungle in test; filler beach.
    expect(cells(dataset)).toEqual(
      Object.fromEntries(
        (
          [
            ["bulldog", "jungle", "mountain"],
            ["dachshund", "mountain", "snow"],
            ["labrador", "snow", "desert"],
            ["corgi", "desert", "jungle"],
          ] as const
        ).flatMap(([breed, train, away]) => [
          [`SC_group_1: ${breed} ${train} 0`, 7],
          [`SC_group_1: ${breed} beach 0`, 1],
          [`SC_group_2: ${breed} ${train} 1`, 6],
          [`SC_group_2: ${breed} beach 1`, 2],
          [`Test: ${breed} ${away} 0`, 8],
          [`Test: ${breed} ${away} 1`, 8],
        ]),
      ),
    );
  });

  test("many to many: pairs of breeds exchange their places", async () => {
    const { dataset } = await openDataset(folder("many", all(1)), { layout: "spawrious-m2m-hard" });
    expect(cells(dataset)).toEqual({
      "SC_group_1: bulldog dirt 0": 1,
      "SC_group_1: dachshund jungle 0": 1,
      "SC_group_1: labrador snow 0": 1,
      "SC_group_1: corgi beach 0": 1,
      "SC_group_2: bulldog jungle 0": 1,
      "SC_group_2: dachshund dirt 0": 1,
      "SC_group_2: labrador beach 0": 1,
      "SC_group_2: corgi snow 0": 1,
      "Test: bulldog snow 0": 1,
      "Test: bulldog beach 0": 1,
      "Test: dachshund beach 0": 1,
      "Test: dachshund snow 0": 1,
      "Test: labrador dirt 0": 1,
      "Test: labrador jungle 0": 1,
      "Test: corgi jungle 0": 1,
      "Test: corgi dirt 0": 1,
    });
  });

  test("needs the places of its challenge", async () => {
    const needed = all(2).filter((path) => !path.includes("1/dirt/bulldog"));
    const without = folder("without", needed);
    await expect(openDataset(without, { layout: "spawrious-o2o-easy" })).rejects.toThrow(
      /the challenge needs have no images[\s\S]*got: none in 1\/dirt\/bulldog\n/,
    );
  });
});
