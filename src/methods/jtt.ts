/** Just train twice: what a network that was trained for a short time gets wrong counts more for the one that is kept. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { chanceNotes } from "./at-chance.ts";
import { meanLoss } from "./mean-loss.ts";
import { defineMethod } from "./method.ts";
import { margins, predictedBy } from "./predicted-by.ts";
import { hardSpurious, lastLayerOfImageNet, urbanCars } from "./presets.ts";

export const jtt = defineMethod({
  name: "jtt",
  version: 2,
  title: "Just train twice",
  paper: "Liu et al. 2021, as in Li et al. 2023",
  supervision: {},
  settings: z.object({
    epochs: z.number().int().min(1).default(1).describe("E: epochs of the first network, whose errors count"),
    upweight: z
      .number()
      .int()
      .min(2)
      .default(100)
      .describe("λ_up: how often each of its errors is seen in an epoch of the second"),
  }),
  search: { epochs: [1, 2, 40, 50, 60], upweight: [5, 20, 50, 100] },
  presets: {
    "urban-cars": urbanCars({ epochs: 1, upweight: 100 }),
    // A hundred times was too much for so many images.
    imagenet: lastLayerOfImageNet({ epochs: 1, upweight: 5 }),
    // How long the first network was trained is not stated.
    "hard-spurious": hardSpurious({ epochs: 1, upweight: 50 }),
  },
  *stages({ config: { epochs, upweight }, labels, classes }) {
    const { outputs } = yield {
      name: "identify",
      length: { epochs },
      selected: false,
      build: meanLoss,
      wants: [{ of: "train", logits: true }],
    };
    const truth = labels("train");
    const predicted = predictedBy(outputs[0]!.logits, classes);
    const upweighted = Int32Array.from(truth, (label, i) => (predicted[i] === label ? 0 : 1));
    const errors = upweighted.reduce((total, wrong) => total + wrong, 0);
    if (errors === 0) throw noErrors(truth.length, epochs);
    yield {
      name: "retrain",
      begin: "fresh",
      from: { part: "train", places: repeated(upweighted, upweight) },
      convex: true,
      build: meanLoss,
      notes: [
        `${errors.toLocaleString("en")} of ${truth.length.toLocaleString("en")} training images are told wrong by the first network, and count ${upweight} times`,
        ...chanceNotes(predicted, truth, classes, "the first network"),
      ],
      reports: { upweighted },
      infers: () => ({ margin: { scores: margins(outputs[0]!.logits, truth, classes), threshold: 0 } }),
    };
    return undefined;
  },
});

/** Every place once, and those that are marked as often as they count. */
function repeated(marked: Int32Array, times: number): Uint32Array {
  const places: number[] = [];
  for (let place = 0; place < marked.length; place++)
    for (let again = marked[place] === 1 ? times : 1; again > 0; again--) places.push(place);
  return Uint32Array.from(places);
}

function noErrors(images: number, epochs: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: 'method "jtt" has nothing to count more: its first network tells every training image right',
    expected: "a network that was trained for a short time and errs on some images",
    got: `no error among ${images.toLocaleString("en")} images after ${epochs === 1 ? "one epoch" : `${epochs} epochs`}`,
    todo: "use fewer epochs (--method-set epochs=1), a lower --lr or a larger --batch-size for fewer steps, or --weight-decay",
  });
}
