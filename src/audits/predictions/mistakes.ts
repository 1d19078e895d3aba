/** The most confident mistakes of a run in its worst group, for people to look at. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { predictionColumns } from "../../core/own-columns.ts";
import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import type { Gallery, PictureFile, Section } from "../../core/section.ts";
import { thumbnail } from "../../images/thumbnail.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import type { PredictionTable } from "../../predictions/table.ts";
import { type ColumnRequest, type NumberColumn, type TableBatch, textAt } from "../../tables/table.ts";
import type { EvaluationReport, GroupReport } from "./evaluation-report.ts";

interface Mistake {
  /** The image's place in its dataset. */
  id: number;
  /** The image's own file, where it has one. */
  file: string | null;
  class: string;
  predicted: string;
  /** Probability that the model gave to the wrong class. */
  confidence: number;
}

interface Mistakes {
  group: string;
  /** The run that made them. */
  table: string;
  wrong: number;
  /** The most confident first. */
  shown: readonly Mistake[];
}

/** Opens the images that a run's predictions are about; undefined where it has seen none. */
export type ImagesOfRun = (origin: PredictionsOrigin, table: string) => Promise<Dataset | undefined>;

export interface SeenMistakes extends Mistakes {
  readonly picture: (mistake: Mistake) => Promise<PictureFile>;
}

/** Predictions are measured also where their images are gone. */
export interface UnseenMistakes extends Mistakes {
  readonly gone: string;
}

/** Undefined where no table is a run's, or the worst group has no mistake. */
export async function mistakesOf(
  report: EvaluationReport,
  most: number,
  imagesOfRun: ImagesOfRun,
): Promise<SeenMistakes | UnseenMistakes | undefined> {
  const group = report.groups.find(({ name }) => name === report.worstGroup.name);
  if (group === undefined) return undefined;
  for (const path of report.files) {
    const table = await openPredictions(path, {});
    if (table.origin === undefined || table.classNames === undefined) continue;
    const found = await wrongRows(table, table.classNames, group, report.split);
    if (found.length === 0) continue;
    const shown = found.sort((a, b) => b.confidence - a.confidence || a.id - b.id).slice(0, most);
    const mistakes = { group: group.name, table: path, wrong: found.length, shown };
    try {
      const dataset = await imagesOfRun(table.origin, path);
      if (dataset === undefined) continue;
      return { ...mistakes, picture: async ({ id }) => thumbnail(await dataset.images.pixels(id)) };
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      const { what, where } = cause.parts;
      return { ...mistakes, gone: where === undefined ? what : `${what} (${where})` };
    }
  }
  return undefined;
}

async function wrongRows(
  table: PredictionTable,
  classNames: readonly string[],
  group: GroupReport,
  split: string | null,
): Promise<Mistake[]> {
  const wrong: Mistake[] = [];
  const { id, label, prediction, source, split: splits } = predictionColumns;
  const named = new Map(Object.entries({ ...group.values, ...(split !== null && { [splits]: split }) }));
  const wanted: ColumnRequest[] = [
    ...[id, label, prediction].map((name) => ({ name, as: "numbers" as const })),
    ...classNames.map((_, k) => ({ name: `logit_${k}`, as: "numbers" as const })),
    ...[...named.keys()].map((name) => ({ name, as: "codes" as const })),
    ...(table.columns.includes(source) ? [{ name: source, as: "texts" as const }] : []),
  ];
  for await (const batch of table.batches(wanted)) {
    const column = (name: string) => batch.columns[wanted.findIndex((request) => request.name === name)];
    const [ids, labels, said] = [id, label, prediction].map((name) => (column(name) as NumberColumn).numbers);
    for (let row = 0; row < batch.count; row++) {
      const own = classNames[labels![row]!]!;
      if (labels![row] === said![row] || (group.class !== null && own !== group.class)) continue;
      if ([...named].some(([name, value]) => textAt(column(name)!, row) !== value)) continue;
      const file = column(source);
      wrong.push({
        id: ids![row]!,
        file: file === undefined ? null : textAt(file, row),
        class: own,
        predicted: classNames[said![row]!]!,
        confidence: confidenceOf(batch, row, said![row]!, classNames.length),
      });
    }
  }
  return wrong;
}

/** Logits come after id, label and prediction. */
function confidenceOf({ columns }: TableBatch, row: number, said: number, classes: number): number {
  const logits = Array.from({ length: classes }, (_, k) => (columns[3 + k] as NumberColumn).numbers[row]!);
  const most = Math.max(...logits);
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
  return Math.exp(logits[said]! - most) / total;
}

export function showMistakes(mistakes: SeenMistakes | UnseenMistakes): Section {
  const { group, table, wrong, shown } = mistakes;
  const heading = "What it gets wrong";
  const named = ({ id, file }: Mistake) => file ?? `image ${id}`;
  const label = (mistake: Mistake) =>
    `${named(mistake)}: ${mistake.predicted}, ${(100 * mistake.confidence).toFixed(0)}%`;
  const caption =
    `${shown.length === wrong ? `All ${wrong} mistakes` : `The ${shown.length} most confident of ${wrong} mistakes`} ` +
    `in the worst group, ${group}, of ${table}; of each image what it was taken for, and how surely`;
  if ("gone" in mistakes) {
    const remarks = [`the images cannot be shown: ${mistakes.gone}`];
    return { name: "mistakes", heading, text: `${caption}: ${shown.map(label).join("; ")}.`, remarks };
  }
  const gallery: Gallery = {
    name: "mistakes",
    caption,
    pictures: shown.map((mistake) => ({
      label: label(mistake),
      alt: `${named(mistake)}, of class ${mistake.class}, taken for ${mistake.predicted}`,
      draw: () => mistakes.picture(mistake),
    })),
  };
  return { name: "mistakes", heading, galleries: [gallery] };
}
