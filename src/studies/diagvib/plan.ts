/** The jobs of the study of DiagViB-6: every network on every study, pair and dataset sample, and what goes beyond the paper. */

import type { PoolsJob } from "../jobs/pools-job.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import { type AskedRun, entryOf } from "./entries.ts";
import { linesJob } from "./lines-job.ts";
import type { DiagvibNetwork } from "./networks.ts";
import type { FactorPair } from "./pairs.ts";
import { pictureEntries, picturesPart } from "./pictures-part.ts";
import { type DiagvibPreset, factorsOf } from "./presets.ts";
import { methodStudies } from "./rows.ts";
import { tuningJob, tuningPart } from "./tuning-part.ts";

/** Weights begin alike in all runs of a network, as in the paper; samples and images differ. */
export const modelSeed = 1;

export const methodsPart = "methods";
export const rivalsPart = "two-cues";
export const texturesPart = "one-picture";

/** Parts whose runs are no cells of the paper's matrices. */
export const partsBeyond: readonly string[] = [
  tuningPart,
  methodsPart,
  rivalsPart,
  texturesPart,
  picturesPart,
];

export function diagvibJobs(preset: DiagvibPreset, weights: string | undefined): (RunsJob | PoolsJob)[] {
  const networks = preset.networks(weights).filter(({ run }) => run !== undefined);
  const [first] = networks;
  const { opportunities, methods, rivals, textures } = preset;
  return [
    ...tuningJob(preset, networks),
    {
      ...runsPart("zso", "ZSO: every factor without a shortcut, which is to be checked first (Table A2)"),
      entries: entriesOf(
        preset,
        networks,
        preset.samples,
        factorsOf(preset).map((predict) => ({ study: "ZSO", predict })),
      ),
    },
    {
      ...runsPart("zgo", "ZGO: label and cue always together (Table A3)"),
      entries: entriesOf(
        preset,
        networks,
        preset.samples,
        preset.pairs.map((pair) => ({ study: "ZGO", ...named(pair) })),
      ),
    },
    ...opportunities.studies.map((study) => ({
      ...runsPart(study.toLowerCase(), `${study}: ${titles[study]}`),
      entries: entriesOf(
        preset,
        networks,
        opportunities.samples,
        opportunities.pairs.map((pair) => ({ study, ...named(pair) })),
      ),
    })),
    {
      ...runsPart(rivalsPart, "Two cues at once in ZGO: which of them wins, and do pairs of one cue tell?"),
      entries: rivals.rivals.flatMap(({ predict, one, other }) =>
        rivals.samples.map((sample) =>
          entryOf(preset, { network: first!, study: "ZGO", predict, cue: one, other, sample }),
        ),
      ),
    },
    {
      ...runsPart(texturesPart, "Texture with one picture a kind in all splits, as the paper had"),
      entries: textures.samples.flatMap((sample) => {
        const data = { ...textures.data, textures: "built-in-one" };
        const asked = { network: first!, sample, data };
        return [
          entryOf(preset, { ...asked, study: "ZSO", predict: "texture" }),
          ...textures.pairs.map((pair) => entryOf(preset, { ...asked, study: "ZGO", ...named(pair) })),
        ];
      }),
    },
    {
      ...runsPart(
        methodsPart,
        "Methods against shortcuts on CGO-1 and FGO-10: do they take opportunities better?",
      ),
      entries: methods.methods.flatMap((method) =>
        methodStudies.flatMap((study) =>
          methods.pairs.flatMap((pair) =>
            methods.samples.map((sample) =>
              entryOf(preset, {
                label: method.label,
                network: first!,
                method,
                study,
                ...named(pair),
                sample,
              }),
            ),
          ),
        ),
      ),
    },
    {
      ...runsPart(
        picturesPart,
        "Pictures: traversals, reconstructions, what the lens lets through (Figures A2 to A4, A9)",
      ),
      entries: pictureEntries(preset),
    },
    linesJob(preset.lines),
  ];
}

/** Of every network that is tried in it. */
function entriesOf(
  preset: DiagvibPreset,
  networks: readonly DiagvibNetwork[],
  samples: readonly number[],
  asked: readonly Pick<AskedRun, "study" | "predict" | "cue">[],
): StudyEntry[] {
  return networks.flatMap((network) =>
    asked.flatMap((each) =>
      samples
        .filter((sample) => network.only?.({ ...each, sample }) ?? true)
        .map((sample) => entryOf(preset, { network, ...each, sample })),
    ),
  );
}

const titles: Readonly<Record<DiagvibPreset["opportunities"]["studies"][number], string>> = {
  "CGO-1": "one more combination (Table A4)",
  "CGO-2": "two more combinations (Table A5)",
  "CGO-3": "three more combinations (Table A6)",
  CHGO: "one class coupled, two free (Table 2)",
  "FGO-5": "5% of violations (Table A7)",
  "FGO-10": "10% of violations (Table A8)",
  "FGO-20": "20% of violations (Table A9)",
};

function runsPart(name: string, title: string): Omit<RunsJob, "entries"> {
  return { kind: "runs", name, title, seeds: [modelSeed], cues: [] };
}

function named([predict, cue]: FactorPair) {
  return { predict, cue };
}
