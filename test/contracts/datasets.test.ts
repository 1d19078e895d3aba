/** What every dataset in the registry must do. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ContentHasher, digestLength, pixelDigest } from "../../src/core/content-hash.ts";
import type { Dataset } from "../../src/core/dataset.ts";
import { describeSettings, parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import type { Manifest } from "../../src/formats/manifest.ts";
import { writeCeleba } from "../helpers/celeba.ts";
import { cuelabJson } from "../helpers/cuelab.ts";
import { temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

/** What datasets need that people bring themselves, in small. */
const brought: Record<string, readonly string[]> = {
  celeba: [`folder=${await writeCeleba(join(root, "people's celeba"))}`],
};

/** Content hashes of the small form at seed 0, by name and version: equal versions must keep giving equal images. */
const golden = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "dataset-hashes.json"), "utf8"),
) as Record<string, string>;

describe.each(datasets.entries.map((definition) => [definition.name, definition] as const))(
  "%s",
  (name, definition) => {
    const small = [...(brought[name] ?? []), ...definition.small];
    const build = (seed: number) => definition.build(parseAssignments(definition.settings, small), seed);

    test("columns agree with each other and with their names", async () => {
      const { images, labels, classNames, attributes, splits } = await build(0);
      expect(images.count).toBeGreaterThan(0);
      expect(labels).toHaveLength(images.count);
      expect(splits.values).toHaveLength(images.count);
      expect(labels.every((label) => label < classNames.length)).toBe(true);
      expect(
        splits.values.every(
          (split, i) => split < splits.names.length && (i === 0 || split >= splits.values[i - 1]!),
        ),
      ).toBe(true);
      for (const [attribute, { values, valueNames, classValues }] of Object.entries(attributes)) {
        expect(values, attribute).toHaveLength(images.count);
        expect(
          values.every((value) => value < valueNames.length),
          attribute,
        ).toBe(true);
        expect(new Set(valueNames).size, attribute).toBe(valueNames.length);
        if (classValues) expect(classValues, attribute).toHaveLength(classNames.length);
      }
      expect(Object.values(attributes).some(({ role }) => role === "cue")).toBe(true);
    });

    test("every image has the declared shape", async () => {
      const { images } = await build(0);
      for (let i = 0; i < images.count; i += 17) {
        const { data, ...shape } = await images.pixels(i);
        expect(shape).toEqual(images.shape);
        expect(data).toHaveLength(shape.height * shape.width * shape.channels);
      }
    });

    test("the seed decides: same seed same content, other seed other content", async () => {
      const [first, again, other] = [
        await hashOf(await build(0)),
        await hashOf(await build(0)),
        await hashOf(await build(1)),
      ];
      expect(again).toBe(first);
      expect(other).not.toBe(first);
    });

    test("the content of this version is what it was", async () => {
      const dataset = await build(0);
      const hash = definition.pixelsDependOnProcessor ? hashOfColumns(dataset) : await hashOf(dataset);
      expect(
        golden[`${name}@${definition.version}`],
        "a new version needs a new line in dataset-hashes.json",
      ).toBe(hash);
    });

    test("images do not depend on the order in which they are asked for", async () => {
      const [forwards, backwards] = [(await build(0)).images, (await build(0)).images];
      const indices = [0, 5, 50, forwards.count - 1];
      const there = await Promise.all(indices.map(async (i) => pixelDigest(await forwards.pixels(i))));
      const back = [];
      for (const i of indices.toReversed()) back.unshift(pixelDigest(await backwards.pixels(i)));
      expect(back).toEqual(there);
    });

    test("1, 2 and 4 workers write the same content", async () => {
      const set = small.flatMap((assignment) => ["--set", assignment]);
      const hashes = [];
      for (const workers of ["1", "2", "4"]) {
        const { hash } = await cuelabJson<Manifest>([
          "data",
          "make",
          name,
          ...set,
          "--workers",
          workers,
          "--out",
          join(root, name + workers),
        ]);
        hashes.push(hash);
      }
      expect(new Set([...hashes, await hashOf(await build(0))]).size).toBe(1);
    });

    test("it is described: title, paper, settings, examples that parse", () => {
      expect(definition.description.length).toBeGreaterThan(80);
      expect(definition.paper).toMatch(/\d{4}/);
      for (const { key, description, required } of describeSettings(definition.settings)) {
        expect(description, key).not.toBe("");
        if (required) expect(definition.examples.join(), key).toContain(`${key}=`);
      }
      expect(() => parseAssignments(definition.settings, definition.examples)).not.toThrow();
    });
  },
);

/**
 * Labels, splits and attributes, with nothing in the pixels' place: Skia's drawings differ in their last bits between
 * kinds of processor, so that no list of hashes could hold for all.
 */
function hashOfColumns(dataset: Dataset): string {
  const hasher = new ContentHasher(dataset);
  hasher.update(new Uint8Array(digestLength * dataset.images.count));
  return hasher.digest();
}

async function hashOf(dataset: Dataset): Promise<string> {
  const hasher = new ContentHasher(dataset);
  for (let i = 0; i < dataset.images.count; i++) hasher.update(pixelDigest(await dataset.images.pixels(i)));
  return hasher.digest();
}
