/** Pictures for the demo's page: of each class one training image full of its cues, and one test image. */

import { cuesOf } from "../../core/cue-statistics.ts";
import type { Dataset } from "../../core/dataset.ts";
import { thumbnail } from "../../images/thumbnail.ts";
import { cueName } from "../../studies/demo/findings.ts";
import type { PagePicture } from "../html-page.ts";

/** One a class: in training the first with the most cues that go with it, in other splits the first. */
export async function classExamples(dataset: Dataset, split: string): Promise<PagePicture[]> {
  const pictures: PagePicture[] = [];
  for (const [label, name] of dataset.classNames.entries()) {
    const index = exampleOf(dataset, label, split);
    if (index === undefined) continue;
    pictures.push({
      ...thumbnail(await dataset.images.pixels(index)),
      alt: `class ${name}: ${cuesOf(dataset)
        .map(([cue, { values, valueNames }]) => `${cueName(cue)} ${valueNames[values[index]!]}`)
        .join(", ")}`,
      label: `${name} · ${agreeing(dataset, index)} of ${cuesOf(dataset).length}`,
    });
  }
  return pictures;
}

function exampleOf(dataset: Dataset, label: number, split: string): number | undefined {
  const code = dataset.splits.names.indexOf(split);
  let [best, most] = [undefined as number | undefined, -1];
  for (const [i, own] of dataset.labels.entries()) {
    if (own !== label || dataset.splits.values[i] !== code) continue;
    if (split !== "train") return i;
    const count = agreeing(dataset, i);
    if (count > most) [best, most] = [i, count];
  }
  return best;
}

/** How many cues of an image have the value that goes with its class. */
function agreeing(dataset: Dataset, index: number): number {
  const label = dataset.labels[index]!;
  return cuesOf(dataset).filter(([, { values, classValues }]) => values[index] === classValues?.[label])
    .length;
}
