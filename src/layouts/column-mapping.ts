/** What people say of their own tables and folders. */

import type { FolderLayout } from "./domain-folders.ts";

/** Which columns mean what, where the usual names do not apply. */
export interface ColumnMapping {
  tableName?: string | undefined;
  image?: string | undefined;
  label?: string | undefined;
  split?: string | undefined;
  /** All columns with few values, unless said otherwise. */
  cues?: readonly string[] | undefined;
  /** What folders mean, where their names do not tell. */
  layout?: FolderLayout | undefined;
  /** Nobody has labelled the images: whatever looks like a label is none. */
  unlabelled?: boolean | undefined;
}
