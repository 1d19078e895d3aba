/** What is trained, fitted and asked: a network with three shortcuts, its last layer by every method, and images without each of them. */

import { askedOfPeople, takes as variantTakes } from "../imagenet-w/plan.ts";
import type { StudyJob } from "../jobs/kinds.ts";
import type { PredictionsJob } from "../jobs/predictions-job.ts";
import { listed, models } from "../pretrained/given.ts";
import { ownNetworks } from "../pretrained/own-networks.ts";
import type { StudyGiven } from "../study.ts";
import { type ShortcutsPreset, testSeed } from "./presets.ts";
import { entriesOf, viewsOf } from "./rows.ts";

const { models: _models, ...variants } = variantTakes;

export const takes: Readonly<Record<string, StudyGiven>> = {
  models: { ...models, what: "networks whose last layer is fitted anew, by commas: ONNX files" },
  training: {
    what: "ImageNet as a dataset with the splits train and val, and with the side images mask and stylised (data convert --side)",
    presets: ["paper"],
    required: true,
  },
  ...variants,
};

/** The part of networks as they came, and that of those with other last layers. */
export const parts = { before: "before", shortcuts: "watermark" } as const;
/** The network with its own last layer. */
const asItWas = "Network";

export function shortcutJobs(preset: ShortcutsPreset, given: Readonly<Record<string, string>>): StudyJob[] {
  const { own, views, copies, rates, epochs, batchSize } = preset;
  const fitted = {
    kind: "layers" as const,
    name: "layers",
    title: "last layers by every method, over the same features",
    views: viewsOf(views),
    copies,
    entries: entriesOf(views),
    rates,
    epochs,
    batchSize,
    weightDecay: 1e-4,
  };
  if (own === undefined) {
    const of = { models: listed(given.models), path: given.training ?? "" };
    return [
      { ...fitted, of },
      ...Object.entries(askedOfPeople({ marks: ["chinese"] }, given)).map(
        ([name, asked]): PredictionsJob => ({
          kind: "predictions",
          name,
          title: name,
          of: { job: "layers" },
          ...asked,
        }),
      ),
    ];
  }
  const { data, test, markedClass, model, steps, seeds } = own;
  const marked = { watermarkClass: markedClass, pWatermark: 0.9, pWatermarkTest: 0 };
  const asked = {
    data: {
      name: "hard-spurious",
      settings: { ...data, count: { train: { easy: 0, medium: 0, hard: 0 }, val: 0, test } },
      seed: testSeed,
    },
    by: ["group"],
    marks: ["chinese" as const],
    changes: ["texture-swapped" as const],
  };
  return [
    {
      kind: "runs",
      name: ownNetworks,
      title: "networks of ours, whose last layers are fitted anew",
      seeds,
      cues: [],
      entries: [
        {
          case: { method: asItWas, explicit: [], groupings: [[]] },
          run: {
            data: { name: "hard-spurious", settings: { ...data, ...marked }, seed: "each" },
            model,
            method: { name: "erm" },
            optimiser: { name: "adam", rate: 1e-3 },
            schedule: { name: "cosine" },
            batchSize: 32,
            steps,
            augment: ["flip"],
          },
        },
      ],
    },
    { ...fitted, of: { job: ownNetworks } },
    {
      kind: "predictions",
      name: parts.before,
      title: "what the networks say with their own last layers",
      of: { job: ownNetworks },
      ...asked,
    },
    {
      kind: "predictions",
      name: parts.shortcuts,
      title:
        "what they say with the others: as they are, with the mark, with another class's grain, on other backgrounds",
      of: { job: "layers" },
      ...asked,
    },
  ];
}
