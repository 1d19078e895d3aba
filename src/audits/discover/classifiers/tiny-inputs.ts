/** What tiny classifiers are shown: parts of an image in which its object should not be seen. */

import { bagWidth, copyCells, copySide } from "../looks/small-copies.ts";
import type { MeasuredProperties } from "../measuring/measure-images.ts";
import { properties } from "../properties/index.ts";

export interface TinyInput {
  name: string;
  /** What it sees. */
  description: string;
  width: number;
  /** [images, width]; of the images in the order that they were drawn in. */
  features: Float32Array;
}

/** More values of a name than these are one. */
const mostValues = 20;

/** `drawn` are indices of images whose copies are kept. */
export function tinyInputs(measured: MeasuredProperties, drawn: readonly number[]): TinyInput[] {
  const metadata = metadataOf(measured, drawn);
  const border = (x: number, y: number) => Math.min(x, y, copySide - 1 - x, copySide - 1 - y) < borderCells;
  const centre = (x: number, y: number) => Math.min(x, y, copySide - 1 - x, copySide - 1 - y) >= centreFrom;
  return [
    ...(metadata.width === 0 ? [] : [metadata]),
    {
      name: "4 × 4 thumbnail",
      description: "the whole image in sixteen dots of colour",
      ...pooled(measured, drawn, 4, () => true),
    },
    {
      name: "border alone",
      description: "the outer eighth of each side, in blocks",
      ...pooled(measured, drawn, 2, border),
    },
    {
      name: "centre alone",
      description: "the middle half, in blocks, without what is around it",
      ...pooled(measured, drawn, 2, centre),
    },
    {
      name: "shuffled patches",
      description: "what 64 patches look like, without where they were",
      width: bagWidth,
      features: bagsOf(measured, drawn),
    },
  ];
}

/** Cells of the copy of 16 × 16: two at the border, the middle eight. */
const borderCells = 2;
const centreFrom = 4;

/** Blocks of so many cells a side, those whose corner is wanted. */
function pooled(
  { colours, drawn: places }: MeasuredProperties,
  drawn: readonly number[],
  block: number,
  wanted: (x: number, y: number) => boolean,
): Pick<TinyInput, "width" | "features"> {
  const corners: number[] = [];
  for (let y = 0; y < copySide; y += block)
    for (let x = 0; x < copySide; x += block) if (wanted(x, y)) corners.push(y * copySide + x);
  const width = 3 * corners.length;
  const features = new Float32Array(drawn.length * width);
  for (const [image, index] of drawn.entries()) {
    let at = image * width;
    for (let plane = 0; plane < 3; plane++) {
      const start = (3 * places[index]! + plane) * copyCells;
      for (const corner of corners) {
        let sum = 0;
        for (let y = 0; y < block; y++)
          for (let x = 0; x < block; x++) sum += colours[start + corner + y * copySide + x]!;
        features[at++] = sum / block ** 2;
      }
    }
  }
  return { width, features };
}

function bagsOf({ bags, drawn: places }: MeasuredProperties, drawn: readonly number[]): Float32Array {
  const features = new Float32Array(drawn.length * bagWidth);
  for (const [image, index] of drawn.entries())
    features.set(bags.subarray(places[index]! * bagWidth, (places[index]! + 1) * bagWidth), image * bagWidth);
  return features;
}

/** Numbers as they are and by whether there is one, names by their most frequent values. */
function metadataOf({ columns }: MeasuredProperties, drawn: readonly number[]): TinyInput {
  const parts: Float32Array[] = [];
  for (const [p, { of }] of properties.entries()) {
    if (of === "pixels") continue;
    const column = columns[p]!;
    if (column.kind === "number") {
      const values = Float32Array.from(drawn, (index) => column.values[index]!);
      const known = values.filter((value) => !Number.isNaN(value));
      if (known.length === 0) continue;
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      parts.push(values.map((value) => (Number.isNaN(value) ? mean : value)));
      parts.push(values.map((value) => (Number.isNaN(value) ? 0 : 1)));
    } else {
      const counts = new Map<number, number>();
      for (const index of drawn)
        counts.set(column.codes[index]!, (counts.get(column.codes[index]!) ?? 0) + 1);
      const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, mostValues);
      if (frequent.length < 2) continue;
      for (const [code] of frequent)
        parts.push(Float32Array.from(drawn, (index) => (column.codes[index] === code ? 1 : 0)));
    }
  }
  const varying = parts.filter((part) => part.some((value) => value !== part[0]));
  const width = varying.length;
  const features = new Float32Array(drawn.length * width);
  for (const [j, part] of varying.entries())
    for (let i = 0; i < part.length; i++) features[i * width + j] = part[i]!;
  return { name: "metadata alone", description: "names and files, no pixel", width, features };
}
