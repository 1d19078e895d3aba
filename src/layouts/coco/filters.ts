/** Which annotated objects are good enough to be cut out: large, and in one piece, so that nothing stands before them. */

import type { SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { boxOfMask, crop } from "../../images/compose.ts";
import { reasonOf } from "../../sources/image-folder.ts";
import type { CocoAnnotation } from "./annotations.ts";
import { countComponents, decodeSegmentation } from "./masks.ts";

export interface ObjectFilters {
  /** Width times height of its box at least, in pixels. */
  leastBoxArea?: number | undefined;
  /** Pixels of the object at least. */
  leastMaskArea?: number | undefined;
  /** All of it must hang together, at least by corners. */
  oneComponent?: boolean | undefined;
}

/** What becomes of annotations that do not pass. */
export interface Removed {
  /** How many were filtered out, by category and reason. */
  filtered: Map<string, number>;
  /** Gathers those that cannot be used; without it, the first is an error. */
  broken?: SkippedImage[] | undefined;
}

/** Pixels by which boxes and outlines may pass the border: published ones do, by rounding. */
const tolerance = 2;

/** Those that pass. */
export function filterObjects(
  path: string,
  annotations: readonly CocoAnnotation[],
  categories: Readonly<Record<string, ObjectFilters>>,
  { filtered, broken }: Removed,
): CocoAnnotation[] {
  return annotations.filter((annotation) => {
    const where = `${path}, annotation ${annotation.id}`;
    try {
      const reason = reasonAgainst(annotation, categories[annotation.category]!, where);
      if (reason === undefined) return true;
      const entry = `${annotation.category}: ${reason}`;
      filtered.set(entry, (filtered.get(entry) ?? 0) + 1);
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      const { todo = "correct the annotation, or leave such objects out (skipMissing), which lists them" } =
        cause.parts;
      if (broken === undefined) throw new CuelabError({ ...cause.parts, todo });
      broken.push({ image: where, reason: `${cause.parts.what}: ${reasonOf(cause)}` });
    }
    return false;
  });
}

/** Boxes and areas are those of the file, as Li et al. 2023 take them; the mask is decoded last, since that takes longest. */
function reasonAgainst(
  annotation: CocoAnnotation,
  { leastBoxArea, leastMaskArea, oneComponent }: ObjectFilters,
  where: string,
): string | undefined {
  const { area, crowd, height, width, segmentation } = annotation;
  if (crowd) return "a crowd";
  const bbox = checkedBounds(annotation, where);
  refuseOutside(annotation, where);
  if (leastBoxArea !== undefined) {
    if (bbox === undefined) throw noBox(bbox, where);
    if (bbox[2] * bbox[3] < leastBoxArea) return `box below ${leastBoxArea} pixels`;
  }
  if (leastMaskArea !== undefined) {
    const pixels = area ?? decodeSegmentation(segmentation, { height, width }, where).filter(Boolean).length;
    if (pixels < leastMaskArea) return `mask below ${leastMaskArea} pixels`;
  }
  if (oneComponent === true) {
    const mask = decodeSegmentation(segmentation, { height, width }, where);
    const box = boxOfMask(mask, width);
    if (box === undefined) {
      throw new CuelabError({
        kind: "input",
        what: "a mask is empty",
        where,
        expected: "at least one pixel of the object",
        got: "none",
      });
    }
    const { data } = crop({ data: mask, height, width, channels: 1 }, box);
    if (countComponents(data, box.width) > 1) return "more than one component";
  }
  return undefined;
}

/** The annotation's box, if it has one, which must have an area and lie within its image. */
function checkedBounds({ bbox, width, height }: CocoAnnotation, where: string): CocoAnnotation["bbox"] {
  if (bbox === undefined) return undefined;
  if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(Number.isFinite)) throw noBox(bbox, where);
  const [left, top, across, down] = bbox;
  if (across <= 0 || down <= 0) {
    throw new CuelabError({
      kind: "input",
      what: "a box is empty",
      where,
      expected: "a width and a height above 0",
      got: JSON.stringify(bbox),
    });
  }
  if (isWithin([left, left + across], width) && isWithin([top, top + down], height)) return bbox;
  throw outside("a box", { width, height }, JSON.stringify(bbox), where);
}

/** Masks written as runs have the image's size anyway; points of polygons may lie anywhere. */
function refuseOutside({ segmentation, width, height }: CocoAnnotation, where: string): void {
  if (!Array.isArray(segmentation)) return;
  for (const [i, polygon] of segmentation.entries()) {
    if (!Array.isArray(polygon)) continue;
    for (let at = 0; at + 1 < polygon.length; at += 2) {
      const [x, y] = [polygon[at] as number, polygon[at + 1] as number];
      if (!isWithin([x], width) || !isWithin([y], height))
        throw outside("a mask", { width, height }, `the point ${x}, ${y}`, `${where}, polygon ${i + 1}`);
    }
  }
}

function isWithin(values: readonly number[], length: number): boolean {
  return values.every((value) => value >= -tolerance && value <= length + tolerance);
}

function outside(what: string, size: { width: number; height: number }, got: string, where: string) {
  return new CuelabError({
    kind: "input",
    what: `${what} lies outside its image`,
    where,
    expected: `within ${size.width} × ${size.height}, give or take ${tolerance} pixels`,
    got,
  });
}

function noBox(bbox: unknown, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "an annotation has no box",
    where,
    expected: '"bbox" with left, top, width and height',
    got: JSON.stringify(bbox) ?? "none",
  });
}
