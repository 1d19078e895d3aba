/** How large an object becomes, and where in the image it goes. */

import type { Box } from "../../core/box.ts";
import type { Random } from "../../core/random.ts";
import { halfToEven, shorterResized } from "../../images/resize.ts";

export const positionNames = ["centre", "corner", "anywhere"] as const;
export type PlacementPosition = (typeof positionNames)[number];

export const cornerNames = ["top-right", "top-left", "bottom-right", "bottom-left"] as const;
export type PlacementCorner = (typeof cornerNames)[number];

export type Aspect = "square" | "preserve";

interface PlacementExtent {
  height: number;
  width: number;
}

/**
 * Squeezed into a square of that side; or, with the aspect preserved, the shortest side that long, unless the longest
 * would then leave the canvas: then the longest is as long as the canvas, and the shortest as close as it can be.
 */
export function objectExtent(
  object: PlacementExtent,
  side: number,
  aspect: Aspect,
  canvas: number,
): PlacementExtent {
  if (aspect === "square") return { height: side, width: side };
  const [shortest, longest] = [Math.min(object.height, object.width), Math.max(object.height, object.width)];
  const scale = Math.min(side / shortest, canvas / longest);
  const scaled = (length: number) => Math.min(canvas, Math.max(1, Math.round(length * scale)));
  return { height: scaled(object.height), width: scaled(object.width) };
}

/** What photographs are resized to before the middle is cut out: 256 for 224, and in proportion. */
export function shorterSide(size: number): number {
  return Math.round((size * 256) / 224);
}

/**
 * Where a box of a photograph is in an image of it: squeezed, or cut out of the middle, which may have nothing of the box. At least
 * one pixel, and never beyond the border.
 */
export function boxInImage(
  box: Box,
  photograph: PlacementExtent,
  size: number,
  fit: "squeeze" | "middle",
): Box | undefined {
  const resized =
    fit === "squeeze" ? { height: size, width: size } : shorterResized(photograph, shorterSide(size));
  const along = (start: number, length: number, whole: number, scaled: number) => {
    const cutOff = halfToEven(scaled - size);
    const at = (place: number) => (place * scaled) / whole - cutOff;
    if (at(start + length) <= 0 || at(start) >= size) return undefined;
    const from = Math.min(size - 1, Math.max(0, Math.round(at(start))));
    return { from, extent: Math.max(1, Math.min(size, Math.round(at(start + length))) - from) };
  };
  const across = along(box.left, box.width, photograph.width, resized.width);
  const down = along(box.top, box.height, photograph.height, resized.height);
  if (across === undefined || down === undefined) return undefined;
  return { left: across.from, top: down.from, width: across.extent, height: down.extent };
}

/** `random` decides the corner, where none is given, and the place of objects that may be anywhere. */
export function placeObject(
  extent: PlacementExtent,
  position: PlacementPosition,
  corner: PlacementCorner | "random",
  canvas: number,
  random: Random,
): Box {
  const free = { rows: canvas - extent.height, columns: canvas - extent.width };
  switch (position) {
    case "centre":
      return { ...extent, top: Math.floor(free.rows / 2), left: Math.floor(free.columns / 2) };
    case "corner": {
      const chosen = corner === "random" ? cornerNames[random.integer(cornerNames.length)]! : corner;
      const [row, column] = chosen.split("-");
      return {
        ...extent,
        top: row === "top" ? 0 : free.rows,
        left: column === "left" ? 0 : free.columns,
      };
    }
    case "anywhere":
      return { ...extent, top: random.integer(free.rows + 1), left: random.integer(free.columns + 1) };
    default:
      return position satisfies never;
  }
}
