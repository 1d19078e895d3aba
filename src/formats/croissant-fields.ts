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

/** A column of a table that lies in one file. */
export function columnOf(file: string): (column: string) => object {
  return (column) => ({ fileObject: { "@id": file }, extract: { column } });
}

/** Joins each file of a set to its row in a table, which has the path in the column `file_name`. */
export function joinedFiles(name: string, fileSet: string, table: string): object {
  return {
    ...croissantField(name, "path of the image among the files", "sc:Text", {
      fileSet: { "@id": fileSet },
      extract: { fileProperty: "fullpath" },
      // All of it: mlcroissant compares texts only where a source is transformed.
      transform: { regex: "(.+)" },
    }),
    references: columnOf(table)("file_name"),
  };
}

/** The name of a field that no attribute has. */
export function freeName(wanted: string, { attributes }: Pick<Manifest, "attributes">): string {
  return attributes.some(({ name }) => name === wanted) ? `full_${wanted}` : wanted;
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

/** A record an image: of all of them, or of a split where archives of several have files of one name. */
export function records(field: object[], key?: string): object[] {
  const identified = key === undefined ? {} : { key: { "@id": key } };
  return [{ "@type": "cr:RecordSet", "@id": "records", name: "records", ...identified, field }];
}

/** The same under another name, of its fields too. */
export function recordsOf(split: string, field: object[]): object {
  const [all] = records(
    field.map((each) => ({ ...each, "@id": `${split}/${(each as { name: string }).name}` })),
  );
  return { ...all, "@id": split, name: split };
}
