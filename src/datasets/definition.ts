/** What a dataset file provides: its settings, where it comes from, and how settings and a seed become images. */

import { channel } from "node:diagnostics_channel";
import { resolve } from "node:path";
import type { z } from "zod";
import type { Dataset } from "../core/dataset.ts";
import { resolveSettings } from "../core/settings.ts";
import { bindRecipe } from "../images/recipe.ts";

/** Told of every build, whichever process or thread it is in: it may take seconds, and tests count them. */
const built = channel("cuelab:dataset-built");

export interface DatasetDefinition<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Two or three sentences: what is in the images, what the label is, which cue is the shortcut. */
  description: string;
  /** Authors and year of the paper or papers that it follows. */
  paper: string;
  /** Raised whenever equal settings and seed would give other images than before. */
  version: number;
  /**
   * Set where pixels are drawn by Skia, which computes in floating point and rounds differently on other kinds of
   * processor: labels and attributes are the same everywhere, pixels only on machines alike.
   */
  pixelsDependOnProcessor?: boolean;
  settings: Schema;
  /** Settings that say where people keep files; what the files hold decides, so that data may move. */
  places?: readonly (keyof z.output<Schema> & string)[];
  /** Example assignments, for help pages. */
  examples: readonly string[];
  /** Assignments for a dataset of a few hundred images, for quick looks and for the contract tests. */
  small: readonly string[];
  /** Settings that have names of their own, made as `dataset:name`. */
  variants?: DatasetVariants;
  /** Everything but the pixels, which are made when asked for, each from its index alone. */
  build(settings: z.output<Schema>, seed: number): Promise<Dataset>;
}

interface DatasetVariants {
  /** How the names are built, for help pages. */
  pattern: string;
  /** Those that are listed; others of the same pattern may be made too. */
  names: () => string[];
  /** As `key=value`, or undefined where the name does not follow the pattern. */
  assignments: (name: string) => string[] | undefined;
}

/** A dataset among others, that still tells the type of its settings. */
export type TypedDataset<Schema extends z.ZodObject> = DatasetDefinition & { readonly typed?: Schema };

export function defineDataset<Schema extends z.ZodObject>(
  definition: DatasetDefinition<Schema>,
): TypedDataset<Schema> {
  return {
    ...definition,
    build: async (settings, seed) => {
      const resolved = resolveSettings(definition.settings, settings);
      built.publish({ name: definition.name, settings: resolved, seed });
      return definition.build(resolved, seed);
    },
  };
}

/** With a recipe for what it makes. Only for a definition that is found by its name in every thread. */
export function withRecipe(definition: DatasetDefinition): DatasetDefinition {
  return {
    ...definition,
    build: async (given, seed) => {
      const dataset = await definition.build(given, seed);
      const settings: Record<string, unknown> = { ...resolveSettings(definition.settings, given) };
      // Another process may have another folder to begin with.
      for (const place of definition.places ?? [])
        if (typeof settings[place] === "string") settings[place] = resolve(settings[place]);
      bindRecipe(dataset, { kind: "made", name: definition.name, settings, seed });
      return dataset;
    },
  };
}
