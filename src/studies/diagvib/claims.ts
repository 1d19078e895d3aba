/** What Eulig et al. 2021 found, and what is asked beyond: how each is judged, written before the first run. */

import { judgedFamily, judgedRule } from "../judge.ts";
import type { RegisteredFinding } from "../study.ts";
import { leastLead } from "./rivals.ts";

/** In points: means of whole per cents over five samples are told apart no better, where "about" or "no improvement" is claimed. */
export const wideMargin = 10;

export const claims = {
  learned: "Without a shortcut every factor is told, texture least well (ZSO, Table A2)",
  sum: "What serves as a shortcut for another is not itself overridden by it: P_ij + P_ji is about 1 in ZGO, but for lightness and position",
  superposition: "Lightness and position are both learned: their P_ij + P_ji exceeds 1 in ZGO",
  position: "Position serves as a shortcut for every other factor in ZGO",
  texture: "Texture serves as a shortcut for no other factor in ZGO",
  order: "Position is the most robust factor in ZGO, and texture the most vulnerable (FAAvg, Table A3)",
  frozen:
    "A ResNet-50 frozen at ImageNet's weights tells position less well in ZGO than one trained from scratch (FAAvg)",
  instead: "Instead hue serves as a shortcut for position in the frozen ResNet-50 (ZGO)",
  coarse: "The lens and the autoencoders tell texture less well than ResNet-18 without a shortcut (ZSO)",
  more: "Three more combinations raise the accuracy on unseen ones (CGO-3 over ZGO, mean over pairs)",
  stay: "Shortcuts remain with three more combinations: hue for texture, and position for shape (CGO-3 below ZSO)",
  minimum:
    "For texture, shape and scale the worst cue leaves less than chance up to two more combinations (FAMin, CGO-2)",
  hybrid:
    "What other classes show of a factor does not help the coupled class, except of lightness (CHGO, Table 2)",
  rare: "A few violations raise the accuracy on them (FGO-5 over ZGO, mean over pairs)",
  often: "From 10% of violations on, no factor but texture is vulnerable (FGO-10, FGO-20 equivalent to ZSO)",
  frequency: "Rare violations are taken better than new combinations (FGO-5 over CGO-3, mean over pairs)",
  lens: "The lens fails to take violations of hue and lightness (FAAvg below RN18's, FGO-5)",
  winner: "Which of two cues wins is told by how they fare against each other, one cue at a time",
  stronger: "And by which of them overrides the predicted factor more, one cue at a time",
  line: "Pools of small classifiers are off the line where the network follows the cue, and on it where it does not (ZGO)",
  pictures:
    "With one picture a kind in all splits texture is told better than with pictures of their own in testing (ZSO)",
  methods:
    "No method against shortcuts takes opportunities better than the usual training (CGO-1 and FGO-10)",
} as const;
export type ClaimName = keyof typeof claims;

const told = `values are accuracies of dataset samples, which stand for seeds. Pairs with a factor whose accuracy in ZSO is not known to exceed chance by five points are left out, and so are rows in studies where they had not come to rest`;

/** What each compares; `judgedRule` says how. */
const compared: Readonly<Record<ClaimName, string>> = {
  learned: "For each factor but texture: its accuracy in ZSO less that of texture, claimed to be above 0.",
  sum: `For each two factors that were both predicted with the other as cue, but lightness and position: P_ij + P_ji − 1, claimed to be equivalent to none at a margin of ${wideMargin} points.`,
  superposition: "P_ij + P_ji − 1 of lightness and position, claimed to be above 0.",
  position:
    "For each other factor: its accuracy with position as cue in ZGO less chance, claimed to be below 0.",
  texture:
    "For each other factor: its accuracy with texture as cue in ZGO less chance, claimed to be above 0.",
  order:
    "FAAvg over all five cues in ZGO: position's less each other factor's, and each other factor's less texture's, claimed to be above 0.",
  frozen: "FAAvg of position over all five cues, RN50-IN less RN50, claimed to be below 0.",
  instead: "Accuracy of position with hue as cue in ZGO, RN50-IN, less chance, claimed to be below 0.",
  coarse: "Accuracy of texture in ZSO: of the lens, Factor-VAE and VAE less RN18's, claimed to be below 0.",
  more: "Mean over all pairs of accuracy in CGO-3 less that in ZGO, claimed to be above 0.",
  stay: "For (texture, hue) and (shape, position): accuracy in CGO-3 less that in ZSO, claimed to be below 0.",
  minimum: "For each of the three: FAMin over all five cues in CGO-2 less chance, claimed to be below 0.",
  hybrid: `For each predicted factor: mean over cues of the coupled class's accuracy in CHGO less the pair's in ZGO; claimed to be above 0 for lightness, and equivalent to none at a margin of ${wideMargin} points for all others.`,
  rare: "Mean over all pairs of accuracy in FGO-5 less that in ZGO, claimed to be above 0.",
  often: `For each predicted factor but texture: mean over cues of accuracy in FGO-10, and in FGO-20, less that in ZSO, claimed to be equivalent to none at a margin of ${wideMargin} points; for texture claimed to be below 0.`,
  frequency: "Mean over all pairs of accuracy in FGO-5 less that in CGO-3, claimed to be above 0.",
  lens: "FAAvg over all five cues at FGO-5, of hue and of lightness: the lens less RN18, claimed to be below 0.",
  winner: `Of other dataset samples than those whose pairs predict, mean over sets of two cues: accuracy where only the other cue is broken less that where only the predicted one is, claimed to be above 0. Predicted is the cue with the higher accuracy in ZGO when it is the factor and the other the cue; a lead below ${100 * leastLead} points predicts neither, and the set is left out.`,
  stronger:
    "The same; predicted is the cue with which the predicted factor has the lower accuracy in ZGO, by as large a lead.",
  line: "Not by seeds: pairs count whose accuracy in ZGO is beyond chance by Student's interval over samples, and whose pool is well-specified or misspecified by its clustered interval. Seen: all that fall below chance are well-specified, and all above misspecified. Contradicted: one is not. Pools that learned next to nothing are left out.",
  pictures:
    "Accuracy in ZSO with one picture a kind less that with several, claimed to be above 0; cannot be told where texture is learned with neither.",
  methods: `For each method and study: mean over pairs of its accuracy less that of ERM with the same sample, claimed to be below 0 or equivalent to none at the plan's margin.`,
};

export function registeredFindings(): RegisteredFinding[] {
  return (Object.keys(claims) as ClaimName[]).map((name) => ({
    claim: claims[name],
    rule: `${compared[name]} ${judgedRule}; ${told}`,
    family: judgedFamily,
  }));
}
