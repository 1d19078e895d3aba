/** Pictures of one's own beside images, by name: carried into the dataset, refused where they do not fit. */

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAssignments } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { convertDataset } from "./convert-dataset.ts";
import { parseGivenSide } from "./given-sides.ts";
import { formats } from "./index.ts";
import { openDataset } from "./open-dataset.ts";
import { writeDataset } from "./write-dataset.ts";

const root = mkdtempSync(join(tmpdir(), "given-sides-"));
const place = (name: string) => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

const write = async (name: string, seed: number, size: string) => {
  const definition = datasets.get("urban-cars");
  const set = [size, "count.train=4", "count.val=2", "count.test=0"];
  const pools = ["backgrounds.train=1", "backgrounds.val=1", "backgrounds.test=1"];
  const dataset = await definition.build(parseAssignments(definition.settings, [...set, ...pools]), seed);
  const format = formats.get("folder");
  const options = { format, encoding: "png", sideImages: false, workers: 0, force: false } as const;
  await writeDataset(dataset, { out: place(name), ...options });
};

beforeAll(async () => {
  await write("own", 0, "size=64");
  await write("copies", 1, "size=64");
  await write("large", 1, "size=128");
});

const convert = (from: string, side: string, out: string) =>
  convertDataset(place(from), {
    to: "npz",
    out: place(out),
    skipBroken: false,
    workers: 0,
    force: false,
    mapping: {},
    given: [parseGivenSide(side)],
  });

test("the copies are the dataset's side images, in any format, and the images stay as they are", async () => {
  await convert("own", `stylised=${place("copies")}`, "both");
  const { dataset } = await openDataset(place("both"), {});
  const [own, copies] = [await openDataset(place("own"), {}), await openDataset(place("copies"), {})];
  for (let i = 0; i < 6; i++) {
    const side = await dataset.sideImages!.stylised!.pixels(i);
    expect(side.data).toEqual((await copies.dataset.images.pixels(i)).data);
    const [kept, before] = [await dataset.images.pixels(i), await own.dataset.images.pixels(i)];
    expect(Buffer.compare(kept.data, before.data)).toBe(0);
  }
});

test("copies of another size, or that are missing, or without a name, are refused", async () => {
  await expect(convert("own", `stylised=${place("large")}`, "no")).rejects.toThrow(/64/);
  copyFileSync(join(place("copies"), "train", "000001.png"), join(place("copies"), "val", "000009.png"));
  rmSync(join(place("copies"), "train", "000001.png"));
  await expect(convert("own", `stylised=${place("copies")}`, "no")).rejects.toThrow(
    /no file of the same name in --side stylised/,
  );
  expect(() => parseGivenSide("stylised")).toThrow(/cannot read "stylised"/);
});
