/** What an audit is: one question put to predictions, a model, a dataset, a benchmark's accuracies or features, with one answer. */

import type { z } from "zod";
import type { Dataset } from "../core/dataset.ts";
import type { Section } from "../core/section.ts";
import type { MadePool } from "../pools/make-pool.ts";
import type { OwnHead } from "../runs/feature-writer.ts";
import type { AskedModel } from "../training/asked/asked-model.ts";
import type { ComparedImage } from "./data-bias/agreement.ts";
import type { ImageObjects } from "./data-bias/measure.ts";
import type { AboutRun } from "./predictions/meaning.ts";
import type { ImagesOfRun } from "./predictions/mistakes.ts";

/** What an audit looks at, by the word that its `of` says. */
export interface AuditSubjects {
  /** Tables of predictions or runs' folders: one, or one a seed of one model; and those of a standard model beside them. */
  predictions: {
    tables: readonly string[];
    baselines?: readonly string[] | undefined;
    /** What the model was trained on, for tables that do not tell it themselves. */
    dataset?: Dataset | undefined;
    /** How to find what runs of earlier formats were about. */
    aboutRun?: AboutRun | undefined;
    /** How to see the images that a run was about; closed by whoever opened the subject. */
    imagesOfRun?: ImagesOfRun | undefined;
  };
  /** Opened, and closed by whoever opened it. */
  dataset: Dataset;
  /** Where objects are in images. */
  objects: {
    title: string;
    images: AsyncIterable<ImageObjects> | Iterable<ImageObjects>;
    /** The same images by another set of boxes, where one was given to compare with. */
    compared?: readonly ComparedImage[];
  };
  /** Tables of many models' accuracies, or of their predictions. */
  accuracies: { tables: readonly string[] };
  /** A matrix of features and what is known of its rows. */
  features: AuditedFeatures;
  /** A model, and the images that it is asked about, as they lie there: `inSizeOf` brings them to what it takes. */
  model: AuditedModel;
  /** Many classifiers of one dataset, made or found. */
  pool: MadePool;
}

export interface AuditedModel {
  model: AskedModel;
  /** Opened, with its classes as the model numbers them, and closed by whoever opened it. */
  dataset: Dataset;
}

export interface AuditedFeatures {
  /** What they are called. */
  title: string;
  /** [images, width], row by row. */
  features: Float32Array;
  width: number;
  /** Labels, attributes and splits of the rows; it need not have images. */
  dataset: Dataset;
  /** The network's own last layer over them, where it is one for the classes of the labels. */
  head?: OwnHead | undefined;
}

export type AuditSubject = keyof AuditSubjects;

export interface AuditHooks {
  signal?: AbortSignal | undefined;
  /** How far it is; `total` is undefined where nobody knows it. */
  onProgress?: ((doing: string, done: number, total: number | undefined, unit: string) => void) | undefined;
}

export interface Audit<
  Of extends AuditSubject = AuditSubject,
  Question extends z.ZodObject = z.ZodObject,
  Answer extends object = object,
> {
  name: string;
  /** What is asked, as a question. */
  title: string;
  description: string;
  paper?: string;
  of: Of;
  /** What can be said with the question, each with a description and, where it may be left away, a default. */
  question: Question;
  /** Equal questions about equal things have equal answers. */
  readonly ask: (
    question: z.output<Question>,
    subject: AuditSubjects[Of],
    hooks: AuditHooks,
  ) => Promise<Answer>;
  /** The answer in a few plain sentences: on top of its page, and last in a terminal. */
  readonly inShort?: (answer: Answer) => readonly string[];
  /** The answer in words, tables and figures. */
  readonly show: (answer: Answer) => Section[];
  /** The answer as plain data for programs, where it holds more than that, such as points to draw. */
  readonly data?: (answer: Answer) => object;
  /** Further files by their names, such as a repaired network: written where the whole answer is. */
  readonly files?: (answer: Answer) => Readonly<Record<string, Uint8Array>>;
}

/** An audit as registries hold it: of which things, and with which answer, only itself knows. */
export interface AnyAudit extends Omit<Audit, "ask" | "inShort" | "show" | "data" | "files"> {
  readonly ask: (question: never, subject: never, hooks: AuditHooks) => Promise<object>;
  readonly inShort?: (answer: never) => readonly string[];
  readonly show: (answer: never) => Section[];
  readonly data?: (answer: never) => object;
  readonly files?: (answer: never) => Readonly<Record<string, Uint8Array>>;
}

export function defineAudit<Of extends AuditSubject, Question extends z.ZodObject, Answer extends object>(
  audit: Audit<Of, Question, Answer>,
): Audit<Of, Question, Answer> {
  return audit;
}
