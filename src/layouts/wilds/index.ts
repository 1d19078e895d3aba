/** WILDS' datasets whose tables are understood. Waterbirds' is a table with paths: see `waterbirds.ts` above. */

import { camelyon17 } from "./camelyon17.ts";
import { civilComments } from "./civil-comments.ts";
import { fmow } from "./fmow.ts";
import { iWildCam } from "./i-wild-cam.ts";
import type { WildsLayout } from "./layout.ts";

const wildsLayouts: readonly WildsLayout[] = [camelyon17, fmow, iWildCam, civilComments];

/** Names that such tables have. */
export const wildsTables: readonly string[] = [...new Set(wildsLayouts.map(({ table }) => table))];

/** The dataset that has these columns. */
export function wildsLayoutOf(columns: readonly string[]): WildsLayout | undefined {
  return wildsLayouts.find((layout) => layout.columns.every((name) => columns.includes(name)));
}
