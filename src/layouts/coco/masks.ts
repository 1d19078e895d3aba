/**
 * COCO's three ways to write a mask, decoded as the COCO API does: polygons, run lengths, and run lengths packed into a
 * text. All go down columns first. Masks here are 255 for the object and 0 around it, rows first.
 */

import { CuelabError } from "../../core/errors.ts";
import { limited } from "../../core/limits.ts";
import { requirePixels } from "../../images/pixel-limit.ts";

interface RunLengths {
  /** Height, width. */
  size: [number, number];
  /** Lengths of runs, first of background; or these packed into a text. */
  counts: number[] | string;
}

interface Size {
  height: number;
  width: number;
}

/** `where` names file and annotation, for errors. */
export function decodeSegmentation(segmentation: unknown, size: Size, where: string): Uint8Array {
  limited("a mask is too large", where, () => requirePixels(size.width, size.height));
  if (Array.isArray(segmentation)) return decodePolygons(segmentation as unknown[], size, where);
  const { counts, size: own } = (segmentation ?? {}) as Partial<RunLengths>;
  if ((typeof counts !== "string" && !Array.isArray(counts)) || !Array.isArray(own)) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no mask",
      where,
      expected: 'a "segmentation" with polygons, or with "size" and "counts"',
      got: shortened(JSON.stringify(segmentation) ?? "none"),
    });
  }
  if (own[0] !== size.height || own[1] !== size.width) {
    throw new CuelabError({
      kind: "input",
      what: "a mask has another size than its image",
      where,
      expected: `height ${size.height}, width ${size.width}`,
      got: `size ${JSON.stringify(own)}`,
    });
  }
  return decodeRuns(typeof counts === "string" ? unpackRuns(counts, where) : counts, size, where);
}

/** A mask from run lengths, which go down columns and begin with background. */
function decodeRuns(counts: readonly number[], { height, width }: Size, where: string): Uint8Array {
  const sum = counts.reduce((total, count) => total + count, 0);
  const wrong = counts.findIndex((count) => !Number.isInteger(count) || count < 0);
  if (wrong >= 0 || sum !== height * width) {
    throw new CuelabError({
      kind: "input",
      what: wrong >= 0 ? "a run of a mask has no length" : "the runs of a mask have the wrong length",
      where,
      expected: wrong >= 0 ? "whole numbers from 0 on" : `${height * width} pixels: ${height} × ${width}`,
      got: wrong >= 0 ? `${counts[wrong]} at position ${wrong}` : `${sum}`,
    });
  }
  const mask = new Uint8Array(height * width);
  let [at, value] = [0, 0];
  for (const count of counts) {
    if (value > 0)
      for (let i = at; i < at + count; i++) mask[(i % height) * width + Math.floor(i / height)] = 255;
    at += count;
    value = 255 - value;
  }
  return mask;
}

/**
 * Numbers of five bits a character, from "0" on, least first; bit 32 says that more follow, bit 16 of the last is the sign.
 * From the fourth number on each is the difference to the last but one.
 */
export function unpackRuns(text: string, where: string): number[] {
  const counts: number[] = [];
  for (let at = 0; at < text.length; ) {
    let [value, shift, more] = [0, 0, true];
    while (more) {
      const code = text.charCodeAt(at) - 48;
      if (!(code >= 0 && code < 64) || shift > 30) {
        throw new CuelabError({
          kind: "input",
          what: "the packed runs of a mask are broken",
          where,
          expected: 'characters from "0" to "o", the last of a number below "P"',
          got: at >= text.length ? "the end of the text inside a number" : `"${text[at]}" at position ${at}`,
        });
      }
      value += (code & 31) * 2 ** shift;
      shift += 5;
      more = (code & 32) !== 0;
      if (!more && (code & 16) !== 0) value -= 2 ** shift;
      at++;
    }
    counts.push(counts.length > 2 ? value + counts[counts.length - 2]! : value);
  }
  return counts;
}

/** Polygons are x, y, x, y, … in pixels, where pixel n covers n to n + 1. What lies in any of them is the object. */
function decodePolygons(polygons: readonly unknown[], size: Size, where: string): Uint8Array {
  if (polygons.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no mask",
      where,
      expected: "at least one polygon",
      got: "an empty list",
    });
  }
  let steps = 0;
  const checked = polygons.map((each, i) => {
    const polygon = checkedPolygon(each, i, where);
    steps += stepsOf(polygon, size);
    if (steps > mostSteps) throw endless(polygon, size, `${where}, polygon ${i + 1}`);
    return polygon;
  });
  const mask = new Uint8Array(size.height * size.width);
  for (const polygon of checked) fillPolygon(polygon, size, mask);
  return mask;
}

/** Of all polygons of an annotation, a few seconds: those of photographs take some millions. */
const mostSteps = 1e9;

/** The outline is walked step by step, and its columns are gone through: a few numbers can ask for any amount. */
function stepsOf(polygon: readonly number[], { height, width }: Size): number {
  const [first, end] = columnsOf(polygon, width);
  let outline = 0;
  for (let i = 0; i < polygon.length; i += 2) {
    const next = (i + 2) % polygon.length;
    const [wide, high] = [polygon[next]! - polygon[i]!, polygon[next + 1]! - polygon[i + 1]!];
    outline += fine * Math.max(Math.abs(wide), Math.abs(high));
  }
  return outline + (end - first) * height;
}

/** Columns of the image that a polygon may touch: from the first to before the end. */
function columnsOf(polygon: readonly number[], width: number): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < polygon.length; i += 2) {
    least = Math.min(least, polygon[i]!);
    most = Math.max(most, polygon[i]!);
  }
  const first = Math.min(width, Math.max(0, Math.floor(least)));
  return [first, Math.max(first, Math.min(width, Math.ceil(most) + 1))];
}

function endless(polygon: readonly number[], { height, width }: Size, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the polygons of a mask are too many, or too far outside the image, to be drawn",
    where,
    expected: `points in or near ${height} × ${width} pixels`,
    got: shortened(JSON.stringify(polygon)),
  });
}

function checkedPolygon(polygon: unknown, index: number, where: string): number[] {
  const points = Array.isArray(polygon) ? polygon.length / 2 : 0;
  if (points < 3 || !Number.isInteger(points) || !(polygon as unknown[]).every(Number.isFinite)) {
    throw new CuelabError({
      kind: "input",
      what: points < 3 ? "a polygon has fewer than three points" : "a polygon is no list of points",
      where: `${where}, polygon ${index + 1}`,
      expected: "x, y, x, y, …: at least six numbers",
      got: shortened(JSON.stringify(polygon)),
    });
  }
  return polygon as number[];
}

/** How many steps of a polygon's outline go to a pixel. */
const fine = 5;

/**
 * The COCO API's rule, so that masks are the same to the pixel. The outline is walked on a grid of fifths of a pixel;
 * where it crosses the middle of a column (between the third and the fourth fifth) the column turns from outside to
 * inside or back, from the first row whose middle lies below the crossing.
 */
function fillPolygon(polygon: readonly number[], { height, width }: Size, mask: Uint8Array): void {
  const count = polygon.length / 2;
  const [first, end] = columnsOf(polygon, width);
  /** One more than there are rows, so that a column may turn below its last pixel: [column from the first, row]. */
  const turns = new Uint8Array((end - first) * (height + 1));
  // Truncated towards zero, as C does.
  const onGrid = (value: number) => Math.trunc(fine * value + 0.5);
  const cross = (column: number, row: number) => {
    const x = (column - 2) / fine;
    if (!Number.isInteger(x) || x < first || x >= end) return;
    const y = Math.ceil((row + 0.5) / fine - 0.5);
    turns[(x - first) * (height + 1) + Math.min(height, Math.max(0, y))]! ^= 1;
  };
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const [fromX, fromY] = [onGrid(polygon[2 * i]!), onGrid(polygon[2 * i + 1]!)];
    const [toX, toY] = [onGrid(polygon[2 * next]!), onGrid(polygon[2 * next + 1]!)];
    walkEdge(fromX, fromY, toX, toY, cross);
  }
  for (let x = first; x < end; x++) {
    let inside = 0;
    for (let y = 0; y < height; y++) {
      inside ^= turns[(x - first) * (height + 1) + y]!;
      if (inside === 1) mask[y * width + x] = 255;
    }
  }
}

/** Calls `cross` with the lesser column and the lesser row of every two neighbours in different columns. */
function walkEdge(
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
  cross: (column: number, row: number) => void,
): void {
  const [wide, high] = [Math.abs(toX - fromX), Math.abs(toY - fromY)];
  const steps = Math.max(wide, high);
  if (wide === 0) return;
  // Always from the lesser end, so that an edge gives the same points in both directions.
  const flipped = wide >= high ? fromX > toX : fromY > toY;
  const [startX, startY, endX, endY] = flipped ? [toX, toY, fromX, fromY] : [fromX, fromY, toX, toY];
  const [slopeX, slopeY] = [(endX - startX) / steps, (endY - startY) / steps];
  const column = (t: number) => (wide >= high ? startX + t : Math.trunc(startX + slopeX * t + 0.5));
  const row = (t: number) => (wide >= high ? Math.trunc(startY + slopeY * t + 0.5) : startY + t);
  for (let t = 1; t <= steps; t++) {
    const [before, now] = [column(t - 1), column(t)];
    if (before !== now) cross(Math.min(before, now), Math.min(row(t - 1), row(t)));
  }
}

/** Parts of a mask that touch, also at corners: what scikit-image's `label` counts. */
export function countComponents(mask: Uint8Array, width: number): number {
  const seen = new Uint8Array(mask.length);
  const stack: number[] = [];
  let components = 0;
  for (let start = 0; start < mask.length; start++) {
    if (mask[start] === 0 || seen[start] === 1) continue;
    components++;
    seen[start] = 1;
    stack.push(start);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width;
      for (let row = at - x - width; row <= at - x + width; row += width) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const near = row + column;
          if (mask[near] !== 255 || seen[near] === 1) continue;
          seen[near] = 1;
          stack.push(near);
        }
      }
    }
  }
  return components;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
