/** What people say of their own tables and folders. */

import type { FolderLayout } from "./domain-folders.ts";
import type { Preparation } from "./preparation.ts";

/** Which columns mean what, where the usual names do not apply, and how images are made ready. */
export interface ColumnMapping {
  tableName?: string | undefined;
  image?: string | undefined;
  label?: string | undefined;
  split?: string | undefined;
  /** All columns with few values, unless said otherwise. */
  cues?: readonly string[] | undefined;
  /** Columns by which images belong together, such as patient: known of every image, whether cues or not. */
  together?: readonly string[] | undefined;
  /** What folders mean, where their names do not tell. */
  layout?: FolderLayout | undefined;
  /** `none`: whatever looks like a label is none. `if-any`: images that nobody has labelled will do. */
  labels?: "none" | "if-any" | undefined;
  prepared?: Preparation | undefined;
}
