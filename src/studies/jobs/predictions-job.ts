/** What models say of images as a job: finished runs of another job, or files that people bring, asked about any data. */

import type { contents } from "../../images/watermark/contents.ts";
import type { DataWords } from "../../training/data-book.ts";
import type { JobHead } from "./job.ts";

export type MarkContent = keyof typeof contents;

/** Of `audit model`: a cue of another class, against the same of another image of the image's own class. */
export type ChangeName = "texture-swapped" | "background-exchanged";

export interface PredictionsJob extends JobHead {
  kind: "predictions";
  /** Every finished run of an earlier job, or network with another last layer; or folders of runs and ONNX files of anybody's. */
  of: { job: string } | { models: readonly string[] };
  data: Omit<DataWords, "environments">;
  /** Images of this split alone. */
  split?: string;
  /** Attributes whose values make groups. */
  by?: readonly string[];
  /** Each image is asked about once more with each of these watermarks on it. */
  marks?: readonly MarkContent[];
  /** Each image is asked about once more as each of these interventions changes it, and by its control. */
  changes?: readonly ChangeName[];
  /** A folder whose folders are called as the model's classes are, in their order: of models whose file does not say. */
  classesLike?: string;
  /** A folder with some of the classes: images of others are left out, and others cannot be predicted. */
  amongClassesOf?: string;
  /** Classes that the images' classes are made of: a JSON object of the model's class numbers and the class that each is part of. */
  superclasses?: string;
}

export interface MeasuredPredictions {
  kind: "predictions";
  job: PredictionsJob;
  models: readonly NetworkAnswer[];
}

/** What one model said; of a run with the row that it is of. */
export interface NetworkAnswer extends AnsweredImages {
  id: string;
  /** Of a row of the study, or of a file that was brought. */
  label: string;
  /** Null of a model that was brought: nothing tells what other seeds would give. */
  seed: number | null;
}

export interface AnsweredImages {
  images: number;
  correct: number;
  /** By `by`, in the order of the attributes' values. */
  groups: readonly AnsweredGroup[];
  /** In the order of the model's classes; those that no image has too, since marks may push towards them. */
  classes: readonly AnsweredClass[];
  marks: readonly MarkedImages[];
  /** None where nothing was to be changed. */
  changes?: readonly ChangedImages[];
}

/** The same images with the cue of another class, and of their own. */
export interface ChangedImages {
  change: ChangeName;
  correct: number;
  byControl: number;
  /** Right by the change alone, and right by its control alone. */
  gained: number;
  lost: number;
}

interface AnsweredGroup {
  values: Readonly<Record<string, string>>;
  images: number;
  correct: number;
}

interface AnsweredClass {
  name: string;
  /** Of this class. */
  images: number;
  correct: number;
  /** Its mean probability over all images. */
  probability: number;
}

/** The same images with a watermark. */
export interface MarkedImages {
  mark: MarkContent;
  correct: number;
  /** Right with the mark alone, and right without it alone. */
  gained: number;
  lost: number;
  /** By class, in the order of `classes`. */
  classes: readonly PushedByMark[];
}

export interface PushedByMark {
  /** Mean change of its probability over all images, and how far images differ in it. */
  change: number;
  deviation: number;
  /** Over images of this class: the same change, and how many are right with the mark. */
  ownChange: number;
  correct: number;
  gained: number;
  lost: number;
}
