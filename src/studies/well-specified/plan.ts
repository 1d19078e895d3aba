/** The pools of the study: every family of datasets that makes its shortcuts, split as its papers do, with controls. */

import { cheapPool } from "../cheap-pool.ts";
import type { PoolsJob, StudySplit } from "../jobs/pools-job.ts";
import type { WellSpecifiedPreset } from "./presets.ts";

export function wellSpecifiedJobs(preset: WellSpecifiedPreset): PoolsJob[] {
  return [coloredMnist, biasedMnist, diagvib, urbanCars, hardSpurious, watermark].map((part) => part(preset));
}

function coloredMnist(preset: WellSpecifiedPreset): PoolsJob {
  return {
    kind: "pools",
    name: "colored-mnist",
    title: "ColoredMNIST, each environment left out",
    pools: preset.leftOut.map((left) =>
      cheapPool(preset, {
        name: `colored-mnist-${left}`,
        dataset: "ColoredMNIST",
        data: { name: "colored-mnist", settings: {} },
        holdOut: String(left),
        splits: [
          {
            name: `colored-mnist-${left}`,
            ood: `colour agrees in ${percentOf(left)}`,
            environment: String(left),
            role: "shifted",
            at: { left },
          },
        ],
      }),
    ),
  };
}

const noBias = 0.1;

/** Two controls: no bias anywhere, and as much in the test set as in training. */
function biasedMnist(preset: WellSpecifiedPreset): PoolsJob {
  const made = (p: number, more: Pick<StudySplit, "name" | "ood" | "role" | "at">, settings: object = {}) =>
    cheapPool(preset, {
      name: more.name,
      dataset: `Biased MNIST, p ${p}`,
      data: { name: "biased-mnist", settings: { ...preset.biasedMnist, pBias: p, pBiasVal: p, ...settings } },
      oodSplits: ["test"],
      splits: [{ ...more, environment: "test" }],
    });
  const { keptBias } = preset;
  return {
    kind: "pools",
    name: "biased-mnist",
    title: "Biased MNIST, trained at several strengths and tested without bias",
    pools: [
      ...preset.pBias.map((p) =>
        made(p, {
          name: `biased-mnist-${p}`,
          ood: p === noBias ? "test, alike (control)" : "test without bias",
          role: p === noBias ? "control" : "shifted",
          at: { p },
        }),
      ),
      made(
        keptBias,
        { name: `biased-mnist-${keptBias}-kept`, ood: "test, as biased (control)", role: "control" },
        { pBiasTest: keptBias },
      ),
    ],
  };
}

function diagvib(preset: WellSpecifiedPreset): PoolsJob {
  const pools = preset.pairs.flatMap(([predict, cue]) =>
    preset.samples.flatMap((sample) =>
      studiesOf(preset, [predict, cue]).map((study) => {
        const control = study === "ZSO";
        const name = `diagvib-${predict}-${cue}-${study}${sample === 0 ? "" : `-${sample}`}`;
        const violations = violationsOf(study);
        return cheapPool(preset, {
          name,
          dataset: `DiagViB-6, ${predict} with ${cue}${sample === 0 ? "" : `, sample ${sample}`}: ${study}`,
          data: {
            name: "diagvib-study",
            settings: { ...preset.diagvib, predict: [predict], cue: [cue], study, sample },
          },
          oodSplits: ["test"],
          // As its paper measures. In the other studies classes are equally frequent, and both are one number.
          ...(unevenStudies.includes(study) && { groups: ["class"], over: "classes" as const }),
          splits: [
            {
              name,
              ood: control ? "test, alike (control)" : "cells that break the pattern",
              environment: "test",
              role: control ? "control" : "shifted",
              ...(violations === undefined ? {} : { at: { violations } }),
            },
          ],
        });
      }),
    ),
  );
  return { kind: "pools", name: "diagvib", title: "DiagViB-6, studies of pairs of factors", pools };
}

/** ZSO has no cue: it is one dataset for all pairs of a predicted factor, and made for the first of them. */
function studiesOf(
  { studies, pairs }: WellSpecifiedPreset,
  [predict, cue]: readonly [string, string],
): string[] {
  const isFirst = pairs.find(([other]) => other === predict)![1] === cue;
  return studies.filter((study) => study !== "ZSO" || isFirst);
}

/** Combinations are equally frequent, and some classes have more of them than others. */
const unevenStudies: readonly string[] = ["CGO-1", "CGO-2", "CHGO"];

/** Per cent of the training images that break the pattern; none in ZGO, and no such number in the other studies. */
function violationsOf(study: string): number | undefined {
  if (study === "ZGO") return 0;
  return study.startsWith("FGO-") ? Number(study.slice("FGO-".length)) : undefined;
}

/** As the paper's footnote does for Waterbirds: the whole test set, and each group of it. */
function urbanCars(preset: WellSpecifiedPreset): PoolsJob {
  const group = (name: string, ood: string, broken: string, role: StudySplit["role"]): StudySplit => ({
    name: `urban-cars-${name}`,
    ood,
    environment: "test",
    images: [{ broken }],
    role,
  });
  return {
    kind: "pools",
    name: "urban-cars",
    title: "UrbanCars, the balanced test set and each of its groups",
    pools: [
      cheapPool(preset, {
        name: "urban-cars",
        dataset: "UrbanCars",
        data: { name: "urban-cars", settings: preset.urbanCars },
        oodSplits: ["test"],
        groups: ["broken"],
        splits: [
          { name: "urban-cars-all", ood: "balanced test", environment: "test", role: "shifted" },
          group("both-common", "both common (control)", "none", "control"),
          group("background-uncommon", "background uncommon", "background", "shifted"),
          group("object-uncommon", "object uncommon", "coObject", "shifted"),
          group("both-uncommon", "both uncommon", "background, coObject", "shifted"),
        ],
      }),
    ],
  };
}

function hardSpurious(preset: WellSpecifiedPreset): PoolsJob {
  const level = (difficulty: string, role: StudySplit["role"]): StudySplit => ({
    name: `hard-spurious-${difficulty}`,
    ood: role === "control" ? `${difficulty} (control)` : difficulty,
    environment: "test",
    images: [{ difficulty }],
    role,
  });
  return {
    kind: "pools",
    name: "hard-spurious",
    title: "Hard-Spurious-ImageNet, drawn: the test set and its levels",
    pools: [
      cheapPool(preset, {
        name: "hard-spurious",
        dataset: "Hard-Spurious",
        data: { name: "hard-spurious", settings: preset.hardSpurious },
        oodSplits: ["test"],
        groups: ["difficulty"],
        splits: [
          { name: "hard-spurious-all", ood: "all levels evenly", environment: "test", role: "shifted" },
          // Most training images are of this level.
          level("easy", "control"),
          level("medium", "shifted"),
          level("hard", "shifted"),
        ],
      }),
    ],
  };
}

const marked = "urban";
const unmarked = "country";

/** UrbanCars whose backgrounds and objects tell nothing, with a watermark on one class. */
function watermark(preset: WellSpecifiedPreset): PoolsJob {
  const images = (
    name: string,
    ood: string,
    values: NonNullable<StudySplit["images"]>,
    role: StudySplit["role"],
  ): StudySplit => ({ name: `watermark-${name}`, ood, environment: "test", images: values, role });
  return {
    kind: "pools",
    name: "watermark",
    title: "A watermark on one class of drawn cars",
    pools: [
      cheapPool(preset, {
        name: "watermark",
        dataset: "Watermark",
        data: {
          name: "urban-cars",
          settings: {
            ...preset.urbanCars,
            bgCorrelation: 0.5,
            coObjCorrelation: 0.5,
            watermarkClass: marked,
          },
        },
        oodSplits: ["test"],
        groups: ["watermark"],
        splits: [
          images(
            "kept",
            "as in training (control)",
            [
              { class: marked, watermark: "yes" },
              { class: unmarked, watermark: "no" },
            ],
            "control",
          ),
          images("gone", "on no image", [{ watermark: "no" }], "shifted"),
          images("everywhere", "on every image", [{ watermark: "yes" }], "shifted"),
          images(
            "swapped",
            "on the other class",
            [
              { class: marked, watermark: "no" },
              { class: unmarked, watermark: "yes" },
            ],
            "shifted",
          ),
        ],
      }),
    ],
  };
}

function percentOf(share: number): string {
  return `${Math.round(100 * share)}%`;
}
