/**
 * DiagViB-6: one digit whose position, hue, lightness, scale, shape and texture vary independently, each within
 * classes of its own: 9 · 6 · 4 · 5 · 10 · 5 = 54,000 combinations. After Eulig et al. 2021.
 */

import { z } from "zod";
import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { defineDataset } from "./definition.ts";
import { assemble, type ChosenClasses } from "./diagvib/assemble.ts";
import { assign, factorColumns } from "./diagvib/assignment.ts";
import { type FactorName, factorClasses, factorNames } from "./diagvib/factors.ts";
import { chosenFactorClasses, classListSettings, imageSettings, predictSetting } from "./diagvib/settings.ts";
import { openTextures, type TexturePart } from "./diagvib/textures.ts";
import { openWorld } from "./diagvib/world.ts";

const settings = z.object({
  predict: predictSetting,
  classes: classListSettings("all; grey and none for the last two"),
  count: z
    .strictObject({
      train: z.number().int().min(1).default(43_740).describe("training images"),
      val: z.number().int().min(0).default(8748).describe("validation images"),
      test: z.number().int().min(0).default(10_000).describe("test images"),
    })
    .prefault({}),
  ...imageSettings,
});

export const diagvib = defineDataset({
  name: "diagvib",
  title: "DiagViB-6",
  description:
    "A textured digit on a grey canvas. Position, hue, lightness, scale, shape and texture vary independently of each " +
    "other, so any of them can be the label and none is a shortcut to another; diagvib-study correlates them. " +
    "Background and corruption can vary too.",
  paper: "Eulig et al. 2021",
  version: 1,
  settings,
  examples: ["predict=hue", "count.train=5000", "classes.shape=2,3,4"],
  small: ["count.train=300", "count.val=60", "count.test=60", "size=64"],
  build: async (chosen, seed): Promise<Dataset> => {
    const textures = await openTextures(chosen.textures);
    const known = factorClasses(textures.names);
    const unless: Partial<ChosenClasses> = { background: ["grey"], corruption: ["none"] };
    const classes = chosenFactorClasses(known, chosen.classes, (factor) =>
      chosen.predict.includes(factor) ? known[factor] : (unless[factor] ?? known[factor]),
    );
    // The label's classes are shared out first, so that they are equally frequent to the image.
    const free = factorNames.filter((factor) => !chosen.predict.includes(factor));
    const sizesOf = (factors: readonly FactorName[]) => factors.map((factor) => classes[factor].length);
    const splits = (["train", "val", "test"] as const).map((part: TexturePart) => {
      const count = chosen.count[part];
      const rows = assign(
        count,
        { sizes: sizesOf(chosen.predict), share: () => 1 },
        sizesOf(free),
        randomStream(seed, `diagvib/classes/${part}`),
      );
      return { name: part, part, count, classes: factorColumns(rows, [...chosen.predict, ...free]) };
    });
    return assemble(await openWorld(chosen.size, textures, seed), {
      name: "diagvib",
      canvas: chosen.size,
      chosen: classes,
      splits,
      predict: chosen.predict,
      roleOf: (factor) => (chosen.predict.includes(factor) ? "core" : "cue"),
      classValuesOf: (factor, classesOfLabel) =>
        chosen.predict.includes(factor) ? classesOfLabel(factor) : undefined,
      provenance: {
        title: diagvib.title,
        description: diagvib.description,
        generator: { name: diagvib.name, version: diagvib.version },
        settings: chosen,
        seed,
        citation: diagvib.paper,
      },
    });
  },
});
