/** No image is unpacked that says it is larger than is allowed, whatever its file's kind. */

import { requireLimit } from "../core/limits.ts";

export function requirePixels(width: number, height: number): void {
  requireLimit("pixels", width * height, `${width} × ${height}, or ${(width * height).toLocaleString("en")}`);
}
