/** Small copies of the photo sets that people hold, in their true formats, for tests: one coloured thing a photo. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Box } from "../../src/core/box.ts";
import { encodeImage } from "../../src/images/codec.ts";
import { encodePng } from "../../src/images/png.ts";
import { encodeMatFile } from "./mat-file.ts";

type Colour = readonly [number, number, number];
const red: Colour = [200, 60, 60];

/** A grey photo with a thing of one colour in a box. */
export async function photo(width: number, height: number, box: Box, colour: Colour): Promise<Uint8Array> {
  const data = new Uint8Array(width * height * 3).fill(120);
  eachPixel(box, width, (at) => data.set(colour, 3 * at));
  return (await encodeImage({ data, width, height, channels: 3 }, "jpeg")).bytes;
}

export function mask(width: number, height: number, boxes: readonly Box[], value = 255): Uint8Array {
  const data = new Uint8Array(width * height);
  for (const box of boxes) {
    eachPixel(box, width, (at) => {
      data[at] = value;
    });
  }
  return encodePng({ data, width, height, channels: 1 });
}

function eachPixel({ left, top, width, height }: Box, stride: number, visit: (at: number) => void): void {
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) visit(y * stride + x);
  }
}

export function writeAt(folder: string, name: string, content: Uint8Array | string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

export const carBox: Box = { left: 6, top: 10, width: 30, height: 14 };
/** Two urban and two country classes, of which two have names that are often written otherwise. */
export const someCars = [
  { carClass: "Audi TT RS Coupe 2012", kind: "urban", colour: [200, 40, 40] },
  { carClass: "Infiniti G Coupe IPL 2012", kind: "urban", colour: [220, 180, 40] },
  { carClass: "Jeep Wrangler SUV 2012", kind: "country", colour: [40, 150, 60] },
  { carClass: "Ram C/V Cargo Van Minivan 2012", kind: "country", colour: [40, 60, 200] },
] as const;

export interface CarFiles {
  images: string;
  masks: string;
}

/** As mirrors have it: `train/<class>/00001.jpg`, `each` of every class, masks in the same folders. */
export async function writeCarFolders(folder: string, each = 2): Promise<CarFiles> {
  for (const [c, { carClass, colour }] of someCars.entries()) {
    for (let i = 0; i < each; i++) {
      const name = `train/${carClass.replace("/", "-")}/${String(c * each + i + 1).padStart(5, "0")}`;
      writeAt(folder, `car_data/${name}.jpg`, await photo(48, 32, carBox, colour));
      writeAt(folder, `masks/${name}.png`, mask(48, 32, [carBox]));
    }
  }
  return { images: join(folder, "car_data"), masks: join(folder, "masks") };
}

/** As Stanford has it: numbered images, and lists in MATLAB files. Test images have labels where asked for. */
export async function writeCarDevkit(folder: string, testLabels = true): Promise<CarFiles> {
  // Ids count from 1, and the file has more classes than the images use.
  const names = ["AM General Hummer SUV 2000", ...someCars.map(({ carClass }) => carClass)];
  for (const split of ["train", "test"]) {
    const annotations = [];
    for (const [c, { colour }] of someCars.entries()) {
      const fname = `${String(c + 1).padStart(5, "0")}.jpg`;
      writeAt(folder, `cars/cars_${split}/${fname}`, await photo(48, 32, carBox, colour));
      writeAt(folder, `mask/cars_${split}/${fname.replace(".jpg", "_mask.png")}`, mask(48, 32, [carBox]));
      annotations.push({ bbox_x1: 7, bbox_y1: 11, bbox_x2: 36, bbox_y2: 24, class: c + 2, fname });
    }
    const list = split === "train" ? "devkit/cars_train_annos.mat" : "cars_test_annos_withlabels.mat";
    if (split === "train" || testLabels) writeAt(folder, `cars/${list}`, encodeMatFile({ annotations }));
  }
  writeAt(folder, "cars/devkit/cars_meta.mat", encodeMatFile({ class_names: names }));
  return { images: join(folder, "cars"), masks: join(folder, "mask") };
}

/** As Places365-Standard has it: `train/alley/00000001.jpg` and `val/…`; the colour's red tells the category. */
export async function writePlaces(folder: string, categories: readonly string[], each = 3): Promise<string> {
  for (const [c, category] of categories.entries()) {
    for (let i = 0; i < each; i++) {
      const split = i + 1 < each ? "train" : "val";
      const name = `${split}/${category}/Places365_${split}_${String(i + 1).padStart(8, "0")}.jpg`;
      const full = { left: 0, top: 0, width: 64, height: 48 };
      writeAt(folder, name, await photo(64, 48, full, [20 + 20 * c, 100, 30 * i]));
    }
  }
  return folder;
}

export interface LvisThing {
  category: string;
  /** Rectangles; more than one are parts of one object. */
  parts: readonly Box[];
  colour?: Colour;
  /** How the mask is written. */
  as?: "polygons" | "runs" | "packed";
}

const lvisSize = { width: 160, height: 120 };

/** One photo a thing, with LVIS's order of fields: annotations before categories, and no file names but addresses. */
export async function writeLvis(
  folder: string,
  things: readonly LvisThing[],
): Promise<{ annotations: string; images: string }> {
  const { width, height } = lvisSize;
  const categories = [...new Set(things.map(({ category }) => category))].sort();
  const [annotations, images]: [unknown[], unknown[]] = [[], []];
  for (const [i, { category, parts, colour = red, as = "polygons" }] of things.entries()) {
    const id = 391890 + i;
    const file = `train2017/${String(id).padStart(12, "0")}.jpg`;
    const [left, top] = [Math.min(...parts.map((b) => b.left)), Math.min(...parts.map((b) => b.top))];
    const [right, bottom] = [
      Math.max(...parts.map((b) => b.left + b.width)),
      Math.max(...parts.map((b) => b.top + b.height)),
    ];
    const box = { left, top, width: right - left, height: bottom - top };
    writeAt(folder, `coco/${file}`, await photo(width, height, box, colour));
    annotations.push({
      id: 1000 + i,
      image_id: id,
      category_id: categories.indexOf(category) + 7,
      area: parts.reduce((sum, part) => sum + part.width * part.height, 0),
      bbox: [left, top, right - left, bottom - top],
      segmentation: as === "polygons" ? parts.map(corners) : runsOf(parts, as === "packed"),
    });
    images.push({
      date_captured: "2013-11-14 17:02:52",
      id,
      license: 4,
      height,
      width,
      coco_url: `http://images.cocodataset.org/${file}`,
      not_exhaustive_category_ids: [],
      neg_category_ids: [],
    });
  }
  const content = {
    info: { description: 'a "small" copy, with } and ] in a text', version: "v1.0" },
    annotations,
    images,
    licenses: [{ id: 4, name: "Attribution License" }],
    categories: categories.map((name, i) => ({ id: i + 7, name, synonyms: [name, `${name}_thing`] })),
  };
  writeAt(folder, "lvis_v1_train.json", JSON.stringify(content));
  return { annotations: join(folder, "lvis_v1_train.json"), images: join(folder, "coco") };
}

function corners({ left, top, width, height }: Box): number[] {
  return [left, top, left + width, top, left + width, top + height, left, top + height];
}

function runsOf(parts: readonly Box[], packed: boolean): unknown {
  const { width, height } = lvisSize;
  const covered = new Set<number>();
  for (const { left, top, ...size } of parts) {
    for (let x = left; x < left + size.width; x++) {
      for (let y = top; y < top + size.height; y++) covered.add(x * height + y);
    }
  }
  const counts = [0];
  for (let i = 0; i < width * height; i++) {
    if (covered.has(i) !== (counts.length % 2 === 0)) counts.push(0);
    counts[counts.length - 1]!++;
  }
  return { size: [height, width], counts: packed ? pack(counts) : counts };
}

/** Five bits a character; from the fourth number on the difference to the last but one. */
function pack(counts: readonly number[]): string {
  let text = "";
  for (const [i, count] of counts.entries()) {
    let rest = i > 2 ? count - counts[i - 2]! : count;
    for (let more = true; more; ) {
      const bits = rest & 31;
      rest >>= 5;
      more = (bits & 16) === 0 ? rest !== 0 : rest !== -1;
      text += String.fromCharCode(48 + bits + (more ? 32 : 0));
    }
  }
  return text;
}

export interface VocObject {
  name: string;
  /** xmin, ymin, xmax, ymax. */
  corners: readonly [number, number, number, number];
}

/** As ImageNet's XML files are written. */
export function vocXml(folder: string, name: string, size: Size, objects: readonly VocObject[]): string {
  const things = objects.map(
    ({ name: thing, corners: [xmin, ymin, xmax, ymax] }) =>
      `\t<object>\n\t\t<name>${thing}</name>\n\t\t<pose>Unspecified</pose>\n\t\t<truncated>0</truncated>\n\t\t<difficult>0</difficult>\n` +
      `\t\t<bndbox>\n\t\t\t<xmin>${xmin}</xmin>\n\t\t\t<ymin>${ymin}</ymin>\n\t\t\t<xmax>${xmax}</xmax>\n\t\t\t<ymax>${ymax}</ymax>\n\t\t</bndbox>\n\t</object>\n`,
  );
  return (
    `<annotation>\n\t<folder>${folder}</folder>\n\t<filename>${name}</filename>\n\t<source>\n\t\t<database>ILSVRC_2012</database>\n\t</source>\n` +
    `\t<size>\n\t\t<width>${size.width}</width>\n\t\t<height>${size.height}</height>\n\t\t<depth>3</depth>\n\t</size>\n\t<segmented>0</segmented>\n` +
    `${things.join("")}</annotation>\n`
  );
}

interface Size {
  width: number;
  height: number;
}

/** `train/n01440764/n01440764_1.JPEG` with one box each, and XML files in folders of the same names. */
export async function writeImageNet(
  folder: string,
  classes: readonly string[] = ["n01440764", "n02085620"],
  each = 2,
): Promise<{ images: string; annotations: string }> {
  for (const [c, name] of classes.entries()) {
    for (let i = 0; i < each; i++) {
      const stem = `${name}_${i + 1}`;
      const size = { width: 60 + i, height: 50 };
      const box = { left: 10 + i, top: 5, width: 30, height: 20 };
      const thing: VocObject = { name, corners: [box.left, 5, box.left + 30, 25] };
      writeAt(
        folder,
        `train/${name}/${stem}.JPEG`,
        await photo(size.width, size.height, box, [30 + 90 * c, 40, 200]),
      );
      writeAt(folder, `Annotations/${name}/${stem}.xml`, vocXml(name, stem, size, [thing]));
    }
  }
  return { images: join(folder, "train"), annotations: join(folder, "Annotations") };
}
