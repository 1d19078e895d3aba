/** What looking for unknown shortcuts has found, in plain data but for the images to show. */

import type { Dataset, SkippedImage } from "../../core/dataset.ts";
import type { TinyClassifier } from "./classifiers/tiny-classifiers.ts";
import type { Leak, LookAlikes } from "./grouping/leaks.ts";
import type { Removal } from "./measuring/removal.ts";
import type { PropertySource } from "./properties/property.ts";
import type { ShortcutEffect, Thresholds } from "./testing/find-shortcuts.ts";

/** A property that goes with a class. */
export interface DiscoveredShortcut extends ShortcutEffect {
  property: string;
  of: PropertySource;
  class: string;
  /** What is said: `format is png`, `brightness at least 0.62`. */
  statement: string;
  /** The property of a stronger finding beside which little of this one is left; null where there is none. */
  explainedBy: string | null;
  examples: ExampleLists<string>;
}

/** Images of the class of which it is true and not, and of others: by name, or by index. */
export interface ExampleLists<Image> {
  having: Image[];
  lacking: Image[];
  othersHaving: Image[];
  othersLacking: Image[];
}

/** What was found with all that there is, or after something was taken away. */
export interface Discovery {
  tests: number;
  findings: DiscoveredShortcut[];
  classifiers: TinyClassifier[];
  /** Kinds of properties that could not be measured, and why. */
  leftOut: { of: PropertySource; why: string }[];
}

export interface DiscoverAnswer extends Discovery {
  title: string;
  /** The images that findings are about: a split's name, or all. */
  split: string;
  images: number;
  /** Those that findings are about, by class. */
  classes: { class: string; images: number; heldOut: number }[];
  /** Classes with too few held-out images to judge. */
  untested: string[];
  /** Images of which one of each cluster counts, and by what they belong together. */
  clusters: { count: number; by: string[] };
  thresholds: Thresholds & { by: "Benjamini–Yekutieli" };
  /** The least difference that could have been found, for a class of middling size. */
  visible: number | null;
  properties: { name: string; of: PropertySource; description: string; kind: "number" | "name" }[];
  lookAlikes: LookAlikes;
  leaks: Leak[];
  /** The same after something was taken away from all images. */
  without: (Discovery & { removed: Removal[] }) | null;
  broken: SkippedImage[];
  /** What is needed to show images; no part of the answer's data. */
  shown: ShownImages;
}

export interface ShownImages {
  images: Dataset["images"];
  /** Of each finding, by its place. */
  examples: ExampleLists<number>[];
  lookAlikes: number[][];
}
