/** The audit of where objects are: how centred and how large those of each class are. */

import { z } from "zod";
import { readClassAccuracy } from "../../layouts/class-accuracy.ts";
import { defineAudit } from "../audit.ts";
import { type BoxAgreement, measureAgreement } from "./agreement.ts";
import { type AccuracyComparison, compareWithAccuracy } from "./correlate.ts";
import { dataBiasInShort } from "./in-short.ts";
import { type DataBias, measureDataBias } from "./measure.ts";
import { showDataBias } from "./show.ts";

export interface DataBiasAnswer {
  /** What was looked at. */
  title: string;
  bias: DataBias;
  comparison: AccuracyComparison | undefined;
  /** With another set of boxes. */
  agreement: BoxAgreement | undefined;
}

export const dataBiasAudit = defineAudit({
  name: "data-bias",
  title: "Are the objects of some classes always large, and always in the middle?",
  description: "how centred and how large the objects of each class are, in a dataset with boxes",
  paper: "Corner Cases: How Size and Position of Objects Challenge ImageNet-Trained Models",
  of: "objects",
  question: z.strictObject({
    accuracy: z
      .string()
      .optional()
      .describe("a table of accuracy by class on backgrounds alone, to correlate with"),
  }),
  ask: async ({ accuracy }, { title, images, compared }): Promise<DataBiasAnswer> => {
    const accuracies = accuracy === undefined ? undefined : await readClassAccuracy(accuracy);
    const bias = await measureDataBias(images);
    return {
      title,
      bias,
      comparison: accuracies && compareWithAccuracy(bias.classes, accuracies),
      agreement: compared && measureAgreement(compared),
    };
  },
  inShort: dataBiasInShort,
  show: showDataBias,
  data: ({ bias, comparison, agreement }) => ({
    ...bias,
    ...(comparison && { accuracy: comparison }),
    ...(agreement && { agreement }),
  }),
});
