/** What a fuzzed format is: a seed file, how it is read, how it is changed, and who else reads it. */

import type { Chance } from "./chance.ts";

export type Mutator = (bytes: Buffer, chance: Chance) => Buffer;

export interface FuzzedFormat {
  name: string;
  /** Entries of the program's registries that it stands for: `format npz`, `table csv`. */
  covers: readonly string[];
  /** Writes the seed into an empty folder, and says which file of it is changed. */
  seed(folder: string): Promise<string>;
  /** Changes that keep the format's own sums and lengths right; bytes are changed in every format. */
  mutators: readonly Mutator[];
  /** What the program reads, as plain data without paths; checks that there is one of everything for each image. */
  read(folder: string, file: string): Promise<unknown>;
  /**
   * What somebody else reads in the same file, in the same form; throws where that one refuses it. `ours` is what the program read:
   * where it says that it left something out, that is told and not silent.
   */
  other?: (folder: string, file: string, ours: unknown) => Promise<unknown>;
  /** In words what differs, where equal is not the same text; undefined where nothing does. */
  differs?: (ours: unknown, theirs: unknown) => string | undefined;
  /** Makes digests right again, as somebody would who changed the file on purpose. */
  settle?: (folder: string, file: string) => Promise<void>;
}

/** Given by others who cannot say. */
export const noOpinion = Symbol("no opinion");

/** Thrown where what was read contradicts itself. */
export class BrokenContent extends Error {}

export function mustHold(holds: boolean, what: string): void {
  if (!holds) throw new BrokenContent(what);
}
