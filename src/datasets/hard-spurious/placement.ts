/** How large an object becomes, and where in the image it goes. */

import type { Box } from "../../core/box.ts";
import type { Random } from "../../core/random.ts";

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
