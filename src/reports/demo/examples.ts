/** Pictures for the demo's page: of each class one training image full of its cues, and one test image. */

import { cuesOf } from "../../core/cue-statistics.ts";
import type { Dataset, Pixels } from "../../core/dataset.ts";
import { encodePng } from "../../images/png.ts";
import { cueName } from "../../studies/demo/findings.ts";
import type { PagePicture } from "../html-page.ts";

/** So many dots a pixel, for pages to show in whatever size they have room for. */
const enlargement = 3;

/** One a class: in training the first with the most cues that go with it, in other splits the first. */
export async function classExamples(dataset: Dataset, split: string): Promise<PagePicture[]> {
  const pictures: PagePicture[] = [];
  for (const [label, name] of dataset.classNames.entries()) {
    const index = exampleOf(dataset, label, split);
    if (index === undefined) continue;
    const pixels = await dataset.images.pixels(index);
    const picture = enlarged(pixels);
    pictures.push({
      png: encodePng(picture),
      alt: `class ${name}: ${cuesOf(dataset)
        .map(([cue, { values, valueNames }]) => `${cueName(cue)} ${valueNames[values[index]!]}`)
        .join(", ")}`,
      caption: `${name} · ${agreeing(dataset, index)} of ${cuesOf(dataset).length}`,
      width: picture.width,
      height: picture.height,
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

/** Every pixel a square: browsers then shrink pictures evenly, and screens with fine dots show hard edges. */
function enlarged({ data, height, width, channels }: Pixels): Pixels {
  const [wide, high] = [width * enlargement, height * enlargement];
  const squares = new Uint8Array(wide * high * channels);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const from = (Math.floor(y / enlargement) * width + Math.floor(x / enlargement)) * channels;
      squares.set(data.subarray(from, from + channels), (y * wide + x) * channels);
    }
  }
  return { data: squares, height: high, width: wide, channels };
}
