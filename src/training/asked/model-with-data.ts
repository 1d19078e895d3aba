/** A model and the images that it is asked about, opened together: for everybody who looks at what it does with them. */

import type { Dataset } from "../../core/dataset.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { DataWords } from "../data-book.ts";
import { asTrained, unlabelledToo } from "../named-data.ts";
import { inClassesOf, withLabelMap } from "../predict.ts";
import { openData } from "../training-data.ts";
import { type AskedModel, withDataClasses } from "./asked-model.ts";
import { readClassMap } from "./class-file.ts";
import { type ModelWords, openModel } from "./open-model.ts";
import { type ThingWords, withThings } from "./things/things.ts";
import type { TextHooks } from "./zero-shot/towers.ts";

export interface BesideModel extends TextHooks {
  /** Where the main thing of each image is, besides what the dataset tells. */
  things?: ThingWords | undefined;
  /** A file that tells which class of the model each of the data's is. */
  labelMap?: string | undefined;
}

/** Whoever opens it closes it. */
export async function openModelWithData(
  words: ModelWords,
  data: Omit<DataWords, "environments">,
  { things = {}, labelMap, ...hooks }: BesideModel = {},
): Promise<{ model: AskedModel; dataset: Dataset; remarks: readonly string[]; close: () => Promise<void> }> {
  const opened = await openModel(words, hooks);
  const { dataset } = await openData(asTrained(unlabelledToo(data), opened.run?.spec.data ?? {}));
  try {
    const labelled = !isUnlabelled(dataset);
    const mapped =
      labelMap === undefined ? dataset : withLabelMap(dataset, await readClassMap(labelMap), labelMap);
    const model = await withDataClasses(opened, mapped, labelled);
    const named = labelled ? inClassesOf(model, mapped) : mapped;
    const found = await withThings(named, things, { folder: data.path, threads: hooks.threads });
    const close = async () => {
      await found.close();
      await dataset.images.close?.();
    };
    return { model, dataset: found.dataset, remarks: found.remarks, close };
  } catch (cause) {
    await dataset.images.close?.();
    throw cause;
  }
}
