/** What the images of UrbanCars are composed of, whether it is drawn or photographed. */

import type { Pixels, SkippedImage, SourceRecord } from "../../core/dataset.ts";
import type { Cutout } from "../../images/compose.ts";
import type { GroupColumns } from "./groups.ts";
import type { PartName } from "./worlds.ts";

/** A split whose images are to get parts. */
export interface PartSplit extends GroupColumns {
  name: string;
  count: number;
}

/** Images are counted over all splits. */
export interface UrbanCarsParts {
  /** Of what kind each image's part is, such as a sedan or an alley. */
  kinds: Readonly<Record<PartName, { values: Uint16Array; valueNames: readonly string[] }>>;
  car(index: number): Cutout | Promise<Cutout>;
  thing(index: number): Cutout | Promise<Cutout>;
  /** Of the images' size; not to be changed. */
  background(index: number): Pixels | Promise<Pixels>;
  sources: readonly SourceRecord[];
  license: string;
  skipped: readonly SkippedImage[];
}
