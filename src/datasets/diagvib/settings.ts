/** Settings that `diagvib` and `diagvib-study` share. */

import { z } from "zod";
import { CuelabError } from "../../core/errors.ts";
import { nearest } from "../../core/nearest.ts";
import type { ChosenClasses } from "./assemble.ts";
import { largestCanvas } from "./draw.ts";
import { type FactorName, factorNames } from "./factors.ts";
import { builtInTextures, singleTextures } from "./textures.ts";

export const predictSetting = z
  .array(z.enum(factorNames))
  .min(1)
  .default(["shape"])
  .describe("the factor that is the label; several make combined labels");

export const imageSettings = {
  size: z
    .number()
    .int()
    .min(32)
    .max(largestCanvas)
    .default(128)
    .describe("height and width; the object keeps its share of the canvas"),
  textures: z
    .string()
    .default(builtInTextures)
    .describe(
      `'${builtInTextures}'; '${singleTextures}', one picture a kind in all splits, as the paper had; or a folder with a picture or a folder of pictures for each kind`,
    ),
};

/** `classes.hue=red,blue`, one setting a factor. */
export function classListSettings(otherwise: string) {
  const list = (factor: FactorName) =>
    z.array(z.string()).min(1).optional().describe(`classes of ${factor}, in this order (${otherwise})`);
  return z
    .strictObject(
      Object.fromEntries(factorNames.map((factor) => [factor, list(factor)])) as Record<
        FactorName,
        ReturnType<typeof list>
      >,
    )
    .prefault({});
}

/** The classes that were asked for, checked, and for other factors the default ones. */
export function chosenFactorClasses(
  known: ChosenClasses,
  asked: { [Factor in FactorName]?: readonly string[] | undefined },
  otherwise: (factor: FactorName) => readonly string[],
): ChosenClasses {
  const choose = (factor: FactorName) => {
    const names = asked[factor];
    if (names === undefined) return otherwise(factor);
    for (const [i, name] of names.entries()) checkClass(factor, name, known[factor], names.indexOf(name) < i);
    return names;
  };
  return Object.fromEntries(factorNames.map((factor) => [factor, choose(factor)])) as ChosenClasses;
}

function checkClass(factor: FactorName, name: string, known: readonly string[], repeated: boolean): void {
  if (known.includes(name) && !repeated) return;
  const close = nearest(name, known);
  throw new CuelabError({
    kind: "usage",
    what: repeated ? `classes.${factor} names "${name}" twice` : `${factor} has no class "${name}"`,
    expected: `different ones of: ${known.join(", ")}`,
    ...(close === undefined || repeated ? {} : { todo: `did you mean "${close}"?` }),
  });
}
