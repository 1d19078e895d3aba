/** The runs of the study of Biased MNIST, part by part. */

import { type ComparedMethod, comparedMethods, methodsNamed } from "../compared-methods.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import { settingsSearch, tuningRules } from "../tuning.ts";
import type { BiasedMnistPreset } from "./presets.ts";
import { growingOrder, tuningVariable, variables } from "./variables.ts";

export function biasedMnistJobs(preset: BiasedMnistPreset): RunsJob[] {
  const parts = [methodsPart, growingPart, strengthPart, repeatsPart, hyperparametersPart, searchPart];
  return parts
    .map((part) => part(preset))
    .filter(({ entries }) => entries.length > 0)
    .map((part) => ({ kind: "runs", ...part, cues: variables }));
}

/** What other studies take of this one: each method's accuracy. */
export function methodsJob(preset: BiasedMnistPreset): RunsJob {
  return { kind: "runs", ...methodsPart(preset), cues: variables };
}

type StudyPart = Omit<RunsJob, "kind" | "cues">;

function methodsPart(preset: BiasedMnistPreset): StudyPart {
  const methods = methodsNamed(preset.methods);
  return {
    name: "methods",
    title: "Table 1, Table A4 and Fig. 3: every method, told one variable at a time",
    entries: [
      ...methods.filter(({ explicit }) => !explicit).map((method) => entryOf(preset, method)),
      ...preset.explicit.flatMap((variable) =>
        methods
          .filter(({ explicit }) => explicit)
          .map((method) => entryOf(preset, method, { explicit: [variable] })),
      ),
    ],
    seeds: preset.seeds,
  };
}

function growingPart(preset: BiasedMnistPreset): StudyPart {
  return {
    name: "growing",
    title: "Fig. 5 and Table A5: more and more explicit variables",
    entries: preset.growing.counts.flatMap((count) =>
      methodsNamed(preset.growing.methods)
        .filter(({ explicit }) => explicit)
        .map((method) => entryOf(preset, method, { explicit: growingOrder.slice(0, count) })),
    ),
    seeds: preset.seeds,
  };
}

function strengthPart(preset: BiasedMnistPreset): StudyPart {
  return {
    name: "strength",
    title: "Fig. A7: how closely the variables go with the class",
    entries: preset.strengths.values.flatMap((pBias) =>
      methodsNamed(preset.strengths.methods).map((method) => entryOf(preset, method, { at: { pBias } })),
    ),
    seeds: preset.seeds,
  };
}

/** The same number of steps over few images, each seen again and again, and over many. */
function repeatsPart(preset: BiasedMnistPreset): StudyPart {
  const { methods, pBias, lengths } = preset.repeats;
  return {
    name: "repeats",
    title: "Whether the told variable comes back when the images of rare groups are drawn again and again",
    entries: methodsNamed(methods).flatMap((method) =>
      lengths.map(({ images, epochs }) => entryOf(preset, method, { at: { pBias, images }, epochs })),
    ),
    seeds: preset.seeds,
  };
}

function hyperparametersPart(preset: BiasedMnistPreset): StudyPart {
  const { rates, weightDecays, methods } = preset.hyperparameters;
  return {
    name: "hyperparameters",
    title: "Fig. A8 and Fig. 6: learning rate, weight decay, and by what they are chosen",
    entries: methodsNamed(methods).flatMap((method) =>
      rates.flatMap((rate) =>
        weightDecays.map((weightDecay) => entryOf(preset, method, { at: { rate, weightDecay } })),
      ),
    ),
    seeds: preset.hyperparameters.seeds,
    scoredBy: tuningRules([tuningVariable]),
  };
}

/** Of runs that settings are chosen by, and that are reported nowhere. */
export const tuningSeed = 100;

/** The two-stage search that led the authors to Table A6, by unbiased validation accuracy. */
function searchPart(preset: BiasedMnistPreset): StudyPart {
  return {
    name: "search",
    title: "Table A6: learning rate and weight decay, then each method's own settings",
    entries: preset.search ? comparedMethods.map((method) => entryOf(preset, method)) : [],
    seeds: preset.seeds.slice(0, 1),
    search: settingsSearch(tuningVariable, tuningSeed),
  };
}

interface Choice {
  /** The tuning variable unless said. Methods that need none get none. */
  explicit?: readonly string[];
  at?: Readonly<Record<string, number>>;
  /** The preset's unless said. */
  epochs?: number;
}

function entryOf(
  preset: BiasedMnistPreset,
  method: ComparedMethod,
  { explicit = [tuningVariable], at, epochs }: Choice = {},
): StudyEntry {
  const told = method.explicit ? explicit : [];
  const rate = at?.rate ?? preset.rate;
  return {
    case: {
      method: method.label,
      explicit: told,
      ...(at && { at }),
      // Groups of the class and one variable at a time: groups of all together would have one image each, and would
      // weigh images, not classes.
      groupings: (told.length > 0 ? told : variables).map((variable) => [variable]),
    },
    run: {
      data: {
        name: "biased-mnist",
        settings: {
          ...preset.data,
          pBias: at?.pBias ?? preset.pBias,
          ...(at?.images !== undefined && { count: { ...preset.data.count, train: at.images } }),
        },
        seed: "each",
      },
      model: preset.model,
      method: {
        name: method.name,
        preset: "biased-mnist",
        ...(method.settings && { settings: method.settings }),
        ...(method.explicit && { explicit: told }),
      },
      optimiser: {
        ...(rate !== undefined && { rate }),
        ...(at?.weightDecay !== undefined && { weightDecay: at.weightDecay }),
      },
      ...(preset.schedule && { schedule: preset.schedule }),
      epochs: epochs ?? preset.epochs,
      batchSize: preset.batchSize,
    },
  };
}
