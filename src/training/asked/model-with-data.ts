/** A model and the images that it is asked about, opened together: for everybody who looks at what it does with them. */

import type { Dataset } from "../../core/dataset.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { DataWords } from "../data-book.ts";
import { asTrained, unlabelledToo } from "../named-data.ts";
import { inClassesOf } from "../predict.ts";
import { openData } from "../training-data.ts";
import { type AskedModel, withDataClasses } from "./asked-model.ts";
import { type ModelWords, openModel } from "./open-model.ts";
import type { TextHooks } from "./zero-shot/towers.ts";

/** Whoever opens it closes the dataset's images. */
export async function openModelWithData(
  words: ModelWords,
  data: Omit<DataWords, "environments">,
  hooks: TextHooks = {},
): Promise<{ model: AskedModel; dataset: Dataset }> {
  const opened = await openModel(words, hooks);
  const { dataset } = await openData(asTrained(unlabelledToo(data), opened.run?.spec.data ?? {}));
  try {
    const labelled = !isUnlabelled(dataset);
    const model = await withDataClasses(opened, dataset, labelled);
    return { model, dataset: labelled ? inClassesOf(model, dataset) : dataset };
  } catch (cause) {
    await dataset.images.close?.();
    throw cause;
  }
}
