/** The audit of a model: what does it lose, and what does it say, when one thing in its images changes? */

import { defineAudit } from "../audit.ts";
import type { ModelAnswer } from "./answer.ts";
import { auditModel } from "./audit-model.ts";
import { modelInShort } from "./in-short.ts";
import { modelQuestion } from "./question.ts";
import { showModel } from "./show.ts";

export const modelAudit = defineAudit({
  name: "model",
  title: "Which shortcuts does a model take, when nobody has named one?",
  description:
    "watermarks, backgrounds, places, textures, shapes, colours, borders and damage, each changed on the same images and judged against a control",
  paper: "Li et al. 2023 and \"Corner Cases\"",
  of: "model",
  question: modelQuestion,
  ask: async (question, { model, dataset }, hooks): Promise<ModelAnswer> => {
    const session = await model.open({ threads: 2 });
    try {
      const { name, classNames = dataset.classNames } = model;
      return await auditModel(
        { name, classNames, ask: (images, count) => session.logits(images, count) },
        dataset,
        question,
        hooks,
      );
    } finally {
      await session.close();
    }
  },
  inShort: modelInShort,
  show: showModel,
  data: ({ seen: _, ...answer }: ModelAnswer) => answer,
});
