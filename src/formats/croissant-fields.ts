/** Pieces of Croissant metadata that every format's record set shares. */

import { imageExtensions } from "../images/file-kind.ts";
import type { Manifest, WrittenFile } from "./manifest.ts";

/** Extensions and MIME types that images of an encoding have; kept files are whatever they were. */
export function imageFiles(encoding: Manifest["encoding"]): {
  extensions: readonly string[];
  encodingFormat: string | string[];
} {
  if (encoding === "jpeg") return { extensions: ["jpg"], encodingFormat: "image/jpeg" };
  if (encoding !== "keep") return { extensions: ["png"], encodingFormat: "image/png" };
  const types = imageExtensions.map((name) => `image/${{ jpg: "jpeg", tif: "tiff" }[name as "jpg"] ?? name}`);
  return { extensions: imageExtensions, encodingFormat: [...new Set(types)] };
}

export function croissantField(name: string, description: string, dataType: string, source: object): object {
  return { "@type": "cr:Field", "@id": `records/${name}`, name, description, dataType, source };
}

/** The label, the split where the data have it, and a field an attribute; `sourceOf` says where a column is found. */
export function attributeFields(
  { classNames, attributes, splits }: Pick<Manifest, "classNames" | "attributes" | "splits">,
  sourceOf: (column: string) => object,
  columns: { label: string; split?: string },
): object[] {
  const codes = (names: readonly string[]) => names.map((name, i) => `${i} ${name}`).join(", ");
  return [
    croissantField(columns.label, `class: ${codes(classNames)}`, "sc:Integer", sourceOf(columns.label)),
    ...(columns.split === undefined
      ? []
      : [
          croissantField(
            columns.split,
            `split: ${codes(Object.keys(splits))}`,
            "sc:Integer",
            sourceOf(columns.split),
          ),
        ]),
    ...attributes.map(({ name, description, valueNames, role }) =>
      croissantField(
        name,
        `${role}: ${description ?? name} (${codes(valueNames)})`,
        "sc:Integer",
        sourceOf(name),
      ),
    ),
  ];
}

/** The files that a format wrote, as Croissant lists them. */
export function fileObjects(files: readonly WrittenFile[], encodingFormat: string): object[] {
  return files.map(({ path, bytes, sha256 }) => ({
    "@type": "cr:FileObject",
    "@id": path,
    name: path,
    contentUrl: path,
    contentSize: `${bytes} B`,
    encodingFormat,
    sha256,
  }));
}

/** The one record set that a dataset has: a record an image. */
export function records(field: object[], key?: string): object[] {
  const identified = key === undefined ? {} : { key: { "@id": key } };
  return [{ "@type": "cr:RecordSet", "@id": "records", name: "records", ...identified, field }];
}
