/** Which column of a prediction table means what. */

import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { predictionColumns, probabilityColumn, scoreColumn } from "../core/own-columns.ts";
import type { PredictionTable } from "./table.ts";

/** Names where the usual ones do not apply. */
export interface PredictionMapping {
  id?: string | undefined;
  split?: string | undefined;
  label?: string | undefined;
  prediction?: string | undefined;
}

/** A number for each class: logits, or probabilities. */
export interface ClassScores {
  kind: "logit" | "prob";
  columns: readonly string[];
  /** What follows `logit_` or `prob_`: a class, or its place. */
  classes: readonly string[];
}

export interface ColumnRoles {
  id: string | undefined;
  split: string | undefined;
  /** Undefined where true classes are not known, as of images that nobody has labelled. */
  label: string | undefined;
  /** Undefined where the class with the largest score is the prediction. */
  prediction: string | undefined;
  scores: ClassScores | undefined;
  /** All other columns. */
  attributes: readonly string[];
}

export type LabelledRoles = ColumnRoles & { label: string };

/** The names that we write come first: what else is named as others name it is then an attribute. */
const usual = {
  id: [predictionColumns.id],
  split: [predictionColumns.split],
  label: [predictionColumns.label, "y", "label", "labels", "target"],
  prediction: [predictionColumns.prediction, "prediction", "predicted", "pred"],
} as const;

const flags = {
  id: "--id-column",
  split: "--split-column",
  label: "--label-column",
  prediction: "--prediction-column",
} as const;

export function rolesOf(table: PredictionTable, mapping: PredictionMapping): ColumnRoles {
  const column = (role: keyof typeof usual) => {
    const chosen = mapping[role];
    if (chosen !== undefined) return requiredColumn(table, chosen, `name the column with ${flags[role]}`);
    return usual[role].find((name) => table.columns.includes(name));
  };
  const label = column("label");
  const prediction = column("prediction");
  const scores = scoresOf(table);
  if (prediction === undefined && scores === undefined) {
    missingColumn(
      table,
      "y_pred",
      "name the predicted classes with --prediction-column, or have logit_… or prob_… columns, one a class",
    );
  }
  const [id, split] = [column("id"), column("split")];
  const known = [predictionColumns.source, probabilityColumn];
  const taken = new Set<string | undefined>([id, split, label, prediction, ...known]);
  const attributes = table.columns.filter(
    (name) => name !== "" && !taken.has(name) && !scoreColumn.test(name),
  );
  return { id, split, label, prediction, scores, attributes };
}

/** The same, of a table that must tell true classes. */
export function labelledRoles(table: PredictionTable, mapping: PredictionMapping): LabelledRoles {
  const roles = rolesOf(table, mapping);
  const label = roles.label ?? missingColumn(table, "y_true", "name the true classes with --label-column");
  return { ...roles, label };
}

export function requiredColumn(table: PredictionTable, name: string, todo?: string): string {
  return table.columns.includes(name) ? name : missingColumn(table, name, todo);
}

/** Logits before probabilities, where there are both: they lose nothing. */
function scoresOf(table: PredictionTable): ClassScores | undefined {
  for (const kind of ["logit", "prob"] as const) {
    const columns = table.columns.filter((name) => name.startsWith(`${kind}_`) && scoreColumn.test(name));
    if (columns.length === 0) continue;
    if (columns.length === 1) {
      throw new CuelabError({
        kind: "input",
        what: `there is only one column of ${kind === "logit" ? "logits" : "probabilities"}`,
        where: table.path,
        expected: `a column ${kind}_… for each class`,
        got: columns[0]!,
      });
    }
    return { kind, columns, classes: columns.map((name) => name.slice(kind.length + 1)) };
  }
  return undefined;
}

function missingColumn({ path, columns }: PredictionTable, name: string, todo?: string): never {
  const close = nearest(name, columns);
  const hints = [close === undefined ? undefined : `did you mean "${close}"?`, todo].filter(
    (hint) => hint !== undefined,
  );
  throw new CuelabError({
    kind: "input",
    what: `the table has no column "${name}"`,
    where: path,
    got: `columns ${columns.join(", ")}`,
    ...(hints.length === 0 ? {} : { todo: hints.join(" or ") }),
  });
}
