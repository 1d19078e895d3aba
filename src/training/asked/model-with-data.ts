/** A model and the images that it is asked about, opened together: for everybody who looks at what it does with them. */

import type { Dataset } from "../../core/dataset.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { DataWords } from "../data-book.ts";
import { asTrained, unlabelledToo } from "../named-data.ts";
import { inClassesOf } from "../predict.ts";
import { openData } from "../training-data.ts";
import type { AskedModel } from "./asked-model.ts";
import { type ModelWords, openModel } from "./open-model.ts";

/** Whoever opens it closes the dataset's images. */
export async function openModelWithData(
  words: ModelWords,
  data: Omit<DataWords, "environments">,
): Promise<{ model: AskedModel; dataset: Dataset }> {
  const model = await openModel(words);
  const { dataset } = await openData(asTrained(unlabelledToo(data), model.run?.spec.data ?? {}));
  try {
    return { model, dataset: isUnlabelled(dataset) ? dataset : inClassesOf(model, dataset) };
  } catch (cause) {
    await dataset.images.close?.();
    throw cause;
  }
}
