/** Sheets of the gallery: one model's maps beside its image, several models beside each other, a row for every version. */

import sharp from "sharp";
import { expect, test } from "vitest";
import type { Dataset } from "../../core/dataset.ts";
import type { PictureFile } from "../../core/section.ts";
import type { LookedModel, LooksAnswer } from "./answer.ts";
import { looksGallery } from "./pictures.ts";

const side = 8;
const image = { height: side, width: side, channels: 3 };
const versionNames = ["as it is", "with a chinese watermark"];

/** Its map is 1 in one column of pixels, so that it is told from others. */
function looked(model: string, methods: string[], column: number): LookedModel {
  const map = Float32Array.from({ length: side * side }, (_, p) => (p % side === column ? 1 : 0));
  const seen = () =>
    new Map([[0, { predicted: "cow", probability: 0.9, maps: new Map(methods.map((name) => [name, map])) }]]);
  return {
    look: { model, methods, regions: [], randomised: [], open: [], flips: null, remarks: [] },
    network: {
      name: model,
      image,
      classes: 2,
      logits: async () => new Float32Array(2),
      gradients: undefined,
    },
    seen: new Map(versionNames.map((name) => [name, seen()])),
    seconds: [],
  };
}

function answerOf(models: LookedModel[], versions: number): LooksAnswer {
  return {
    dataset: {
      images: { describe: (i: number) => `image ${i}` },
      classNames: ["cow", "van"],
    } as unknown as Dataset,
    split: "test",
    class: "predicted",
    images: 1,
    indices: Uint32Array.of(0),
    labels: Uint16Array.of(0),
    groups: ["all images"],
    shown: [0],
    versions: versionNames
      .slice(0, versions)
      .map((name) => ({ name, bytes: new Uint8Array(side * side * 3).fill(90), regions: new Map() })),
    fill: [0, 0, 0],
    models,
  };
}

async function sheetOf(answer: LooksAnswer) {
  const gallery = looksGallery(answer);
  const { png, width, height } = (await gallery.pictures[0]!.draw()) as PictureFile;
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { gallery, width, height, red: (x: number, y: number) => data[(y * width + x) * 3]! };
}

const tiles = (count: number) => 130 * count - 2;

test("one model has its maps in a row, beside the image", async () => {
  const { gallery, width, height } = await sheetOf(answerOf([looked("a", ["grad-cam", "occlusion"], 2)], 1));
  expect([width, height]).toEqual([tiles(3), tiles(1)]);
  expect(gallery.caption).toContain("From the left: the image, Grad-CAM, Occlusion;");
  expect(gallery.pictures[0]!.label).toContain("said: cow 90%");
});

test("several models stand side by side, each with its own map; versions are rows", async () => {
  const models = ["a", "b", "c"].map((name, k) => looked(name, ["grad-cam"], 2 * k + 1));
  const { gallery, width, height, red } = await sheetOf(answerOf(models, 2));
  expect([width, height]).toEqual([tiles(4), tiles(2)]);
  expect(gallery.caption).toContain("the image, Grad-CAM of a, Grad-CAM of b, Grad-CAM of c;");
  expect(gallery.caption).toContain("Rows: as it is; with a chinese watermark.");
  expect(gallery.pictures[0]!.label).toContain("c, with a chinese watermark: cow 90%");
  // The lightest place of each model's tile is where its map is highest, in both rows.
  for (const row of [0, 1])
    for (const k of [0, 1, 2]) {
      const at = (column: number) => red(130 * (k + 1) + 16 * column + 8, 130 * row + 64);
      const columns = Array.from({ length: side }, (_, column) => at(column));
      expect(columns.indexOf(Math.max(...columns))).toBe(2 * k + 1);
    }
});
