/** Files that once went wrong, whole: they stay whatever becomes of the mutators that made them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

interface StoredCase {
  format: string;
  /** What came of it then. */
  was: string;
  bytes: Buffer;
}

const path = join(import.meta.dirname, "cases.json");

export function storedCases(): StoredCase[] {
  const stored = JSON.parse(readFileSync(path, "utf8")) as { format: string; was: string; bytes: string }[];
  return stored.map((one) => ({ ...one, bytes: inflateRawSync(Buffer.from(one.bytes, "base64")) }));
}
