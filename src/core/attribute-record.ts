/** How attributes are kept by name. */

import type { Attribute } from "./dataset.ts";

/** Attributes by name, in an object without a prototype: people's columns may be named `constructor`. */
export function attributeRecord(entries: Iterable<readonly [string, Attribute]>): Record<string, Attribute> {
  const record = Object.create(null) as Record<string, Attribute>;
  for (const [name, attribute] of entries) record[name] = attribute;
  return record;
}
