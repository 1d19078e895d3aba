/** The runs of the study of Biased MNIST, part by part. */

import { type ComparedMethod, comparedMethods, methodsNamed } from "../compared-methods.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import { tuningRules } from "../tuning.ts";
import type { BiasedMnistPreset } from "./presets.ts";
import { growingOrder, tuningVariable, variables } from "./variables.ts";

const explicitMethods = comparedMethods.filter(({ explicit }) => explicit);
const implicitMethods = comparedMethods.filter(({ explicit }) => !explicit);

export function biasedMnistJobs(preset: BiasedMnistPreset): RunsJob[] {
  return [methodsPart, growingPart, strengthPart, hyperparametersPart, searchPart].flatMap((part) => {
    const made = part(preset);
    return made === undefined ? [] : [{ kind: "runs", ...made, cues: variables }];
  });
}

type StudyPart = Omit<RunsJob, "kind" | "cues">;

function methodsPart(preset: BiasedMnistPreset): StudyPart {
  return {
    name: "methods",
    title: "Table 1, Table A4 and Fig. 3: every method, told one variable at a time",
    entries: [
      ...implicitMethods.map((method) => entryOf(preset, method)),
      ...preset.explicit.flatMap((variable) =>
        explicitMethods.map((method) => entryOf(preset, method, { explicit: [variable] })),
      ),
    ],
    seeds: preset.seeds,
  };
}

function growingPart(preset: BiasedMnistPreset): StudyPart {
  return {
    name: "growing",
    title: "Fig. 5 and Table A5: more and more explicit variables",
    entries: preset.growing.flatMap((count) =>
      explicitMethods.map((method) => entryOf(preset, method, { explicit: growingOrder.slice(0, count) })),
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
    seeds: preset.seeds.slice(0, 1),
    scoredBy: tuningRules([tuningVariable]),
  };
}

/** Of runs that settings are chosen by, and that are reported nowhere. */
export const tuningSeed = 100;

/** The two-stage search that led the authors to Table A6, by unbiased validation accuracy. */
function searchPart(preset: BiasedMnistPreset): StudyPart | undefined {
  if (!preset.search) return undefined;
  const { rates, weightDecays } = preset.hyperparameters;
  return {
    name: "search",
    title: "Table A6: learning rate and weight decay, then each method's own settings",
    entries: comparedMethods.map((method) => entryOf(preset, method)),
    seeds: preset.seeds.slice(0, 1),
    search: {
      stages: [
        { grid: { "optimiser.rate": [...rates], "optimiser.weightDecay": [...weightDecays] } },
        { own: true },
      ],
      select: { by: "val-unbiased", groups: [tuningVariable] },
      seed: tuningSeed,
    },
  };
}

interface Choice {
  /** The tuning variable unless said. Methods that need none get none. */
  explicit?: readonly string[];
  at?: Readonly<Record<string, number>>;
}

function entryOf(
  preset: BiasedMnistPreset,
  method: ComparedMethod,
  { explicit = [tuningVariable], at }: Choice = {},
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
      data: { name: "biased-mnist", settings: { ...preset.data, pBias: at?.pBias ?? preset.pBias } },
      model: { name: "biased-mnist-cnn", options: { width: preset.width } },
      method: { name: method.name, preset: "biased-mnist", ...(method.explicit && { explicit: told }) },
      optimiser: {
        ...(rate !== undefined && { rate }),
        ...(at?.weightDecay !== undefined && { weightDecay: at.weightDecay }),
      },
      epochs: preset.epochs,
      batchSize: preset.batchSize,
    },
  };
}
