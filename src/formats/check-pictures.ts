/** Images of the cue that goes with the class most: some of the class that have its value, some that have not. */

import type { Dataset } from "../core/dataset.ts";
import type { Gallery, Picture, Section } from "../core/section.ts";
import { thumbnail } from "../images/thumbnail.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import type { CheckReport } from "./check-dataset.ts";
import { leadingCues } from "./checked-cues.ts";
import { openDataset } from "./open-dataset.ts";

/** Of either kind. */
const shown = 6;

/** Drawn at once: the dataset is closed again. None where no cue goes with the class, or nothing can be shown of it. */
export async function checkPictures(report: CheckReport, mapping: ColumnMapping): Promise<Section[]> {
  const cue = leadingCues(report.cues).find(({ adjusted }) => adjusted < 0.05)?.cue;
  const leading = cue?.leading;
  if (cue === undefined || !leading) return [];
  const { dataset } = await openDataset(report.path, { labels: "if-any", ...mapping }, { unchecked: true });
  try {
    const attribute = dataset.attributes[cue.cue];
    const value = attribute?.valueNames.indexOf(leading.value) ?? -1;
    // Numbers were put into parts, which no image has as its value.
    if (attribute === undefined || value < 0) return [];
    const of = (has: boolean) =>
      [...dataset.labels.keys()]
        .filter((i) => dataset.classNames[dataset.labels[i]!] === leading.class)
        .filter((i) => (attribute.values[i] === value) === has)
        .slice(0, shown);
    const told = `${cue.cue} ${leading.value}`;
    const galleries = [
      await gallery(dataset, "with", `${leading.class}, with ${told}`, of(true)),
      await gallery(dataset, "without", `${leading.class}, without ${told}`, of(false)),
    ];
    return [
      {
        name: "pictures",
        heading: `What ${told} looks like`,
        galleries: galleries.filter(({ pictures }) => pictures.length > 0),
      },
    ];
  } finally {
    await dataset.images.close?.();
  }
}

async function gallery(
  { images }: Dataset,
  name: string,
  caption: string,
  chosen: readonly number[],
): Promise<Gallery> {
  const pictures: Picture[] = [];
  for (const index of chosen) {
    const label = images.file?.(index) ?? `image ${index}`;
    const drawn = thumbnail(await images.pixels(index));
    pictures.push({ label, alt: `${label}: ${caption}`, draw: async () => drawn });
  }
  return { name, caption, pictures };
}
