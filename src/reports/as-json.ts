/** Plain data for programs: two spaces a level, and a newline at the end. */

import { numberedUnseen } from "../core/shown-text.ts";

export function asJson(value: unknown): string {
  return `${numberedUnseen(JSON.stringify(value, null, 2))}\n`;
}
