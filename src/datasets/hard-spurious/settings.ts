/** What can be chosen about Hard-Spurious-ImageNet. */

import { z } from "zod";
import { inpaintDefaults, inpaintMethods } from "../../images/inpaint/index.ts";
import { watermarkSettings } from "../watermark-shortcut.ts";
import { drawnClasses } from "./habits.ts";
import { cornerNames, positionNames } from "./placement.ts";

const images = (fallback: number) => z.number().int().min(0).default(fallback);
const place = z.string().min(1).optional();
const photographs = z.number().int().min(1).optional();

/** Settings that say where photographs are. */
export const photoPlaces = [
  "trainImages",
  "trainBoxes",
  "trainMasks",
  "trainInpainted",
  "testImages",
  "testBoxes",
  "testMasks",
  "testInpainted",
  "synsets",
] as const;

export const settings = z.object({
  source: z
    .enum(["embedded", "photos"])
    .default("embedded")
    .describe("where photographs come from: drawn ones, or your own with boxes"),
  classes: z
    .array(z.string())
    .default([])
    .describe(`classes of the objects (all: ${drawnClasses.join(", ")}; or those of your photographs)`),
  content: z
    .enum(["composed", "photographs", "clean", "backgrounds", "background-test"])
    .default("composed")
    .describe(
      "objects put on backgrounds; the photographs, whole and squeezed; clean, their middles as networks are usually evaluated on; " +
        "their inpainted backgrounds alone; or photographs to train on and backgrounds alone to test on",
    ),
  size: z.number().int().min(16).max(1024).default(224).describe("height and width of the images"),
  sizes: z
    .array(z.number().int().min(1))
    .min(1)
    .optional()
    .describe(
      "sides of the objects in pixels (a quarter, three eighths and half of size: 56, 84, 112 of 224)",
    ),
  positions: z
    .array(z.enum(positionNames))
    .min(1)
    .default(["centre", "corner"])
    .describe("where objects are put: in the centre, in a corner, anywhere that they fit"),
  corner: z
    .enum([...cornerNames, "random"])
    .optional()
    .describe("which corner (top-right; a random one where the aspect is preserved)"),
  cut: z
    .enum(["box", "mask"])
    .default("box")
    .describe("what is cut out: all in the object's box, or the object alone"),
  aspect: z
    .enum(["square", "preserve"])
    .default("square")
    .describe(
      "squeeze objects into squares, or give their shortest side the size, the longest at most the image's",
    ),
  inpaint: z
    .enum([...inpaintMethods, "given", "exact"])
    .default("telea")
    .describe(
      "how the object's place is filled; given: your own files; exact: what the drawing hides, embedded only",
    ),
  hole: z
    .enum(["mask", "box"])
    .optional()
    .describe("what is filled: the object's mask or its whole box (mask, where there is one; box for tiled)"),
  dilation: z
    .number()
    .int()
    .min(1)
    .max(255)
    .refine((side) => side % 2 === 1, "an odd number")
    .default(inpaintDefaults.dilation)
    .describe(
      "side of the square kernel that widens what is filled, an odd number of the photograph's pixels",
    ),
  radius: z
    .number()
    .min(1)
    .max(100)
    .default(inpaintDefaults.radius)
    .describe("how far telea and navier-stokes look around a pixel"),
  count: z
    .strictObject({
      train: z
        .strictObject({
          easy: images(80).describe("training images of each easy group and class"),
          medium: images(10).describe("training images of each medium group and class"),
          hard: images(10).describe("training images of each hard group and class"),
        })
        .prefault({}),
      val: images(20).describe("validation images of each group and class"),
      test: images(50).describe("test images of each group and class"),
    })
    .prefault({}),
  photographs: z
    .strictObject({
      train: photographs.describe(
        "photographs of each class behind the training images (as many as the largest group; of your own all)",
      ),
      val: photographs.describe("photographs of each class behind the validation images"),
      test: photographs.describe("photographs of each class behind the test images"),
      side: z
        .number()
        .int()
        .min(32)
        .max(1024)
        .optional()
        .describe("height and width of drawn photographs (twice size, at most 256 unless size is more)"),
    })
    .prefault({}),
  trainImages: place.describe(
    "source=photos: your photographs to train and validate on, in folders of classes or flat",
  ),
  trainBoxes: place.describe(
    "source=photos: their boxes: a folder of PASCAL VOC XML files, a .csv of file, class, left, top, width, height, or a COCO .json",
  ),
  trainMasks: place.describe("source=photos: masks of the same names, white where an object is (none)"),
  trainInpainted: place.describe(
    "inpaint=given: the same photographs without their objects, by the same names",
  ),
  testImages: place.describe("source=photos: photographs to test on (a part of trainImages)"),
  testBoxes: place.describe("source=photos: their boxes"),
  testMasks: place.describe("source=photos: their masks"),
  testInpainted: place.describe("inpaint=given: those without their objects"),
  synsets: place.describe("source=photos: ImageNet's list of ids and words, to name classes by words (ids)"),
  skipBroken: z
    .boolean()
    .default(false)
    .describe(
      "source=photos with XML files: leave photographs out, and list them, whose file of boxes is broken or that are missing",
    ),
  version: z
    .union([z.literal(1), z.literal(2)])
    .default(1)
    .describe(
      "2: objects that need to be seen on backgrounds that give their class away, by backgroundAccuracy",
    ),
  backgroundAccuracy: z
    .string()
    .min(1)
    .optional()
    .describe(
      "for version=2: accuracy by class on backgrounds alone, a CSV of class,accuracy or what eval --json prints",
    ),
  v2Classes: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("for version=2: how many classes give backgrounds, and how many others objects (10)"),
  backgroundClasses: z
    .array(z.string())
    .default([])
    .describe("classes that random backgrounds are taken from (those of the objects)"),
  ...watermarkSettings,
});

export type HardSpuriousSettings = z.output<typeof settings>;
