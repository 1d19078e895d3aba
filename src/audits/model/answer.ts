/** What an audit of a model found, in plain data but for the images of its gallery. */

import type { Pixels } from "../../core/dataset.ts";
import type { ThingSource } from "./asked-images.ts";
import type { RelianceVerdict } from "./judge.ts";
import type { SeenFlip } from "./tally.ts";

export interface ModelAnswer {
  model: string;
  data: string;
  images: number;
  /** All that there were to choose from. */
  among: number;
  classes: number;
  classNames: readonly string[];
  /** Whether the classes' names are the data's, since nobody says what the model's are. */
  namesAssumed: boolean;
  /** Whether right is what the labels say, or what the model says of the plain image. */
  labelled: boolean;
  /** Of plain images; null without labels. */
  accuracy: number | null;
  settings: AuditedSettings;
  variants: readonly VariantAnswer[];
  /** None where no marks were made. */
  marked: MarkedAnswer | undefined;
  notDone: readonly { intervention: string; why: string }[];
  /** Images are made again where they are shown. */
  seen: { again: MakeAgain };
}

/** An image, and as a variant changed it for the model. */
type MakeAgain = (variant: number, index: number) => Promise<{ plain: Pixels; changed: Pixels }>;

interface AuditedSettings {
  margin: number;
  threshold: number;
  alpha: number;
  flips: number;
  seed: number;
  thing: ThingSource | null;
  split: string | null;
}

export interface IntervalOf {
  value: number;
  low: number;
  high: number;
}

export interface VariantAnswer {
  intervention: string;
  variant: string;
  images: number;
  without: number;
  accuracy: { plain: number; changed: number; control: number } | null;
  gap: IntervalOf | null;
  controlGap: IntervalOf | null;
  /** Intervention less control: reliance is negative. */
  lessControl: IntervalOf | null;
  flips: { lost: number; won: number };
  /** Of the true class, or of what the model says of the plain image. */
  probabilityChange: number | null;
  probabilityLessControl: number | null;
  /** What is said instead, of most changed predictions first; with how many the control pushes there. */
  pushesTo: readonly { class: string; images: number; byControl: number }[];
  adjusted: { reliance: number; none: number };
  verdict: RelianceVerdict;
  shown: readonly SeenFlip[];
}

export interface MarkedAnswer {
  marks: readonly string[];
  /** Every class, by the mark that it gains most by; the largest gain first. */
  classes: readonly MarkedClass[];
  /** Holm's, of the first class, together with the variants. */
  adjusted: number;
  /** Whether there is a class that marks speak for. */
  verdict: RelianceVerdict;
  /** Six columns for one class and each mark, as Table 1 of Li et al. 2023; none where no class was asked for. */
  asked: { class: string; rows: readonly AskedMark[] } | undefined;
}

export interface MarkedClass {
  class: string;
  mark: string;
  /** Mean probability of plain images. */
  probability: number;
  gain: number;
  lessControl: IntervalOf;
  gainInClass: number | null;
  accuracyGapInClass: number | null;
  /** For all classes and marks. */
  adjusted: number;
  /** Also gained more than the threshold beyond its control, at the level of the audit. */
  found: boolean;
}

export interface AskedMark {
  mark: string;
  accuracy: number | null;
  probability: number;
  accuracyGap: number;
  gain: number;
  accuracyGapInClass: number | null;
  gainInClass: number | null;
}
