/**
 * The columns that our tables of images have themselves. An attribute of such a name would be written twice, or be read
 * as something else: it is refused before anything is computed.
 */

import { CuelabError } from "./errors.ts";

/** The image's file as its owner called it. */
export const sourceColumn = "source_file";

/** Of predictions, as runs write them and as readers find them first. */
export const predictionColumns = {
  id: "id",
  source: sourceColumn,
  split: "split",
  label: "y_true",
  prediction: "y_pred",
} as const;

/** Of the predicted class, in tables for people. */
export const probabilityColumn = "probability";

/** A class's logit or probability: readers take every such column for one. */
export const scoreColumn = /^(logit|prob)_(.+)$/;

/** Of the examples beside features. */
export const exampleColumns = { id: "id", split: "split", label: "label" } as const;

/** Of the points of an embedding. */
export const pointColumns = ["image", "part", "x", "y", "class"] as const;

interface OwnColumns {
  /** Which tables these are, for messages. */
  of: string;
  names: readonly string[];
  scores: boolean;
}

const predictions: OwnColumns = {
  of: "tables of predictions",
  names: Object.values(predictionColumns),
  scores: true,
};

const tables = {
  predictions,
  // What is trained on features writes predictions.
  features: {
    of: "tables of features and of predictions",
    names: [...new Set([...Object.values(exampleColumns), ...predictions.names])],
    scores: true,
  },
  points: { of: "tables of points", names: pointColumns, scores: false },
} satisfies Record<string, OwnColumns>;

type ImageTable = keyof typeof tables;

/** The attributes that a table has no room for. */
export function takenNames(attributes: readonly string[], table: ImageTable): string[] {
  const { names, scores }: OwnColumns = tables[table];
  return attributes.filter((name) => names.includes(name) || (scores && scoreColumn.test(name)));
}

/** Refuses attributes whose names a table needs for itself. */
export function checkColumnNames(
  attributes: readonly string[],
  table: ImageTable,
  { where, todo }: { where: string; todo?: string },
): void {
  const taken = takenNames(attributes, table);
  if (taken.length === 0) return;
  const { of, names, scores }: OwnColumns = tables[table];
  throw new CuelabError({
    kind: "input",
    what: `an attribute cannot be named "${taken[0]}": ${of} use that name themselves`,
    where,
    expected: `other names than ${names.join(", ")}${scores ? ", logit_… and prob_…" : ""}`,
    got: `attributes ${attributes.join(", ")}`,
    todo:
      todo ??
      renaming(
        taken[0]!,
        attributes.filter((name) => !taken.includes(name)),
      ),
  });
}

function renaming(taken: string, others: readonly string[]): string {
  const rename = `rename the column "${taken}" in your table`;
  if (others.length === 0) return rename;
  return `${rename}, or leave it out: cuelab data convert <path> --cue-columns ${others.join(",")} --to folder --out D, then take D`;
}
