/**
 * The studies of DiagViB-6: predict one factor while another goes with it in training, wholly, in some cells of
 * their 3×3 matrix, or in most images; test on the cells that break the pattern. After Eulig et al. 2021.
 */

import { z } from "zod";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { defineDataset } from "./definition.ts";
import { assemble, type ChosenClasses, type SplitClasses } from "./diagvib/assemble.ts";
import { assign, factorColumns, type Joint } from "./diagvib/assignment.ts";
import {
  type CorrelatedClasses,
  type Correlation,
  correlate,
  readCorrelations,
} from "./diagvib/correlations.ts";
import {
  type FactorName,
  factorClasses,
  factorNames,
  furtherFactors,
  paperFactors,
} from "./diagvib/factors.ts";
import { checkStudy, paperStudies, patternOf, studyClasses } from "./diagvib/patterns.ts";
import { chosenFactorClasses, classListSettings, imageSettings, predictSetting } from "./diagvib/settings.ts";
import { openTextures, type TexturePart } from "./diagvib/textures.ts";
import { openWorld } from "./diagvib/world.ts";

const settings = z.object({
  predict: predictSetting,
  cue: z
    .array(z.string())
    .min(1)
    .default(["hue"])
    .describe(
      "factors that go with it: hue; hue,texture; hue+texture (together); scale~texture (a cue of scale)",
    ),
  study: z
    .string()
    .default("FGO-5")
    .describe("ZSO, ZGO, CGO-1, CGO-2, CGO-3, CHGO, or FGO-f with f% of violations"),
  sample: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe("dataset sample: decides the three classes of each factor and the cells that CGO adds"),
  balance: z
    .enum(["cells", "classes"])
    .default("cells")
    .describe("whether all seen cells or all classes are equally frequent in training"),
  vary: z
    .array(z.enum(furtherFactors))
    .default([])
    .describe("further factors that vary without being label or cue"),
  classes: classListSettings("three by sample"),
  count: z
    .strictObject({
      train: z.number().int().min(1).default(43_740).describe("training images"),
      val: z.number().int().min(0).default(8748).describe("validation images, distributed as in training"),
      test: z.number().int().min(0).default(10_000).describe("test images in cells that break the pattern"),
      testId: z
        .number()
        .int()
        .min(0)
        .default(10_000)
        .describe("images of the split test_id, in cells that keep it"),
    })
    .prefault({}),
  ...imageSettings,
});

type DiagvibStudySettings = z.output<typeof settings>;

export const diagvibStudy = defineDataset({
  name: "diagvib-study",
  title: "DiagViB-6 study",
  description:
    "Three classes of one factor of a textured digit are to be told apart; three classes of another factor go with " +
    "them in training. The study says how closely: always (ZGO), but for some combinations (CGO, CHGO), in most images " +
    "(FGO), or not at all (ZSO). The test split has only combinations that break the pattern, test_id only those that keep it.",
  paper: "Eulig et al. 2021",
  version: 1,
  settings,
  examples: ["predict=shape", "cue=hue", "study=FGO-5", "sample=0"],
  small: ["count.train=300", "count.val=60", "count.test=60", "count.testId=60", "size=64"],
  variants: {
    pattern: "<predict>-<cue>-<study>-<sample>",
    names: () =>
      paperFactors.flatMap((predict) =>
        paperFactors
          .filter((cue) => cue !== predict)
          .flatMap((cue, i) =>
            // In ZSO nothing goes with anything: it is listed with one cue, and known with each.
            paperStudies
              .filter((study) => study !== "ZSO" || i === 0)
              .flatMap((study) => [0, 1, 2, 3, 4].map((sample) => `${predict}-${cue}-${study}-${sample}`)),
          ),
      ),
    assignments: (name) => {
      const [, predict, cue, study, sample] =
        /^([a-z]+)-([a-z+]+)-([A-Z]+(?:-[\d.]+)?)-(\d+)$/.exec(name) ?? [];
      return predict === undefined
        ? undefined
        : [`predict=${predict}`, `cue=${cue}`, `study=${study}`, `sample=${sample}`];
    },
  },
  build: async (chosen, seed): Promise<Dataset> => {
    checkStudy(chosen.study);
    const textures = await openTextures(chosen.textures);
    const correlations = readCorrelations(chosen.cue, chosen.predict);
    const classes = studyClassesOf(chosen, factorClasses(textures.names), correlations);
    const correlated = correlate(
      correlations,
      correlations.map(({ of, name }) =>
        patternOf(chosen.study, { sample: chosen.sample, pair: `${of}~${name}`, balance: chosen.balance }),
      ),
    );
    const splits = splitsOf(chosen, classes, correlated, seed);
    const world = await openWorld(chosen.size, textures, seed);
    return assemble(world, {
      name: "diagvib-study",
      canvas: chosen.size,
      chosen: classes,
      splits: splits.map(({ split }) => split),
      predict: chosen.predict,
      roleOf: (factor) =>
        chosen.predict.includes(factor)
          ? "core"
          : correlations.some(({ of, cues }) => of === factor || cues.includes(factor))
            ? "cue"
            : "other",
      classValuesOf: (factor, classesOfLabel) => {
        if (chosen.predict.includes(factor)) return classesOfLabel(factor);
        const of = correlations.find(({ cues }) => cues.includes(factor))?.of;
        // On the diagonal a cue's class has the position of the class that it goes with.
        return of !== undefined && chosen.predict.includes(of) ? classesOfLabel(of) : undefined;
      },
      attributes: {
        broken: brokenAttribute(
          correlations,
          splits.flatMap(({ broken }) => [...broken]),
        ),
      },
      provenance: {
        title: `${diagvibStudy.title}: ${chosen.predict.join(", ")} with ${chosen.cue.join(", ")}, ${chosen.study}, sample ${chosen.sample}`,
        description: diagvibStudyText(chosen, correlations),
        generator: { name: diagvibStudy.name, version: diagvibStudy.version },
        settings: chosen,
        seed,
        citation: diagvibStudy.paper,
        ...(chosen.study === "ZSO" ? {} : { shiftedSplits: ["test"] }),
        // With several cues an image may break one and keep another: each set of broken ones is told apart.
        ...(correlations.length > 1 ? { statisticsBy: "broken" } : {}),
      },
    });
  },
});

/** What this very study is. */
function diagvibStudyText(
  { predict, study }: DiagvibStudySettings,
  correlations: readonly Correlation[],
): string {
  const pairs = correlations.map(({ of, name }) => `${name} with ${of}`).join(", ");
  const task = `A textured digit, of which ${predict.join(" and ")} is to be told, three classes of each factor.`;
  return study === "ZSO"
    ? `${task} No shortcut: nothing goes with anything (${pairs} would in other studies), in any split.`
    : `${task} In training goes ${pairs}, by the pattern ${study}. The split test has only combinations that break it, ` +
        "test_id only those that keep it.";
}

/** Three classes of each factor that varies; the sample draws them, the same ones for every study. */
function studyClassesOf(
  { classes, sample, vary, predict }: DiagvibStudySettings,
  known: ChosenClasses,
  correlations: readonly Correlation[],
): ChosenClasses {
  const varies = (factor: FactorName) =>
    paperFactors.some((name) => name === factor) ||
    vary.some((name) => name === factor) ||
    predict.includes(factor) ||
    correlations.some(({ of, cues }) => of === factor || cues.includes(factor));
  return chosenFactorClasses(
    known,
    Object.fromEntries(factorNames.map((factor) => [factor, threeOrNone(factor, classes[factor])])),
    (factor) => {
      if (!varies(factor)) return known[factor].slice(0, 1);
      if (known[factor].length < studyClasses) {
        throw new CuelabError({
          kind: "input",
          what: `a study needs ${studyClasses} classes of ${factor}`,
          got: `${known[factor].length}: ${known[factor].join(", ")}`,
        });
      }
      const order = randomStream(sample, `diagvib-study/classes/${factor}`)
        .at(0)
        .permutation(known[factor].length);
      return Array.from(order.subarray(0, studyClasses), (position) => known[factor][position]!);
    },
  );
}

function threeOrNone(
  factor: FactorName,
  names: readonly string[] | undefined,
): readonly string[] | undefined {
  if (names === undefined || names.length === studyClasses) return names;
  throw new CuelabError({
    kind: "usage",
    what: `classes.${factor} lists ${names.length} classes`,
    expected: `${studyClasses}, as every study has`,
    got: names.join(","),
  });
}

interface MadeSplit {
  split: SplitClasses;
  /** For each image, which correlations it breaks, one bit each. */
  broken: Uint16Array;
}

/** Training and validation follow the pattern; `test` has what breaks it and `test_id` what does not. */
function splitsOf(
  { count }: DiagvibStudySettings,
  classes: ChosenClasses,
  correlated: CorrelatedClasses,
  seed: number,
): MadeSplit[] {
  const { training, broken } = correlated;
  const make = (name: string, part: TexturePart, images: number, joint: Joint) =>
    makeSplit({ name, part, count: images }, joint, classes, correlated, seed);
  const following = [make("train", "train", count.train, training), make("val", "val", count.val, training)];
  const breaking = breakingJoint(correlated);
  if (breaking === undefined) return [...following, make("test", "test", count.test, training)];
  const keeping: Joint = {
    sizes: training.sizes,
    share: (combination) => (broken(combination) === 0 ? training.share(combination) : 0),
  };
  return [
    ...following,
    make("test", "test", count.test, breaking),
    make("test_id", "test", count.testId, keeping),
  ];
}

/**
 * All combinations that break a correlation: every set of broken correlations equally often, and every combination
 * of a set. Undefined where nothing can be broken.
 */
function breakingJoint({ training, broken }: CorrelatedClasses): Joint | undefined {
  const inSet = new Map<number, number>();
  let combinations: number[][] = [[]];
  for (const size of training.sizes)
    combinations = combinations.flatMap((start) => Array.from({ length: size }, (_, c) => [...start, c]));
  for (const combination of combinations) {
    const set = broken(combination);
    if (set !== 0) inSet.set(set, (inSet.get(set) ?? 0) + 1);
  }
  if (inSet.size === 0) return undefined;
  return {
    sizes: training.sizes,
    share: (combination) => {
      const size = inSet.get(broken(combination));
      return size === undefined ? 0 : 1 / size;
    },
  };
}

function makeSplit(
  { name, part, count }: Pick<SplitClasses, "name" | "part" | "count">,
  joint: Joint,
  classes: ChosenClasses,
  { variables, broken }: CorrelatedClasses,
  seed: number,
): MadeSplit {
  const free = factorNames.filter((factor) => !variables.flat().includes(factor));
  const width = variables.length + free.length;
  const rows = assign(
    count,
    joint,
    free.map((factor) => classes[factor].length),
    randomStream(seed, `diagvib-study/classes/${name}`),
  );
  return {
    split: { name, part, count, classes: factorColumns(rows, [...variables, ...free]) },
    broken: Uint16Array.from({ length: count }, (_, i) =>
      broken(Array.from(rows.subarray(i * width, i * width + variables.length))),
    ),
  };
}

function brokenAttribute(correlations: readonly Correlation[], values: readonly number[]): Attribute {
  const sets = Array.from({ length: 2 ** correlations.length }, (_, bits) => bits);
  return {
    values: Uint16Array.from(values),
    valueNames: sets.map(
      (bits) =>
        correlations
          .filter((_, k) => bits & (2 ** k))
          .map(({ name }) => name)
          .join(" and ") || "none",
    ),
    role: "other",
    description: "the cues whose class does not go with that of their factor",
  };
}
