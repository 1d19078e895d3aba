/** What people say of their own tables and folders. */

import { z } from "zod";
import { folderLayouts } from "./domain-folders.ts";
import type { Preparation } from "./preparation.ts";

/** Which columns mean what, where the usual names do not apply, as words of a spec. */
export const columnWords = z.strictObject({
  image: z.string().optional(),
  label: z.string().optional(),
  split: z.string().optional(),
  /** All columns with few values, unless said otherwise. */
  cues: z.array(z.string()).optional(),
  /** What folders mean, where their names do not tell. */
  layout: z.enum(folderLayouts).optional(),
});

export type ColumnWords = z.input<typeof columnWords>;

/** The same with how images are made ready. */
export interface ColumnMapping extends Omit<Unsaid<ColumnWords>, "cues"> {
  cues?: readonly string[] | undefined;
  tableName?: string | undefined;
  /** Columns by which images belong together, such as patient: known of every image, whether cues or not. */
  together?: readonly string[] | undefined;
  /** `none`: whatever looks like a label is none. `if-any`: images that nobody has labelled will do. */
  labels?: "none" | "if-any" | undefined;
  prepared?: Preparation | undefined;
}

/** With values that may be undefined, as options of commands are. */
type Unsaid<Words> = { [Key in keyof Words]?: Words[Key] | undefined };
