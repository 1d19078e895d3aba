/** The jobs of the study of DiagViB-6: every network on every study, pair and dataset sample, and what goes beyond the paper. */

import type { PoolsJob } from "../jobs/pools-job.ts";
import type { RunsJob } from "../jobs/runs-job.ts";
import { entryOf } from "./entries.ts";
import { linesJob } from "./lines-job.ts";
import type { FactorPair } from "./pairs.ts";
import { type DiagvibPreset, factorsOf } from "./presets.ts";
import { methodStudies } from "./rows.ts";

/** Weights begin alike in all runs of a network, as in the paper; samples and images differ. */
export const modelSeed = 1;

export const methodsPart = "methods";
export const rivalsPart = "two-cues";
export const texturesPart = "one-picture";

/** Parts whose runs are no cells of the paper's matrices. */
export const partsBeyond: readonly string[] = [methodsPart, rivalsPart, texturesPart];

export function diagvibJobs(preset: DiagvibPreset, weights: string | undefined): (RunsJob | PoolsJob)[] {
  const networks = preset.networks(weights).filter(({ run }) => run !== undefined);
  const [first] = networks;
  const { opportunities, methods, rivals, textures } = preset;
  return [
    {
      ...runsPart("zso", "ZSO: every factor without a shortcut, which is to be checked first (Table A2)"),
      entries: networks.flatMap((network) =>
        factorsOf(preset).flatMap((predict) =>
          preset.samples.map((sample) => entryOf(preset, { network, study: "ZSO", predict, sample })),
        ),
      ),
    },
    {
      ...runsPart("zgo", "ZGO: label and cue always together (Table A3)"),
      entries: networks.flatMap((network) =>
        preset.pairs.flatMap((pair) =>
          preset.samples.map((sample) => entryOf(preset, { network, study: "ZGO", ...named(pair), sample })),
        ),
      ),
    },
    ...opportunities.studies.map((study) => ({
      ...runsPart(study.toLowerCase(), `${study}: ${titles[study]}`),
      entries: networks.flatMap((network) =>
        opportunities.pairs.flatMap((pair) =>
          opportunities.samples.map((sample) => entryOf(preset, { network, study, ...named(pair), sample })),
        ),
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
    linesJob(preset.lines),
  ];
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
