/** What the study asks its networks: images with and without each watermark, and variants of ImageNet. */

import type { StudyJob } from "../jobs/kinds.ts";
import type { PredictionsJob } from "../jobs/predictions-job.ts";
import { folder, imagenet, listed, models } from "../pretrained/given.ts";
import { ownNetworksJob } from "../pretrained/own-networks.ts";
import type { StudyGiven } from "../study.ts";
import { type MarkedPreset, testSeed } from "./presets.ts";

const variant = (what: string) => folder(`${what}, in folders of classes named by their ids`);

export const takes: Readonly<Record<string, StudyGiven>> = {
  models,
  imagenet,
  imagenetV2: variant("ImageNet-V2, for Table 14"),
  stylized: variant("Stylized ImageNet's validation images"),
  rendition: variant("ImageNet-R"),
  sketch: variant("ImageNet-Sketch"),
  imagenetA: variant("ImageNet-A"),
  objectNet: variant("ObjectNet's images of classes that ImageNet has"),
  mixedSame: folder("ImageNet-9's mixed_same images, in folders of its nine classes"),
  mixedRandom: folder("ImageNet-9's mixed_rand images, in folders of its nine classes"),
  in9Classes: folder(
    "with both: JSON that says for the number of each of ImageNet's classes which of the nine it is part of, or -1, as ImageNet-9 has it",
  ),
};

export const partTitles: Readonly<Record<string, string>> = {
  watermark: "images with and without each watermark (Tables 1, 8 and 13)",
  "watermark-v2": "the same on ImageNet-V2 (Table 14)",
  stylized: "Stylized ImageNet",
  rendition: "ImageNet-R, among its 200 classes",
  "of-rendition": "ImageNet, among the classes of ImageNet-R",
  sketch: "ImageNet-Sketch",
  "imagenet-a": "ImageNet-A, among its 200 classes",
  "object-net": "ObjectNet, among the classes that it shares with ImageNet",
  "mixed-same": "ImageNet-9, backgrounds of the same class",
  "mixed-random": "ImageNet-9, backgrounds of other classes",
};

type MarkedQuestion = Omit<PredictionsJob, "kind" | "name" | "title" | "of">;

export function markedJobs(preset: MarkedPreset, given: Readonly<Record<string, string>>): StudyJob[] {
  const { own, marks } = preset;
  const part = (name: string, asked: MarkedQuestion): PredictionsJob => ({
    kind: "predictions",
    name,
    title: partTitles[name]!,
    of: own === undefined ? { models: listed(given.models) } : { job: "networks" },
    ...asked,
  });
  if (own === undefined) {
    return Object.entries(askedOfPeople(preset, given)).map(([name, asked]) => part(name, asked));
  }
  const { data, markedClass, networks, test } = own;
  const { photographs, ...rest } = data as { photographs: { side?: number } };
  const plain = {
    name: "hard-spurious",
    settings: {
      ...rest,
      content: "photographs",
      count: { train: { easy: 0, medium: 0, hard: 0 }, val: 0, test },
      ...(photographs.side !== undefined && { photographs: { side: photographs.side } }),
    },
    seed: testSeed,
  };
  const marked = { watermarkClass: markedClass, watermarkMarks: marks[0], pWatermarkTest: 0 };
  return [
    // A mirrored line of text would be another mark.
    ownNetworksJob(networks, { ...own, data: { ...data, ...marked }, augment: [] }),
    part("watermark", { data: plain, marks }),
  ];
}

/** ImageNet and those of its variants that were given. */
export function askedOfPeople(
  { marks }: Pick<MarkedPreset, "marks">,
  given: Readonly<Record<string, string>>,
): Record<string, MarkedQuestion> {
  const { imagenet: images = "", imagenetV2, stylized, rendition, sketch, imagenetA, objectNet } = given;
  const { mixedSame, mixedRandom, in9Classes } = given;
  const classesLike = images;
  const of = (path: string, more: Partial<MarkedQuestion> = {}): MarkedQuestion => ({
    data: { path },
    classesLike,
    ...more,
  });
  const among = (path: string) => of(path, { amongClassesOf: path });
  const nine = (path: string, superclasses: string): MarkedQuestion => ({ data: { path }, superclasses });
  return {
    watermark: of(images, { marks }),
    ...(imagenetV2 && { "watermark-v2": of(imagenetV2, { marks: marks.slice(0, 1) }) }),
    ...(stylized && { stylized: of(stylized) }),
    ...(rendition && {
      rendition: among(rendition),
      "of-rendition": of(images, { amongClassesOf: rendition }),
    }),
    ...(sketch && { sketch: of(sketch) }),
    ...(imagenetA && { "imagenet-a": among(imagenetA) }),
    ...(objectNet && { "object-net": among(objectNet) }),
    ...(mixedSame && mixedRandom && in9Classes
      ? { "mixed-same": nine(mixedSame, in9Classes), "mixed-random": nine(mixedRandom, in9Classes) }
      : {}),
  };
}
