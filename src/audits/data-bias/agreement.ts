/**
 * How far two sets of boxes of the same images agree, such as annotations and a detector's: section D of "Corner Cases". What is
 * compared is the area that the boxes of an image cover together, so that no box need be matched with another.
 */

import type { Box } from "../../core/box.ts";
import { CuelabError } from "../../core/errors.ts";
import { mean } from "../../core/statistics/index.ts";

/** The boxes of one image's class, by both sets; of the other one there may be none. */
export interface ComparedImage {
  className: string;
  own: readonly Box[];
  other: readonly Box[];
}

interface ClassAgreement {
  name: string;
  images: number;
  /** Mean over images: area that both cover, over area that either covers. */
  iou: number;
  /** Of what the other boxes cover: the share outside of one's own, where objects would be taken for background. */
  outside: number | null;
}

export interface BoxAgreement {
  /** Lowest agreement first. */
  classes: readonly ClassAgreement[];
  images: number;
  /** Images of which the other boxes know nothing; they count as 0. */
  alone: number;
  /** Mean over classes. */
  iou: number;
  threshold: number;
  /** Classes whose mean is below the threshold. */
  below: number;
}

/** The paper counts classes below it. */
const threshold = 0.8;

export function measureAgreement(images: readonly ComparedImage[]): BoxAgreement {
  const byClass = new Map<string, { ious: number[]; covered: number; outside: number }>();
  let alone = 0;
  for (const { className, own, other } of images) {
    const [ours, theirs, either] = [coveredArea(own), coveredArea(other), coveredArea([...own, ...other])];
    const sums = byClass.get(className) ?? { ious: [], covered: 0, outside: 0 };
    byClass.set(className, sums);
    sums.ious.push((ours + theirs - either) / either);
    sums.covered += theirs;
    sums.outside += either - ours;
    if (other.length === 0) alone++;
  }
  if (alone === images.length)
    throw new CuelabError({
      kind: "input",
      what: "no image has boxes of its class in both sets",
      expected: "boxes of the same images and classes",
      got: `none of ${images.length} images`,
      todo: "see that files and classes are called alike in both",
    });
  const classes = [...byClass].map(([name, { ious, covered, outside }]) => ({
    name,
    images: ious.length,
    iou: mean(ious),
    outside: covered === 0 ? null : outside / covered,
  }));
  return {
    classes: classes.sort((a, b) => a.iou - b.iou || (a.name < b.name ? -1 : 1)),
    images: images.length,
    alone,
    iou: mean(classes.map(({ iou }) => iou)),
    threshold,
    below: classes.filter(({ iou }) => iou < threshold).length,
  };
}

/** Of all boxes together: places where several lie count once. Borders of boxes cut the image into a grid of few cells. */
export function coveredArea(boxes: readonly Box[]): number {
  const borders = (of: (box: Box) => readonly number[]) =>
    [...new Set(boxes.flatMap(of))].sort((a, b) => a - b);
  const columns = borders(({ left, width }) => [left, left + width]);
  const rows = borders(({ top, height }) => [top, top + height]);
  let area = 0;
  for (const [r, top] of rows.slice(0, -1).entries()) {
    for (const [c, left] of columns.slice(0, -1).entries()) {
      const inside = boxes.some(
        (box) =>
          box.left <= left && left < box.left + box.width && box.top <= top && top < box.top + box.height,
      );
      if (inside) area += (columns[c + 1]! - left) * (rows[r + 1]! - top);
    }
  }
  return area;
}
