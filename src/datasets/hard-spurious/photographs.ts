/** What the dataset needs of photographs, whether drawn or taken: each with one object whose place is known. */

import type { Box } from "../../core/box.ts";
import type { Pixels, SkippedImage, SourceRecord, standardSplits } from "../../core/dataset.ts";

export type Split = (typeof standardSplits)[number];

export interface Photograph {
  /** RGB. */
  image: Pixels;
  /** Of the object. */
  box: Box;
  /** All that must go before the background is left: boxes of every object of the class. */
  boxes: readonly Box[];
  /** Of the image's size: 255 where an object is, 0 elsewhere; of all the objects that have a box. */
  mask?: Uint8Array;
  /** The background without any object, where it is known. */
  background?: Pixels;
}

export interface Photographs {
  classNames: readonly string[];
  /** Numbers of the photographs by split and class; no number is in two splits. */
  members: Readonly<Record<Split, readonly (readonly number[])[]>>;
  /** Splits that take their photographs from one folder, in the order in which they take them. */
  shared?: readonly SharedFolder[];
  /** Throws where files that go with these photographs are missing. */
  check?(photographs: Iterable<number>): Promise<void>;
  read(photograph: number): Photograph | Promise<Photograph>;
  /** False where objects cover the whole photograph, so that nothing of its background is left; undefined where all have one. */
  readonly hasBackground?: (photograph: number) => boolean;
  /** Size of the photograph and place of the object, without reading pixels where that can be helped. */
  place(photograph: number): ObjectPlace | Promise<ObjectPlace>;
  describe(photograph: number): string;
  sources: readonly SourceRecord[];
  license: string;
  skipped: readonly SkippedImage[];
}

interface SharedFolder {
  splits: readonly Split[];
  /** Photographs of each class. */
  available: readonly number[];
}

interface ObjectPlace {
  /** Of the object that is cut out. */
  box: Box;
  /** Of all objects of the class. */
  boxes: readonly Box[];
  width: number;
  height: number;
}
