/** The runs of the study: three training sets, two methods, and the last layer fitted anew on the standard model of several ages. */

import type { StudyJob } from "../jobs/kinds.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import type { StudyGiven } from "../study.ts";
import type { TrainedPreset } from "./presets.ts";

export const baseline = "ERM";
export const rowNames = {
  easy: "ERM^easy",
  all: "ERM^all",
  dfr: "DFR",
  pretrained: "Pretrained",
} as const;

const cues = ["background", "position", "size"] as const;

const takenByPaper = (what: string, required: boolean): StudyGiven => ({
  what,
  presets: ["paper"],
  ...(required && { required }),
});

export const takes: Readonly<Record<string, StudyGiven>> = {
  trainImages: takenByPaper(
    "ImageNet's training photographs in folders of classes, to train and validate on",
    true,
  ),
  trainBoxes: takenByPaper("their boxes: a folder of PASCAL VOC XML files", true),
  testImages: takenByPaper("ImageNet's validation photographs, to test on", true),
  testBoxes: takenByPaper("their boxes", true),
  trainInpainted: takenByPaper("the training photographs without their objects, by the same names", false),
  testInpainted: takenByPaper("the test photographs without their objects, by the same names", false),
  weights: takenByPaper(
    "weights of ImageNet's ResNet-50 to begin with, a .safetensors file of torchvision's or timm's names; without it training begins from scratch",
    false,
  ),
  pretrained: takenByPaper(
    "that network as an ONNX file: the row of what it says before it is trained any further",
    false,
  ),
};

const jttName = (epochs: number) => `JTT (E=${epochs})`;

export function trainedJobs(
  preset: TrainedPreset,
  given: Readonly<Record<string, string | undefined>>,
): StudyJob[] {
  const entry = (
    method: string,
    more: { told?: readonly string[]; at?: number; train?: object; run: object },
  ) => entryOf(preset, given, method, more);
  const { easy, equal } = preset.train;
  const erm = { method: { name: "erm", preset: "hard-spurious" } };
  const refit = { method: { name: "dfr", preset: "hard-spurious", explicit: [...cues] } };
  const steps = (epochs: number) => ({ steps: epochs * preset.stepsPerEpoch });
  const methods: RunsJob = {
    kind: "runs",
    name: "methods",
    title: "Tables 6, 7 and 10, Figure 7 (right): what is trained on, and methods",
    seeds: preset.seeds,
    cues,
    entries: [
      {
        ...entry(baseline, { run: { ...erm, measureSteps: agesOf(preset).map((age) => steps(age).steps) } }),
        isBegunWith: true,
      },
      entry(rowNames.dfr, { told: cues, run: refit }),
      entry(rowNames.easy, { train: { easy, medium: 0, hard: 0 }, run: erm }),
      entry(rowNames.all, { train: { easy: equal, medium: equal, hard: equal }, run: erm }),
      ...preset.first.map((epochs) =>
        entry(jttName(epochs), {
          run: { method: { name: "jtt", preset: "hard-spurious", settings: { epochs } } },
        }),
      ),
    ],
  };
  const ages: RunsJob = {
    kind: "runs",
    name: "ages",
    title: "Figure 7 (left): the standard model after some of its epochs, and its last layer fitted anew",
    seeds: preset.seeds,
    cues,
    entries: agesOf(preset).flatMap((age) => [
      entry(baseline, { at: age, run: { ...erm, ...steps(age) } }),
      entry(rowNames.dfr, { told: cues, at: age, run: { ...refit, ...steps(age) } }),
    ]),
  };
  return [methods, ages, ...askedBefore(preset, given)];
}

/** Younger than the whole. */
function agesOf({ refitted, epochs }: TrainedPreset): readonly number[] {
  return refitted.filter((age) => age < epochs);
}

function entryOf(
  preset: TrainedPreset,
  given: Readonly<Record<string, string | undefined>>,
  method: string,
  { told = [], at, train, run }: { told?: readonly string[]; at?: number; train?: object; run: object },
): StudyEntry {
  const { model, optimiser, augment, batchSize, epochs, stepsPerEpoch } = preset;
  const { weights } = given;
  return {
    case: {
      method,
      explicit: told,
      groupings: [["group"]],
      by: ["group"],
      ...(at !== undefined && { at: { epochs: at } }),
    },
    run: {
      data: dataOf(preset, given, train),
      model,
      ...(weights !== undefined && { weights: { path: weights, freshHead: true } }),
      ...(optimiser && { optimiser }),
      steps: epochs * stepsPerEpoch,
      batchSize,
      ...(augment && { augment }),
      ...run,
    },
  };
}

/** All training sets are of as many photographs, and tested on the same images. */
function dataOf(
  { data, train, photographs }: TrainedPreset,
  given: Readonly<Record<string, string | undefined>>,
  counts: object = { easy: train.easy, medium: train.others, hard: train.others },
) {
  const { trainInpainted, testInpainted } = given;
  const inpainted = trainInpainted !== undefined && testInpainted !== undefined;
  const places = Object.fromEntries(
    [
      "trainImages",
      "trainBoxes",
      "testImages",
      "testBoxes",
      ...(inpainted ? ["trainInpainted", "testInpainted"] : []),
    ].map((name) => [name, given[name]!]),
  );
  const { count } = data as { count?: object };
  return {
    name: "hard-spurious",
    settings: { ...data, ...(inpainted && { inpaint: "given" }), count: { ...count, train: counts } },
    ...(photographs && { places }),
    seed: "each",
  };
}

/** What the network that training begins with says of the same test images. */
function askedBefore(preset: TrainedPreset, given: Readonly<Record<string, string | undefined>>): StudyJob[] {
  const { pretrained, testImages } = given;
  if (pretrained === undefined || testImages === undefined) return [];
  const { name, settings, places } = dataOf(preset, given, { easy: 0, medium: 0, hard: 0 });
  const [seed = 0] = preset.seeds;
  return [
    {
      kind: "predictions",
      name: "pretrained",
      title: "Tables 7 and 10: the network before it is trained any further",
      of: { models: [pretrained] },
      data: { name, settings, ...(places && { places }), seed },
      by: ["group"],
      classesLike: testImages,
    },
  ];
}
