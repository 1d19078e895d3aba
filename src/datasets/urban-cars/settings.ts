/** What can be set about UrbanCars. */

import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { CuelabError } from "../../core/errors.ts";
import { watermarkSettings } from "../watermark-shortcut.ts";
import { type Dials, dialSettings, usualDials } from "./dials.ts";
import type { PhotoPlaces } from "./photo-parts.ts";
import { sizes } from "./scene.ts";

/** Settings that say where photos are. */
const photoFolders = {
  cars: "your copy of Stanford Cars",
  carMasks: "masks of its cars: PNG files of the images' names",
  places: "your copy of Places, or the nine folders of it",
  lvis: "LVIS' annotations: lvis_v1_train.json, or the folder with it",
  lvisImages: "COCO's photos, which LVIS is about",
} as const;
const photoLists = {
  keepCars: "list of the car images to use (all)",
  excludeCars: "list of car images to leave out, such as those that show people",
  keepPlaces: "list of the places' images to use (all)",
  excludePlaces: "list of places' images to leave out, such as those that show cars or people",
} as const;
const photoSettings = { ...photoFolders, ...photoLists };
type PhotoSetting = keyof typeof photoSettings;
export const photoSettingNames = Object.keys(photoSettings) as PhotoSetting[];

const path = (meaning: string) => z.string().min(1).optional().describe(meaning);

/** How many backgrounds are drawn unless it is said. */
const drawnBackgrounds = { train: 400, val: 100, test: 100 };

const correlation = z.number().min(0.5).max(1).default(0.95);

export const settings = z.object({
  size: z
    .union(sizes.map((size) => z.literal(size)))
    .default(256)
    .describe("height and width; 64 and 128 are the same pictures in small"),
  bgCorrelation: correlation.describe("share of training images whose background is of the car's world"),
  coObjCorrelation: correlation.describe(
    "share whose co-occurring object is, independently of the background",
  ),
  count: z
    .strictObject({
      train: z
        .number()
        .int()
        .min(2, "too few for two classes, which share the images equally")
        .default(8000)
        .describe("training images, half of each class"),
      val: z
        .number()
        .int()
        .min(0)
        .default(1000)
        .describe("validation images, equally many in all eight groups"),
      test: z.number().int().min(0).default(1000).describe("test images, equally many in all eight groups"),
    })
    .prefault({}),
  backgrounds: z
    .strictObject({
      train: z
        .number()
        .int()
        .min(1)
        .default(drawnBackgrounds.train)
        .describe("drawn backgrounds of each world in training"),
      val: z.number().int().min(1).default(drawnBackgrounds.val).describe("others in validation"),
      test: z.number().int().min(1).default(drawnBackgrounds.test).describe("others in testing"),
    })
    .prefault({}),
  ...dialSettings,
  source: z
    .enum(["embedded", "photos"])
    .default("embedded")
    .describe(
      "embedded: drawings that come with the program; photos: your own copies, named by the next five",
    ),
  ...(Object.fromEntries(
    Object.entries(photoSettings).map(([name, meaning]) => [name, path(meaning)]),
  ) as Record<PhotoSetting, ReturnType<typeof path>>),
  skipMissing: z
    .boolean()
    .default(false)
    .describe("leave out, and list, photos without mask or file and objects whose annotation is broken"),
  reuse: z
    .boolean()
    .default(false)
    .describe("use photos more than once within a split where they are too few"),
  ...watermarkSettings,
});

/** Where the photos are, from anywhere; undefined for drawings. */
export function photoPlaces(chosen: z.output<typeof settings>): PhotoPlaces | undefined {
  const given = Object.fromEntries(
    photoSettingNames.flatMap((name) => (chosen[name] === undefined ? [] : [[name, resolve(chosen[name])]])),
  );
  const choices = (["skipMissing", "reuse"] as const).filter((name) => chosen[name]);
  if (chosen.source === "embedded") {
    refuseIdle([...Object.keys(given), ...choices], "drawings", "source=photos");
    return undefined;
  }
  const drawn = (Object.keys(drawnBackgrounds) as (keyof typeof drawnBackgrounds)[])
    .filter((split) => chosen.backgrounds[split] !== drawnBackgrounds[split])
    .map((split) => `backgrounds.${split}`);
  const turned = (Object.keys(usualDials) as (keyof Dials)[]).filter(
    (dial) => !isDeepStrictEqual(chosen[dial], usualDials[dial]),
  );
  refuseIdle([...drawn, ...turned], "photos", "source=embedded");
  const missing = Object.keys(photoFolders).filter((name) => given[name] === undefined);
  if (missing.length === 0) return given as unknown as PhotoPlaces;
  throw new CuelabError({
    kind: "usage",
    what: "source=photos needs to know where the photos are",
    expected: Object.entries(photoFolders)
      .map(([name, meaning]) => `--set ${name}=… (${meaning})`)
      .join(", "),
    got: `nothing for ${missing.join(", ")}`,
  });
}

/** Somebody who sets what is for photos alone means photos, and likewise for drawings. */
function refuseIdle([named]: readonly string[], what: "drawings" | "photos", other: string): void {
  if (named === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `${named} has no effect on ${what}`,
    todo: `pass --set ${other} too, or leave it out`,
  });
}
