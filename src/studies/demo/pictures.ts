/** What the networks of the demo see: a training image of each group, and one image by every view of Last Layer Ensemble. */

import type { Dataset, Pixels } from "../../core/dataset.ts";
import { mustBe } from "../../core/look-up.ts";
import { randomStream } from "../../core/random.ts";
import type { Gallery, Picture } from "../../core/section.ts";
import { thumbnail } from "../../images/thumbnail.ts";
import { Chain, type ImageAt } from "../../views/chain.ts";
import { demoViews } from "./plan.ts";

/** One a class, first the group in which both shortcuts hold, which is nearly all of it. */
export function groupGalleries(dataset: Dataset): Gallery[] {
  return dataset.classNames.map((name, label) => ({
    name: `groups-${name}`,
    caption:
      `A training image of each group of ${name} cars, and how many training images the group has: shortcuts mislead in few of ` +
      "them. In the test images all groups are equally common.",
    pictures: groupPictures(dataset, label),
  }));
}

function groupPictures(dataset: Dataset, label: number): Picture[] {
  const { attributes, images } = dataset;
  const broken = attributes.broken!;
  const own = trainingImages(dataset).filter((i) => dataset.labels[i] === label);
  return broken.valueNames.flatMap((_, code): Picture[] => {
    const group = own.filter((i) => broken.values[i] === code);
    const [first] = group;
    if (first === undefined) return [];
    const kinds = ["carKind", "scene", "thing"].map((part) => valueNameOf(dataset, part, first));
    return [
      {
        label: `${groupWords(dataset, first)}: ${group.length.toLocaleString("en")}`,
        alt: `${groupWords(dataset, first)}: ${kinds.join(", ")}`,
        draw: async () => thumbnail(await images.pixels(first)),
      },
    ];
  });
}

function groupWords(dataset: Dataset, index: number): string {
  const car = dataset.classNames[dataset.labels[index]!]!;
  return `${car} car, ${valueNameOf(dataset, "background", index)} background, ${valueNameOf(dataset, "coObject", index)} object`;
}

function valueNameOf({ attributes }: Dataset, name: string, index: number): string {
  const { values, valueNames } = attributes[name]!;
  return valueNames[values[index]!]!;
}

function trainingImages({ labels, splits }: Dataset): number[] {
  const train = splits.names.indexOf("train");
  return [...labels.keys()].filter((i) => splits.values[i] === train);
}

/** What it is told in place of labels. */
export function viewGallery(dataset: Dataset): Gallery {
  // One in which no shortcut misleads, as in most.
  const index = trainingImages(dataset).find((i) => dataset.attributes.broken!.values[i] === 0)!;
  const drawn = async (view: string) => {
    const { pixels } = await new Chain([{ view }]).make(
      own(await dataset.images.pixels(index)),
      imageAt(dataset, index),
    );
    return thumbnail(pixels);
  };
  return {
    name: "views",
    caption:
      "What Last Layer Ensemble sees of each training image: the image, and a view for each kind of shortcut.",
    pictures: ["original", ...demoViews].map((view) => ({
      label: view,
      alt: `${groupWords(dataset, index)}; ${view}`,
      draw: () => drawn(view),
    })),
  };
}

/** Beside an image of another class, as training has it. */
function imageAt(dataset: Dataset, index: number): ImageAt {
  const { labels, images, sideImages = {}, boxes = {} } = dataset;
  const other = trainingImages(dataset).find((i) => labels[i] !== labels[index])!;
  const side = async (name: string, of: number) => own(await mustBe(sideImages[name], name).pixels(of));
  const box = async (name: string, of: number) => mustBe(boxes[name], name).at(of);
  return {
    label: labels[index]!,
    random: randomStream(0, "demo/views").at(index),
    mean: undefined,
    side: (name) => side(name, index),
    box: (name) => box(name, index),
    partner: async () => ({
      label: labels[other]!,
      pixels: async () => own(await images.pixels(other)),
      side: (name) => side(name, other),
      box: (name) => box(name, other),
    }),
  };
}

/** Views change images in place. */
function own({ data, ...shape }: Pixels): Pixels {
  return { ...shape, data: Uint8Array.from(data) };
}
