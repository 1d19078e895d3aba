/** Croissant 1.1 metadata (MLCommons), so that dataset search and loaders understand the folder. */

import { croissantBoxes } from "../boxes.ts";
import type { Format } from "../format.ts";
import type { Manifest } from "../manifest.ts";
import { sideFileSet } from "../side-images.ts";

/** The JSON-LD context that the Croissant 1.1 specification recommends in its appendix; mlcroissant wants all of it. */
const context = {
  "@language": "en",
  "@vocab": "https://schema.org/",
  citeAs: "cr:citeAs",
  column: "cr:column",
  conformsTo: "dct:conformsTo",
  containedIn: "cr:containedIn",
  cr: "http://mlcommons.org/croissant/",
  data: { "@id": "cr:data", "@type": "@json" },
  dataType: { "@id": "cr:dataType", "@type": "@vocab" },
  dct: "http://purl.org/dc/terms/",
  equivalentProperty: "cr:equivalentProperty",
  examples: { "@id": "cr:examples", "@type": "@json" },
  extract: "cr:extract",
  field: "cr:field",
  fileObject: "cr:fileObject",
  fileProperty: "cr:fileProperty",
  fileSet: "cr:fileSet",
  format: "cr:format",
  includes: "cr:includes",
  isLiveDataset: "cr:isLiveDataset",
  jsonPath: "cr:jsonPath",
  key: "cr:key",
  md5: "cr:md5",
  parentField: "cr:parentField",
  path: "cr:path",
  rai: "http://mlcommons.org/croissant/RAI/",
  recordSet: "cr:recordSet",
  references: "cr:references",
  regex: "cr:regex",
  repeated: "cr:repeated",
  replace: "cr:replace",
  samplingRate: "cr:samplingRate",
  sc: "https://schema.org/",
  separator: "cr:separator",
  source: "cr:source",
  subField: "cr:subField",
  transform: "cr:transform",
};

const licenseUrls: Record<string, string> = {
  "CC BY-SA 3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
};

export function croissant(manifest: Manifest, format: Format): object {
  const own = format.croissant(manifest, manifest.files);
  const boxes = croissantBoxes(manifest);
  return {
    "@context": context,
    "@type": "sc:Dataset",
    conformsTo: "http://mlcommons.org/croissant/1.1",
    name: manifest.name,
    description: manifest.description,
    license: licenseUrls[manifest.license] ?? manifest.license,
    ...(manifest.citation === undefined ? {} : { citeAs: manifest.citation }),
    // A generated folder has no page on the web; its content hash is its address.
    url: `urn:${manifest.hash}`,
    creator: { "@type": "Organization", name: "Cuelab" },
    // The generator's version stands for the date: a time of day would make equal datasets differ.
    datePublished: "2026-01-01",
    version: `${manifest.generator.version}.0.0`,
    keywords: ["shortcut learning", "spurious correlation", manifest.generator.name],
    distribution: [
      ...own.distribution,
      ...(manifest.sideImages ?? []).map(({ name }) => sideFileSet(format, name)),
      ...boxes.distribution,
    ],
    recordSet: [...own.recordSet, ...boxes.recordSet],
  };
}
