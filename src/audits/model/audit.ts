/** The audit of a model: what does it lose, and what does it say, when one thing in its images changes? */

import type { Dataset } from "../../core/dataset.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { inSizeOf } from "../../training/asked/preparation.ts";
import { checkFits } from "../../training/predict.ts";
import { defineAudit } from "../audit.ts";
import type { ModelAnswer } from "./answer.ts";
import { auditModel } from "./audit-model.ts";
import { modelInShort } from "./in-short.ts";
import type { AskLogits } from "./measure.ts";
import { modelQuestion } from "./question.ts";
import { showModel } from "./show.ts";

export const modelAudit = defineAudit({
  name: "model",
  title: "Which shortcuts does a model take, when nobody has named one?",
  description:
    "watermarks, backgrounds, places, textures, shapes, colours, borders and damage, each changed on the same images and judged against a control",
  paper: 'Li et al. 2023 and "Corner Cases"',
  of: "model",
  question: modelQuestion,
  ask: async (question, { model, dataset }, hooks): Promise<ModelAnswer> => {
    const sized = inSizeOf(model, dataset);
    checkFits(model, sized);
    const beside = {
      ...dataset,
      shape: dataset.images.shape,
      sizeOf: async (index: number) => dataset.images.pixels(index),
      picture: sized === dataset ? undefined : model.preparation?.picture,
    };
    const session = await model.open();
    const ask = (images: Uint8Array, count: number) => session.logits(images, count);
    try {
      const classNames = await namesOf(model, dataset, ask);
      const namesAssumed = model.classNames === undefined;
      const asked = { name: model.name, classNames, namesAssumed, ask, beside };
      return await auditModel(asked, sized, question, hooks);
    } finally {
      await session.close();
    }
  },
  inShort: modelInShort,
  show: showModel,
  data: (answer: ModelAnswer) => ({ ...answer, seen: undefined }),
});

/** The model's own, or the data's; where neither says, numbers, of as many as it gives of one image. */
async function namesOf(model: AskedModel, dataset: Dataset, ask: AskLogits): Promise<readonly string[]> {
  if (model.classNames !== undefined) return model.classNames;
  if (!isUnlabelled(dataset)) return dataset.classNames;
  if ("features" in model.takes) return [];
  const { height, width, channels } = model.takes.image;
  const classes = model.classes ?? (await ask(new Uint8Array(height * width * channels), 1)).length;
  return Array.from({ length: classes }, (_, k) => String(k));
}
