/** Every property, in the order in which they are measured and shown. */

import type { FileFacts } from "../files/file-facts.ts";
import type { NameFacts } from "../files/name-facts.ts";
import type { ImageLook } from "../looks/look.ts";
import { fileProperties } from "./file-properties.ts";
import { nameProperties } from "./name-properties.ts";
import { pixelProperties } from "./pixel-properties.ts";
import type { Property, PropertySource } from "./property.ts";

/** What can be known of an image; a dataset that was made has no files, and an archive has no names. */
interface ImageFacts {
  name: NameFacts | undefined;
  file: FileFacts | undefined;
  pixels: ImageLook;
}

export interface KnownProperty extends Property<ImageFacts> {
  of: PropertySource;
}

export const properties: readonly KnownProperty[] = [
  ...known("name", nameProperties),
  ...known("file", fileProperties),
  ...known("pixels", pixelProperties),
];

function known<Source extends keyof ImageFacts>(
  of: Source,
  list: readonly Property<NonNullable<ImageFacts[Source]>>[],
): KnownProperty[] {
  return list.map((property) => ({
    ...property,
    of,
    measure: (facts: ImageFacts) => {
      const own = facts[of];
      return own === undefined ? undefined : property.measure(own);
    },
  }));
}
