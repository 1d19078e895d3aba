/** Which annotated objects are good enough to be cut out: large, and in one piece, so that nothing stands before them. */

import { CuelabError } from "../../core/errors.ts";
import { boxOfMask, crop } from "../../core/images/compose.ts";
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

/** Those that pass; `removed` counts the others by category and reason. */
export function filterObjects(
  path: string,
  annotations: readonly CocoAnnotation[],
  categories: Readonly<Record<string, ObjectFilters>>,
  removed: Map<string, number>,
): CocoAnnotation[] {
  return annotations.filter((annotation) => {
    const where = `${path}, annotation ${annotation.id}`;
    const reason = reasonAgainst(annotation, categories[annotation.category]!, where);
    if (reason === undefined) return true;
    const entry = `${annotation.category}: ${reason}`;
    removed.set(entry, (removed.get(entry) ?? 0) + 1);
    return false;
  });
}

/** Boxes and areas are those of the file, as Li et al. 2023 take them; the mask is decoded last, since that takes longest. */
function reasonAgainst(
  { bbox, area, crowd, height, width, segmentation }: CocoAnnotation,
  { leastBoxArea, leastMaskArea, oneComponent }: ObjectFilters,
  where: string,
): string | undefined {
  if (crowd) return "a crowd";
  if (leastBoxArea !== undefined) {
    if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(Number.isFinite)) {
      throw new CuelabError({
        kind: "input",
        what: "an annotation has no box",
        where,
        expected: '"bbox" with left, top, width and height',
        got: JSON.stringify(bbox) ?? "none",
      });
    }
    if (bbox[2] * bbox[3] < leastBoxArea) return `box below ${leastBoxArea} pixels`;
  }
  if (leastMaskArea !== undefined) {
    const pixels = area ?? decodeSegmentation(segmentation, { height, width }, where).filter(Boolean).length;
    if (pixels < leastMaskArea) return `mask below ${leastMaskArea} pixels`;
  }
  if (oneComponent === true) {
    const mask = decodeSegmentation(segmentation, { height, width }, where);
    const box = boxOfMask(mask, width);
    if (box === undefined) return "an empty mask";
    const { data } = crop({ data: mask, height, width, channels: 1 }, box);
    if (countComponents(data, box.width) > 1) return "more than one component";
  }
  return undefined;
}
