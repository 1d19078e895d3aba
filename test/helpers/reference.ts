/** What scripts in test/references stored: x.py made x.json, in the versions that it tells. */

import { readFileSync } from "node:fs";

export function storedReference<Content>(name: string): Content {
  const file = new URL(`../references/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { reference: Content }).reference;
}
