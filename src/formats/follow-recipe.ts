/** Follows a recipe in whatever thread or process it has come to. */

import { CuelabError } from "../core/errors.ts";
import { datasets } from "../datasets/index.ts";
import { changedImages, fitting, sizedImages, someInputs } from "../images/change-dataset.ts";
import type { Inputs, Recipe } from "../images/recipe.ts";

/** Images, side images and boxes equal to those that the recipe was taken from; whoever asks for them closes the images. */
export async function followRecipe(recipe: Recipe): Promise<Inputs> {
  switch (recipe.kind) {
    case "made":
      return datasets.get(recipe.name).build(recipe.settings, recipe.seed);
    case "stored":
      return openStored(recipe);
    case "some":
      return someInputs(await followRecipe(recipe.of), recipe.indices);
    case "sized": {
      const inputs = await followRecipe(recipe.of);
      return { ...inputs, images: sizedImages(inputs.images, recipe.shape) };
    }
    case "changed": {
      const { images, ...beside } = await followRecipe(recipe.of);
      return { images: changedImages(images, recipe.steps), ...fitting(beside, recipe.steps) };
    }
    default:
      return recipe satisfies never;
  }
}

async function openStored({ path, mapping, hash }: Extract<Recipe, { kind: "stored" }>): Promise<Inputs> {
  // Most threads make their images and need no reader of files.
  const { openDataset } = await import("./open-dataset.ts");
  const { dataset, manifest } = await openDataset(path, mapping);
  if (manifest?.hash === hash) return dataset;
  await dataset.images.close?.();
  throw new CuelabError({
    kind: "input",
    what: "the dataset is another one than when it was opened first",
    where: path,
    ...(hash !== undefined && { expected: hash }),
    ...(manifest && { got: manifest.hash }),
    todo: "start again, and leave the data alone meanwhile",
  });
}
