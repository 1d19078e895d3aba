/** Where things are: masks and boxes in files, and what segmenters and detectors of others find; audits of models use each. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset, Pixels } from "../src/core/dataset.ts";
import { encodePng } from "../src/images/png.ts";
import { type ThingWords, withThings } from "../src/training/asked/things/things.ts";
import { dataWordsOf } from "../src/training/named-data.ts";
import { openData } from "../src/training/training-data.ts";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { storedReference } from "./helpers/reference.ts";

const { height, width, places, boxes } = storedReference<{
  height: number;
  width: number;
  places: [number, number][];
  boxes: { boxes: number[][]; labels: number[]; scores: number[] }[];
}>("torch_things_onnx");

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const stored = (name: string) =>
  fileURLToPath(new URL(`references/things-onnx/${name}.onnx`, import.meta.url));
const resnet = fileURLToPath(new URL("references/onnx/resnet-legacy.onnx", import.meta.url));
const side = 16;

/** As the script paints it. */
function picture([left, top]: [number, number]): Pixels {
  const data = new Uint8Array(3 * height * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) {
        const isRed = x >= left && x < left + side && y >= top && y < top + side;
        data[3 * (y * width + x) + c] = isRed ? [250, 20, 10][c]! : ((x * 5 + y * 3 + c * 40) % 60) + 40;
      }
  return { data, height, width, channels: 3 };
}

function maskOf([left, top]: [number, number]): Pixels {
  const data = Uint8Array.from({ length: height * width }, (_, p) => {
    const [y, x] = [Math.floor(p / width), p % width];
    return x >= left && x < left + side && y >= top && y < top + side ? 255 : 0;
  });
  return { data, height, width, channels: 1 };
}

beforeAll(() => {
  const rows: string[] = [];
  for (const [i, place] of places.entries()) {
    const name = ["a", "b"][i % 2]!;
    for (const folder of ["photos", "masks"]) mkdirSync(at(folder, name), { recursive: true });
    writeFileSync(at("photos", name, `${i}.png`), encodePng(picture(place)));
    writeFileSync(at("masks", name, `${i}.png`), encodePng(maskOf(place)));
    rows.push(`${name}/${i}.png,thing,${place.join()},${side},${side}`, `${name}/${i}.png,thing,0,0,2,2`);
  }
  writeFileSync(at("boxes.csv"), `file,class,left,top,width,height\n${rows.join("\n")}\n`);
  const plain = { image_processor_type: "X", do_resize: false, image_mean: [0, 0, 0], image_std: [1, 1, 1] };
  writeFileSync(at("unit.json"), JSON.stringify(plain));
});

async function found(
  words: ThingWords,
): Promise<{ dataset: Dataset; placeOf: (index: number) => number; close: () => Promise<void> }> {
  const { dataset } = await openData(dataWordsOf(at("photos"), { set: [] }));
  const things = await withThings(dataset, words, { folder: at("photos") });
  const placeOf = (index: number) => Number(/(\d)\.png$/.exec(dataset.images.file!(index))![1]);
  return { dataset: things.dataset, placeOf, close: things.close };
}

/** Share of the pixels that only one of both has, of those that either has. */
function apart(a: Uint8Array, b: Uint8Array): number {
  let [either, both] = [0, 0];
  for (let p = 0; p < a.length; p++) {
    if (a[p]! > 127 || b[p]! > 127) either++;
    if (a[p]! > 127 && b[p]! > 127) both++;
  }
  return 1 - both / either;
}

describe("masks", () => {
  test.each<[string, () => ThingWords, number]>([
    ["in files", () => ({ masks: at("masks") }), 0],
    // Pictures go to the segmenter's own size and masks come back from it: edges may move by a pixel of sixteen.
    [
      "of a segmenter with open sides",
      () => ({ segmenter: stored("segmenter"), segmenterPreparation: at("unit.json") }),
      0.15,
    ],
    [
      "of one class of it",
      () => ({
        segmenter: stored("segmenter"),
        segmenterPreparation: at("unit.json"),
        segmenterClasses: [1],
      }),
      0.15,
    ],
    [
      "of a map of the thing alone",
      () => ({ segmenter: stored("saliency"), segmenterPreparation: at("unit.json") }),
      0.02,
    ],
  ])("%s", async (_, words, most) => {
    const { dataset, placeOf, close } = await found(words());
    for (let i = 0; i < places.length; i++) {
      const mask = await dataset.sideImages!.mask!.pixels(i);
      expect([mask.height, mask.width, mask.channels]).toEqual([height, width, 1]);
      expect(apart(mask.data, maskOf(places[placeOf(i)]!).data)).toBeLessThanOrEqual(most);
    }
    await close();
  });

  test("another class, and another output, are other masks", async () => {
    const none = await found({
      segmenter: stored("segmenter"),
      segmenterPreparation: at("unit.json"),
      segmenterClasses: [2],
    });
    expect((await none.dataset.sideImages!.mask!.pixels(0)).data.every((value) => value === 0)).toBe(true);
    await none.close();
    const coarse = await found({
      segmenter: stored("saliency"),
      segmenterPreparation: at("unit.json"),
      segmenterOutput: "coarse",
    });
    expect((await coarse.dataset.sideImages!.mask!.pixels(0)).data.every((value) => value === 0)).toBe(true);
    await coarse.close();
  });
});

describe("boxes", () => {
  test("in files: the largest of each image", async () => {
    const { dataset, placeOf } = await found({ boxes: at("boxes.csv") });
    for (let i = 0; i < places.length; i++) {
      const [left, top] = places[placeOf(i)]!;
      expect(await dataset.boxes!.object!.at(i)).toEqual({ left, top, width: side, height: side });
    }
  });

  test("of a detector: what torchvision keeps, the surest first, above the score, of the labels", async () => {
    const all = await found({ detector: stored("detector"), detectorScore: 0.1 });
    for (let i = 0; i < places.length; i++) {
      const expected = boxes[all.placeOf(i)]!.boxes.map(([x0, y0, x1, y1]) => ({
        left: x0,
        top: y0,
        width: x1! - x0!,
        height: y1! - y0!,
      }));
      expect(await all.dataset.boxes!.object!.all!(i)).toEqual(expected);
    }
    await all.close();
    const usual = await found({ detector: stored("detector") });
    expect((await usual.dataset.boxes!.object!.all!(0)).length).toBe(2);
    await usual.close();
    const second = await found({ detector: stored("detector"), detectorClasses: [2] });
    expect(await second.dataset.boxes!.object!.at(0)).toEqual({ left: 2, top: 2, width: 3, height: 38 });
    await second.close();
    const none = await found({ detector: stored("detector"), detectorScore: 0.95 });
    expect(await none.dataset.boxes!.object!.at(0)).toBeUndefined();
    await none.close();
  });
});

describe("an inpainter", () => {
  const words = () => ({ masks: at("masks"), inpainter: stored("inpainter") });

  test("fills what masks cover, and leaves the rest as it was", async () => {
    const { dataset, placeOf, close } = await found(words());
    for (let i = 0; i < places.length; i++) {
      const before = picture(places[placeOf(i)]!);
      const mask = maskOf(places[placeOf(i)]!);
      const { data } = await dataset.sideImages!["behind-mask"]!.pixels(i);
      const known = [0, 0, 0];
      let [changed, inHole] = [0, 0];
      for (let p = 0; p < height * width; p++)
        for (let c = 0; c < 3; c++) {
          if (mask.data[p] === 0) known[c]! += before.data[3 * p + c]! / (height * width - side * side);
          // Holes are widened by three pixels at most.
          else inHole++;
          if (mask.data[p] === 0 && data[3 * p + c] !== before.data[3 * p + c]) changed++;
        }
      expect(changed / 3).toBeLessThanOrEqual((side + 6) ** 2 - side ** 2);
      expect(inHole).toBe(3 * side * side);
      // The network's own size is another: means of what is known differ a little.
      const [left, top] = places[placeOf(i)]!;
      const middle = 3 * ((top + 8) * width + left + 8);
      for (let c = 0; c < 3; c++) expect(Math.abs(data[middle + c]! - known[c]!)).toBeLessThan(4);
    }
    await close();
  });

  test("also what boxes cover", async () => {
    const { dataset, close } = await found({ boxes: at("boxes.csv"), inpainter: stored("inpainter") });
    expect((await dataset.sideImages!["behind-object"]!.pixels(0)).data.length).toBe(3 * height * width);
    await close();
  });

  test("a mask the wrong way round is told by what was to be left alone", async () => {
    const { dataset, close } = await found({ ...words(), inpainterMask: "known" });
    await expect(dataset.sideImages!["behind-mask"]!.pixels(0)).rejects.toThrow(
      /levels apart[\s\S]*--inpainter-mask/,
    );
    await close();
  });

  test("there must be something to fill", async () => {
    await expect(found({ inpainter: stored("inpainter") })).rejects.toThrow(/say where things are/);
    await expect(found({ ...words(), inpainter: stored("saliency") })).rejects.toThrow(/no inpainter/);
  });
});

describe("an audit of a model", () => {
  const ask = (words: string[]) => cuelab(["audit", "model", resnet, "--data", at("photos"), ...words]);
  const names = () => {
    writeFileSync(at("names.txt"), "a\nb\nc\nd\ne\n");
    return ["--classes", at("names.txt"), "--set", "interventions=background-greyed", "--json"];
  };

  test.each<[string, string[]]>([
    ["masks", ["--masks", "masks"]],
    ["boxes", ["--boxes", "boxes.csv"]],
    ["segmenter", ["--segmenter", stored("segmenter"), "--segmenter-preparation", "unit.json"]],
    ["detector", ["--detector", stored("detector")]],
  ])("changes what is around the thing, told by --%s", async (_, words) => {
    const placed = words.map((word) => (/^(masks|boxes\.csv|unit\.json)$/.test(word) ? at(word) : word));
    const { code, stdout, stderr } = await ask([...placed, ...names()]);
    expect(stderr).toMatch(/(masks|boxes): /);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/background-greyed/);
  });

  test("puts things elsewhere before what an inpainter left; names of classes are mapped", async () => {
    writeFileSync(at("names.txt"), "p\nq\nc\nd\ne\n");
    writeFileSync(at("map.csv"), "a,p\nb,q\n");
    const words = ["--masks", at("masks"), "--inpainter", stored("inpainter"), "--label-map", at("map.csv")];
    const asked = [
      "--classes",
      at("names.txt"),
      "--set",
      "interventions=object-moved",
      "--set",
      "sizes=0.25",
    ];
    const { code, stdout, stderr } = await ask([...words, ...asked, "--json"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/holes: inpainter\.onnx/);
    expect(JSON.parse(stdout).classNames).toEqual(["p", "q", "c", "d", "e"]);
  });
});

test.each<[string, () => ThingWords, RegExp]>([
  [
    "two ways",
    () => ({ masks: at("masks"), boxes: at("boxes.csv") }),
    /told in one way[\s\S]*--masks, --boxes/,
  ],
  ["an idle option", () => ({ detectorScore: 0.3 }), /--detector-score has no effect without --detector/],
  ["another", () => ({ inpainterMask: "known" }), /--inpainter-mask has no effect without --inpainter/],
  ["a classifier for a segmenter", () => ({ segmenter: resnet }), /no segmenter/],
  ["a segmenter for a detector", () => ({ detector: stored("segmenter") }), /no detector/],
  ["a detector for a segmenter", () => ({ segmenter: stored("detector") }), /something else than images/],
  [
    "boxes of other images",
    () => {
      writeFileSync(
        at("others.csv"),
        "file,class,left,top,width,height\na/0.png,thing,0,0,1,1\nz.png,thing,0,0,1,1\n",
      );
      return { boxes: at("others.csv") };
    },
    /z\.png/,
  ],
])("%s is refused", async (_, words, message) => {
  await expect(found(words())).rejects.toThrow(message);
});
