/** The paper's fit of a split, where the table tells dataset and environments as the authors' own tables do. */

import type { SplitReport } from "../../audits/line/report.ts";
import { averageFits, type PublishedFit, pairFits } from "../../studies/published/salaudeen-2025.ts";

/** Undefined for other datasets, and for subgroups: the paper fits all models together. */
export function publishedFit({ id, group }: SplitReport): PublishedFit | undefined {
  const { dataset, test_env: ood, ...subgroup } = group;
  if (dataset === undefined || ood === undefined || Object.keys(subgroup).length > 0) return undefined;
  const name = dataset.replace(/^WILDS|^Covid-/, "");
  const environments = id.map((column) => /train_env (\d+)\)$/.exec(column)?.[1]);
  const fits = id.length > 1 || name === "Waterbirds" ? averageFits : pairFits;
  return fits.find(
    (fit) => fit.dataset === name && fit.ood === ood && (fit.id === undefined || fit.id === environments[0]),
  );
}
