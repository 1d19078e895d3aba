/** Every metric. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { accAlpha } from "./acc-alpha.ts";
import { accuracy } from "./accuracy.ts";
import { baselineDifference } from "./baseline-difference.ts";
import { calibrationError } from "./calibration-error.ts";
import { classGap } from "./class-gap.ts";
import { cueGap } from "./cue-gap.ts";
import { cueGapChange } from "./cue-gap-change.ts";
import { groupAccuracy } from "./group-accuracy.ts";
import { headAccuracy } from "./head-accuracy.ts";
import { headTailMean } from "./head-tail-mean.ts";
import { inDistribution } from "./in-distribution.ts";
import { iosm } from "./iosm.ts";
import { majorityAccuracy } from "./majority-accuracy.ts";
import { meanIosm } from "./mean-iosm.ts";
import { meanPerGroup } from "./mean-per-group.ts";
import { minorityAccuracy } from "./minority-accuracy.ts";
import { mmd } from "./mmd.ts";
import { meanRelative, relativeError } from "./relative-error.ts";
import { tailAccuracy } from "./tail-accuracy.ts";
import { trainWeighted } from "./train-weighted.ts";
import { worstGroup } from "./worst-group.ts";

export const metrics = new Registry(
  "metric",
  [
    accuracy,
    meanPerGroup,
    trainWeighted,
    inDistribution,
    cueGap,
    cueGapChange,
    worstGroup,
    groupAccuracy,
    accAlpha,
    majorityAccuracy,
    minorityAccuracy,
    mmd,
    baselineDifference,
    classGap,
    iosm,
    meanIosm,
    headAccuracy,
    tailAccuracy,
    headTailMean,
    calibrationError,
    relativeError,
    meanRelative,
  ],
  { plugins: "metrics" },
);

export * from "./counts.ts";
export * from "./evaluation.ts";
export * from "./metric.ts";
