/** Which last layers are tried: a method with some settings, and how it learns. */

import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { methods } from "../../methods/index.ts";
import type { LastLayerChoice } from "../../training/last-layer-words.ts";
import type { RunSpecInput } from "../../training/run-spec.ts";

export interface HeadCandidate {
  method: string;
  /** Beside those that the user gave. */
  settings: Readonly<Record<string, unknown>>;
  /** In words, as tables have it. */
  words: string;
  layer: LastLayerChoice;
  /** Views that are kept, of which every image is one. */
  augment?: NonNullable<RunSpecInput["augment"]>;
}

/** How strongly the L1 of deep feature reweighting holds back, from hardly to much. */
const strengths = [1, 0.3, 0.1, 0.03, 0.01];
/** Li et al. 2023, Appendix B.3, have the lower three for ImageNet. */
const rates = [0.1, 0.01, 0.001];

/** Of each method some, in order; the first of equals is taken. */
export function candidatesOf(name: string, assignments: readonly string[]): HeadCandidate[] {
  const method = methods.get(name);
  // Misspelt ones are refused before anything is made.
  const given = parseAssignments(method.settings, assignments) as Readonly<Record<string, unknown>>;
  const own = Object.fromEntries(
    assignments.map((word) => word.split("=")[0]!.split(".")[0]!).map((key) => [key, given[key]]),
  );
  if (name === "dfr") {
    if (own.on === "val")
      throw new CuelabError({
        kind: "usage",
        what: "a repair tunes on images that it does not fit to",
        expected: "on=train: all of the part that is fitted to",
        todo: "leave on=val away",
      });
    const tried = own.strengths === undefined && own.form !== "sgd" ? strengths : [undefined];
    return tried.map((strength) => ({
      method: name,
      settings: { refits: 10, ...(strength !== undefined && { strengths: [strength] }), ...own },
      words: strength === undefined ? "as given" : `C=${strength}`,
      // The network before is the file's own: nothing is trained before its last layer is fitted.
      layer: { fromHead: true, optimiser: "sgd", lr: 1e-6, epochs: 1, batchSize: "full" },
    }));
  }
  return rates.map((rate) => ({
    method: name,
    settings: own,
    words: `rate ${rate}`,
    layer: { fromHead: true, optimiser: "sgd", lr: rate, weightDecay: 1e-4, epochs: 40 },
  }));
}
