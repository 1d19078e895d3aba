/** Which runs made the predictions, and with what settings: at the end of a page, for those who want to repeat it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import type { Gallery, Section } from "../../core/section.ts";
import { decidingLeaves, leavesOf } from "../../core/spec-differences.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { learningCurves } from "../../runs/learning-curves.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { runPictures } from "../../runs/run-pictures.ts";

/** In the order of the tables; those that no run has made are left out. */
export async function originsOf(tables: readonly string[]): Promise<PredictionsOrigin[]> {
  const opened = await Promise.all(tables.map((path) => openPredictions(path, {})));
  return opened.flatMap(({ origin }) => origin ?? []);
}

/** How the runs among the tables came to what they found. */
export function showCurves(tables: readonly string[]): Section[] {
  const folders = tables.filter((path) => existsSync(join(path, runFiles.history)));
  const figures = folders.length === 0 ? [] : learningCurves([{ label: "run", folders }]);
  return figures.length === 0 ? [] : [{ name: "curves", heading: "Learning curves", figures }];
}

/** What the methods of the runs among the tables have drawn, such as traversals of a code. */
export function showPictures(tables: readonly string[]): Section[] {
  const pictures = tables
    .filter((path) => existsSync(join(path, runFiles.manifest)))
    .flatMap((folder) =>
      runPictures(folder).map((picture) => ({ ...picture, from: tables.length > 1 ? `${folder}, ` : "" })),
    );
  if (pictures.length === 0) return [];
  const gallery: Gallery = {
    name: "pictures",
    caption: "Drawn by the method at the end of the run, of images that it was not trained on",
    pictures: pictures.map(({ name, words, from, draw }) => ({
      label: `${from}${words}`,
      alt: `${from}${name}: ${words}`,
      draw,
    })),
  };
  return [{ name: "pictures", heading: "What the method makes of images", galleries: [gallery] }];
}

/** Runs that are averaged differ in their seeds alone. */
export function showOrigins(origins: readonly PredictionsOrigin[]): Section[] {
  const [first] = origins;
  if (first === undefined) return [];
  const seeds = origins.map(({ run, spec }) => `${run}, seed ${leavesOf(spec).get("seed") ?? "unknown"}`);
  return [
    {
      name: "settings",
      heading: "Settings of the runs",
      facts: [[origins.length === 1 ? "run" : "runs", seeds.join("; ")], ...decidingLeaves(first.spec)],
    },
  ];
}
