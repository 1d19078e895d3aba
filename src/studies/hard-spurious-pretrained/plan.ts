/** What the study asks its networks: photographs as they are, and objects at twelve places and sizes, in four ways. */

import type { StudyJob } from "../jobs/kinds.ts";
import type { PredictionsJob } from "../jobs/predictions-job.ts";
import { folder, imagenet, listed, models } from "../pretrained/given.ts";
import { ownNetworksJob } from "../pretrained/own-networks.ts";
import type { StudyGiven } from "../study.ts";
import { type PlacedPreset, testSeed } from "./presets.ts";

export const takes: Readonly<Record<string, StudyGiven>> = {
  models,
  imagenet,
  boxes: folder(
    "boxes of these images: a folder of PASCAL VOC XML files; without it clean accuracy alone is told",
  ),
  inpainted: folder(
    "the same images without their objects, by the same names; without it holes are filled by OpenCV",
  ),
  count: folder(
    "how many test images of each group and class there are (50): as many photographs must a class have",
  ),
  masks: folder("masks of their objects, by the same names: for objects that are cut out by masks"),
};

export const partTitles = {
  clean: "photographs as they are: clean accuracy",
  squeezed: "objects squeezed into squares (Tables 1 to 5)",
  proportions: "objects with their proportions, in any corner (Tables 1 to 5)",
  telling: "version 2: backgrounds that give their class away (Table 8)",
  masks: "objects cut out by masks (Table 9)",
};

/**
 * Version 2 of the drawn classes: seven whose backgrounds tell a network most, and seven that it must see, by the seed of calibration.
 * The paper's own are ten objects and, as listed, eleven backgrounds, by ImageNet's ids.
 */
const telling = {
  drawn: {
    classes: ["truck", "pickup", "coupe", "sedan", "suv", "hatchback", "horse"],
    backgroundClasses: [
      "traffic-light",
      "street-sign",
      "sheep",
      "fireplug",
      "stop-sign",
      "parking-meter",
      "cow",
    ],
  },
  paper: {
    classes: [
      "n02088632 n01669191 n02085620 n02085782 n02085936",
      "n02086240 n02086646 n02086910 n02087394 n02088238",
    ].flatMap((ids) => ids.split(" ")),
    backgroundClasses: [
      "n04251144 n02860847 n03733131 n03992509 n03447447 n02817516",
      "n04540053 n02802426 n02951358 n09288635 n12057211",
    ].flatMap((ids) => ids.split(" ")),
  },
};

type PlacedQuestion = Pick<PredictionsJob, "data" | "by" | "classesLike">;

export function placedJobs(preset: PlacedPreset, given: Readonly<Record<string, string>>): StudyJob[] {
  const { own } = preset;
  const of = own === undefined ? { models: listed(given.models) } : { job: "networks" };
  const asked = own === undefined ? askedOfPeople(preset, given) : askedOfDrawings(preset, own.data);
  const parts = Object.entries(asked).map(
    ([name, each]): PredictionsJob => ({
      kind: "predictions",
      name,
      title: partTitles[name as keyof typeof partTitles],
      of,
      ...each,
    }),
  );
  return own === undefined ? parts : [ownNetworksJob(own.networks, { ...own, augment: ["flip"] }), ...parts];
}

/** Test images alone. */
function counts(test: number | string) {
  return { train: { easy: 0, medium: 0, hard: 0 }, val: 0, test };
}

const variants = {
  squeezed: {},
  proportions: { aspect: "preserve" },
  masks: { cut: "mask" },
};

function askedOfDrawings(
  { size, test }: PlacedPreset,
  { classes, photographs }: Readonly<Record<string, unknown>>,
): Record<string, PlacedQuestion> {
  const { side } = photographs as { side?: number };
  const data = (settings: object) => ({
    name: "hard-spurious",
    settings: {
      size,
      ...(classes !== undefined && { classes }),
      count: counts(test),
      ...(side && { photographs: { side } }),
      ...settings,
    },
    seed: testSeed,
  });
  const placed = (settings: object): PlacedQuestion => ({ data: data(settings), by: ["group"] });
  return {
    clean: { data: data({ content: "photographs" }) },
    squeezed: placed(variants.squeezed),
    proportions: placed(variants.proportions),
    // With three classes of a check there are none to choose.
    ...(classes === undefined && { telling: placed(telling.drawn) }),
    masks: placed(variants.masks),
  };
}

function askedOfPeople(
  { size, test }: PlacedPreset,
  { imagenet: images = "", boxes, inpainted, masks, count = "" }: Readonly<Record<string, string>>,
): Record<string, PlacedQuestion> {
  const classesLike = images;
  // In a plan it is a word in place of what people give.
  const wanted = count === "" ? test : /^\d+$/.test(count) ? Number(count) : count;
  const clean = { data: { path: images }, classesLike };
  if (boxes === undefined) return { clean };
  const places = { trainImages: images, trainBoxes: boxes, ...(inpainted && { trainInpainted: inpainted }) };
  const placed = (settings: object, more: object = {}): PlacedQuestion => ({
    data: {
      name: "hard-spurious",
      settings: {
        source: "photos",
        size,
        count: counts(wanted),
        ...(inpainted && { inpaint: "given" }),
        ...settings,
      },
      places: { ...places, ...more },
      seed: testSeed,
    },
    by: ["group"],
    classesLike,
  });
  return {
    clean,
    squeezed: placed(variants.squeezed),
    proportions: placed(variants.proportions),
    telling: placed(telling.paper),
    ...(masks && { masks: placed(variants.masks, { trainMasks: masks }) }),
  };
}
