/** Digests of plain data, whatever the order of its keys. */

import { createHash } from "node:crypto";

/** The first twelve hexadecimal digits of SHA-256: enough to tell plans apart, short enough for a caption. */
export function digestOf(data: unknown): string {
  return createHash("sha256").update(canonical(data)).digest("hex").slice(0, 12);
}

export function canonical(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
