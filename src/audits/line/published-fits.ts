/** The paper's fits of splits, where their names tell dataset, environments and groups. */

import {
  averageFits,
  type PublishedFit,
  type PublishedGroupFit,
  pairFits,
  waterbirdsGroupFits,
  waterbirdsGroupPairs,
} from "../../published/salaudeen-2025.ts";
import type { SplitReport } from "./report.ts";

/** Undefined for other datasets, and for subgroups: the paper fits all models together. */
export type PublishedBeside = PublishedFit | PublishedGroupFit | undefined;

export function publishedFits(splits: readonly SplitReport[]): PublishedBeside[] {
  const places = splits.map(waterbirdsPlaces);
  // An average by itself could be of any dataset.
  const isWaterbirds = places.some((place) => place?.ood.group !== undefined);
  return splits.map((split, i) => {
    const place = isWaterbirds ? places[i] : undefined;
    return publishedFit(split) ?? (place && waterbirdsFit(place));
  });
}

/** What a reader must know about the fits that were found. */
export function publishedRemarks(fits: readonly PublishedBeside[]): string[] {
  const groups = fits.filter((fit) => fit !== undefined && "oodGroup" in fit);
  if (groups.length === 0) return [];
  return [
    ...(groups.some(({ idGroup }) => idGroup === undefined)
      ? [
          "of Table 25 compare R alone: its slopes, intercepts and standard errors go with ID accuracy regressed on OOD accuracy",
        ]
      : []),
    "the paper's text says that Waterbirds' environment 0 is its training split, but the averages in Tables 24 to 26 are those of Env 1 as the training split: the rows of the other direction may be meant",
  ];
}

/** As the authors' own tables name them. */
function publishedFit({ id, group }: SplitReport): PublishedFit | undefined {
  const { dataset, test_env: ood, ...subgroup } = group;
  if (dataset === undefined || ood === undefined || Object.keys(subgroup).length > 0) return undefined;
  const name = dataset.replace(/^WILDS|^Covid-/, "");
  const environments = id.map((column) => /train_env (\d+)\)$/.exec(column)?.[1]);
  const fits = id.length > 1 || name === "Waterbirds" ? averageFits : pairFits;
  return fits.find(
    (fit) => fit.dataset === name && fit.ood === ood && (fit.id === undefined || fit.id === environments[0]),
  );
}

interface PublishedPlace {
  environment: string;
  /** `y=0,a=1`; undefined for the average. */
  group?: string;
}

interface Places {
  id: PublishedPlace;
  ood: PublishedPlace;
}

function waterbirdsPlaces({ id, ood, group }: SplitReport): Places | undefined {
  if (id.length !== 1 || Object.keys(group).length > 0) return undefined;
  const [home, there] = [placeOf(id[0]!), placeOf(ood)];
  return home && there && home.environment !== there.environment ? { id: home, ood: there } : undefined;
}

/** `train class=0 place=1`, `test.acc_y:landbird_background:water`, `env1_out_acc y=0,a=1`, or the average of one. */
function placeOf(column: string): PublishedPlace | undefined {
  const environment = /^(train|env0)(?![a-z0-9])/i.test(column)
    ? "0"
    : /^(val|test|env1)(?![a-z0-9])/i.test(column)
      ? "1"
      : undefined;
  if (environment === undefined) return undefined;
  const bird = /(?:^|[\s_.,])(?:y|class)[=:](0|1|landbird|waterbird)(?![a-z0-9])/i.exec(column)?.[1];
  const place = /(?:^|[\s_.,])(?:a|place|background)[=:](0|1|land|water)(?![a-z0-9])/i.exec(column)?.[1];
  if (bird === undefined && place === undefined) return /[=:]/.test(column) ? undefined : { environment };
  if (bird === undefined || place === undefined) return undefined;
  const code = (value: string) => (/^(1|water)/i.test(value) ? 1 : 0);
  return { environment, group: `y=${code(bird)},a=${code(place)}` };
}

function waterbirdsFit({ id, ood }: Places): PublishedFit | PublishedGroupFit | undefined {
  if (ood.group === undefined) {
    if (id.group !== undefined) return undefined;
    return averageFits.find((fit) => fit.dataset === "Waterbirds" && fit.ood === ood.environment);
  }
  return [...waterbirdsGroupFits, ...waterbirdsGroupPairs].find(
    (fit) =>
      fit.ood === ood.environment &&
      fit.id === id.environment &&
      fit.oodGroup === ood.group &&
      fit.idGroup === id.group,
  );
}
