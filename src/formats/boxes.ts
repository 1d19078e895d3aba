/** `boxes.csv`: where things are in each image, one row an image and thing. */

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Boxes, Dataset } from "../core/dataset.ts";
import { decimalOf } from "../core/decimal-of.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { csvLine } from "../tables/csv-line.ts";
import { csvRows } from "../tables/csv-rows.ts";
import { croissantField } from "./croissant-fields.ts";
import type { ImageChunk, SplitRange } from "./format.ts";
import type { Manifest } from "./manifest.ts";

export const boxesName = "boxes.csv";

const header = ["index", "split", "position", "thing", "left", "top", "width", "height"];

/** Boxes as they come out of chunks: eight bytes an image and thing. */
export class BoxTable {
  readonly #values: ReadonlyMap<string, Uint16Array>;

  constructor({ boxes = {}, images }: Dataset) {
    this.#values = new Map(Object.keys(boxes).map((name) => [name, new Uint16Array(4 * images.count)]));
  }

  add({ start, boxes }: ImageChunk): void {
    for (const [name, values] of this.#values) values.set(boxes[name]!, 4 * start);
  }

  async write(folder: string, ranges: readonly SplitRange[]): Promise<void> {
    const values = this.#values;
    const lines = function* () {
      yield csvLine(header);
      for (const { name: split, start, count } of ranges) {
        for (let index = start; index < start + count; index++) {
          for (const [thing, numbers] of values) {
            const box = numbers.subarray(4 * index, 4 * index + 4);
            if (box[2] !== 0) yield csvLine([index, split, index - start, thing, ...box]);
          }
        }
      }
    };
    await pipeline(Readable.from(lines()), createWriteStream(join(folder, boxesName)));
  }
}

/** Of a dataset of ours. */
export async function openBoxes(
  folder: string,
  { boxes, count, image, splits }: Pick<Manifest, "boxes" | "count" | "image" | "splits">,
): Promise<Dataset["boxes"]> {
  if (boxes === undefined) return undefined;
  const path = join(folder, boxesName);
  const values = new Map(boxes.things.map(({ name }) => [name, new Uint16Array(4 * count)]));
  let row = 1;
  for await (const { cells } of csvRows(path, (names) => checkHeader(names, path))) {
    row++;
    const [index, box] = [decimalOf(cells[0] ?? ""), cells.slice(4).map(decimalOf)];
    const own = values.get(cells[3]!);
    const isBox = box.length === 4 && box.every((value) => isWhole(value) && value < 65_536);
    const isTwice = isBox && own !== undefined && own[4 * index + 2] !== 0;
    const isEmpty =
      box[2] === 0 || box[3] === 0 || !liesWithin(box, image) || splits[cells[1]!] === undefined;
    if (own === undefined || !isBox || isTwice || isEmpty || !isWhole(index) || index >= count) {
      throw new CuelabError({
        kind: "input",
        what: "a row is no box",
        where: `${path}, line ${row}`,
        expected: `an image from 0 to ${count - 1}, one of ${[...values.keys()].join(", ")}, once each, and whole numbers of pixels within the image`,
        got: cells.join(","),
      });
    }
    own.set(box, 4 * index);
  }
  return Object.fromEntries(
    boxes.things.map(({ name, description }) => [name, storedBoxes(lookUp(values, name), description)]),
  );
}

/** Where all images have one size. */
function liesWithin([left = 0, top = 0, width = 0, height = 0]: number[], image: Manifest["image"]): boolean {
  if (image === null) return true;
  return left + width <= image.width && top + height <= image.height;
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function storedBoxes(values: Uint16Array, description: string): Boxes {
  return {
    description,
    at: (index) => {
      const [left, top, width, height] = values.subarray(4 * index, 4 * index + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      return width === 0 ? undefined : { left, top, width, height };
    },
  };
}

function checkHeader(names: readonly string[], path: string): void {
  if (names.join() === header.join()) return;
  throw new CuelabError({
    kind: "input",
    what: "the table of boxes has other columns",
    where: path,
    expected: header.join(", "),
    got: names.join(", "),
  });
}

/** For Croissant: the table, and its rows as records. */
export function croissantBoxes({ boxes }: Pick<Manifest, "boxes">): {
  distribution: object[];
  recordSet: object[];
} {
  if (boxes === undefined) return { distribution: [], recordSet: [] };
  const meanings: Record<string, string> = {
    index: "number of the image in the dataset, from 0",
    position: "number of the image in its split, from 0",
    left: "column of the leftmost pixel",
    top: "row of the topmost pixel",
  };
  const texts = ["split", "thing"];
  return {
    distribution: [
      {
        "@type": "cr:FileObject",
        "@id": boxesName,
        name: boxesName,
        contentUrl: boxesName,
        contentSize: `${boxes.bytes} B`,
        encodingFormat: "text/csv",
        sha256: boxes.sha256,
      },
    ],
    recordSet: [
      {
        "@type": "cr:RecordSet",
        "@id": "boxes",
        name: "boxes",
        field: header.map((column) => ({
          ...croissantField(
            column,
            meanings[column] ?? column,
            texts.includes(column) ? "sc:Text" : "sc:Integer",
            {
              fileObject: { "@id": boxesName },
              extract: { column },
            },
          ),
          "@id": `boxes/${column}`,
        })),
      },
    ],
  };
}
