/** What every reader finds, of our formats and of other people's layouts. */

import type { AttributeRole, SideImages, SourceRecord, StoredImages } from "../core/dataset.ts";
import type { UnreadFiles } from "../sources/list-images.ts";
import type { ReadColumn } from "./columns.ts";

/** What a reader finds: images by index, and the table's columns, the label's and `split` among them. */
export interface StoredDataset {
  images: StoredImages;
  columns: ReadonlyMap<string, ReadColumn>;
  labelColumn: string;
  /** What to call the table in messages. */
  table: string;
  /** Columns that could not be read, and why. */
  ignoredColumns?: { name: string; reason: string }[];
  /** What people would want to know about how it was read. */
  warnings?: string[];
  /** Files among the images that were not read, by kind. */
  unread?: readonly UnreadFiles[];
  /** Splits are no word of the data's owner: another division may take their place. */
  splitsAreOurs?: boolean;
  /** Files whose digests are known. */
  sources?: SourceRecord[];
  /** Values of columns in the order of their codes, where that is not the alphabet's. */
  valueOrder?: Readonly<Record<string, readonly string[]>>;
  /** Roles of columns that are known not to be cues; they are attributes however many values they have. */
  roles?: Readonly<Record<string, AttributeRole>>;
  /** The attribute that tells the environment. */
  statisticsBy?: string;
  /** Splits that differ from training by design. */
  shiftedSplits?: readonly string[];
  /** Pictures that go with the images, where others keep them in this format. */
  sideImages?: Readonly<Record<string, SideImages>>;
}
