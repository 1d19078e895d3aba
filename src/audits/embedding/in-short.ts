/** What features cluster by, in a sentence. */

import { percentText } from "../../core/words.ts";
import type { EmbeddingAnswer } from "./audit.ts";

/** Agreement with neighbours beyond what chance gives, as a share of what is possible: labels with few values agree by chance. */
export function embeddingInShort({ report, oodPart, neighbours }: EmbeddingAnswer): string[] {
  const told = report.labels
    .map(({ name, agreement }) => ({
      name,
      ...agreement,
      beyond: (agreement.share - agreement.chance) / (1 - agreement.chance),
    }))
    .sort((a, b) => b.beyond - a.beyond);
  const [most] = told;
  if (most === undefined || !told.some(({ beyond }) => Number.isFinite(beyond))) return [];
  const agreements = told.map(
    ({ name, share, chance }) => `${name} ${percentText(share)} (by chance ${percentText(chance)})`,
  );
  const first =
    most.interval.low > most.chance
      ? `Images of ${oodPart} lie among others of the same ${most.name} first of all.`
      : `Images of ${oodPart} lie among others as chance would have it.`;
  return [`${first} Of their ${neighbours} nearest, so many agree in: ${agreements.join(", ")}.`];
}
