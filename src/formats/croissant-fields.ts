/** Pieces of Croissant metadata that every format's record set shares. */

import type { Manifest } from "./manifest.ts";

export function croissantField(name: string, description: string, dataType: string, source: object): object {
  return { "@type": "cr:Field", "@id": `records/${name}`, name, description, dataType, source };
}

/** The label, and one field an attribute; `sourceOf` says where a column is found. */
export function attributeFields(
  { classNames, attributes }: Pick<Manifest, "classNames" | "attributes">,
  sourceOf: (column: string) => object,
  labelColumn = "y",
): object[] {
  const codes = (names: readonly string[]) => names.map((name, i) => `${i} ${name}`).join(", ");
  return [
    croissantField(labelColumn, `class: ${codes(classNames)}`, "sc:Integer", sourceOf(labelColumn)),
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
