/** The course of a run: a row an epoch of each stage. */

import { preferencePrefix } from "../runs/learning-curves.ts";
import type { EpochRecord } from "./train.ts";

/** By the names of the table's columns. */
export function historyNumbers({
  trainLoss,
  valLoss,
  valAccuracy,
  columns,
}: EpochRecord): Record<string, number | null> {
  return { train_loss: trainLoss, val_loss: valLoss, val_accuracy: valAccuracy, ...columns };
}

/** Numbers of the method's own come last; a stage that has none leaves them empty. */
export function historyCsv(history: readonly EpochRecord[]): string {
  const named = [...new Set(history.flatMap((row) => Object.keys(row.columns ?? {})))];
  const isOwn = (name: string) => !name.startsWith(preferencePrefix);
  const columns = [...named.filter((name) => !isOwn(name)), ...named.filter(isOwn)];
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = history.map((row) =>
    [
      quoted(row.stage),
      row.epoch,
      row.trainLoss,
      row.valLoss ?? "",
      row.valAccuracy ?? "",
      ...columns.map((name) => row.columns?.[name] ?? ""),
    ].join(","),
  );
  const head = ["stage", "epoch", "train_loss", "val_loss", "val_accuracy", ...columns.map(quoted)];
  return `${[head.join(","), ...rows].join("\n")}\n`;
}
