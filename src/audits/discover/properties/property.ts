/** What a property of an image is: a name, and how it is measured from what is known of the image. */

/** Of what a property tells. */
export type PropertySource = "name" | "file" | "pixels" | "features";

/** What is known of a property beside its values. */
export interface PropertyAbout {
  name: string;
  of: PropertySource;
  description: string;
  circle?: number | undefined;
  share?: true | undefined;
}

/** Adding one is an entry in a list: it is then measured, tested, shown and documented like the others. */
export interface Property<Facts> {
  name: string;
  description: string;
  /** Numbers are told by ranges, names by single values. */
  kind: "number" | "name";
  /** Values that stand for the same, such as 0 and 360 degrees: ranges may lead across. */
  circle?: number;
  /** Numbers are shares of a whole, and read as per cent. */
  share?: true;
  /** Undefined where the image has none, which can go with a class, too. */
  measure: (facts: Facts) => number | string | undefined;
}
