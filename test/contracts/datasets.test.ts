/** What every dataset in the registry must do. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { contentMadeBy, datasetChecks } from "../../src/contracts/datasets.ts";
import { ContentHasher, digestLength } from "../../src/core/content-hash.ts";
import type { Dataset } from "../../src/core/dataset.ts";
import { parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import type { Manifest } from "../../src/formats/manifest.ts";
import { writeCeleba } from "../helpers/celeba.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { jsonHere } from "../helpers/in-process.ts";

const root = temporaryFolder();

/** What datasets need that people bring themselves, in small. */
const brought: Record<string, readonly string[]> = {
  celeba: [`folder=${await writeCeleba(join(root, "people's celeba"))}`],
};

/** Content hashes of the small form at seed 0, by name and version: equal versions must keep giving equal images. */
const golden = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "dataset-hashes.json"), "utf8"),
) as Record<string, string>;

const readme = readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8");

describe.each(datasets.entries.map((definition) => [definition.name, definition] as const))(
  "%s",
  (name, definition) => {
    const small = [...(brought[name] ?? []), ...definition.small];
    const build = (seed: number) => definition.build(parseAssignments(definition.settings, small), seed);

    const made = new Map<number, Promise<string>>();
    const contentBy = (workers: number) => {
      const known = made.get(workers) ?? (workers === 0 ? contentHere() : contentOnDisk(workers));
      made.set(workers, known);
      return known;
    };
    const contentHere = async () => contentMadeBy(0, await build(0));
    const contentOnDisk = async (workers: number) => {
      const set = small.flatMap((assignment) => ["--set", assignment]);
      const out = join(root, `${name}${workers}`);
      const words = ["data", "make", name, ...set, "--workers", String(workers), "--out", out];
      return (await jsonHere<Manifest>(words)).hash;
    };

    test.each(
      datasetChecks(definition, { set: brought[name] ?? [], contentBy }).map(
        (check) => [check.name, check] as const,
      ),
    )("%s", (_, check) => check.run());

    test("the content of this version is what it was", async () => {
      const dataset = await build(0);
      const hash = definition.pixelsDependOnProcessor ? hashOfColumns(dataset) : await contentBy(0);
      const key = `${name}@${definition.version}`;
      expect(golden[key], `a new version needs a new line in dataset-hashes.json: "${key}": "${hash}"`).toBe(
        hash,
      );
    });

    test("the README's table has a row for it", () => {
      expect(readme.split("\n").some((line) => line.startsWith(`| [\`${name}\`](`))).toBe(true);
    });

    test("its description is more than a word, and its paper has a year", () => {
      expect(definition.description.length).toBeGreaterThan(80);
      expect(definition.paper).toMatch(/\d{4}/);
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
