/** What is kept of a model's verdicts: counts, and sums of probabilities and of how marks change them. */

import type {
  AnsweredImages,
  ChangedImages,
  ChangeName,
  MarkContent,
  MarkedImages,
} from "./predictions-job.ts";
import type { ImageVerdict } from "./verdicts.ts";

interface SumsOfMark {
  correct: number;
  gained: number;
  lost: number;
  /** By class: over all images, with squares for the deviation; then over its own images. */
  change: Float64Array;
  squares: Float64Array;
  ownChange: Float64Array;
  classCorrect: Uint32Array;
  classGained: Uint32Array;
  classLost: Uint32Array;
}

export interface SumsNames {
  classNames: readonly string[];
  marks: readonly MarkContent[];
  changes?: readonly ChangeName[];
  groups: readonly Readonly<Record<string, string>>[];
}

export class PredictionSums {
  #images = 0;
  #correct = 0;
  readonly #classImages: Uint32Array;
  readonly #classCorrect: Uint32Array;
  readonly #probability: Float64Array;
  readonly #groupImages: Uint32Array;
  readonly #groupCorrect: Uint32Array;
  readonly #marks: SumsOfMark[];
  readonly #changes: Omit<ChangedImages, "change">[];

  constructor(classes: number, marks: number, groups: number, changes = 0) {
    this.#classImages = new Uint32Array(classes);
    this.#classCorrect = new Uint32Array(classes);
    this.#probability = new Float64Array(classes);
    this.#groupImages = new Uint32Array(groups);
    this.#groupCorrect = new Uint32Array(groups);
    this.#marks = Array.from({ length: marks }, () => ({
      correct: 0,
      gained: 0,
      lost: 0,
      change: new Float64Array(classes),
      squares: new Float64Array(classes),
      ownChange: new Float64Array(classes),
      classCorrect: new Uint32Array(classes),
      classGained: new Uint32Array(classes),
      classLost: new Uint32Array(classes),
    }));
    this.#changes = Array.from({ length: changes }, () => ({ correct: 0, byControl: 0, gained: 0, lost: 0 }));
  }

  /** One image, as it is, with each mark, and by each change and its control. */
  add(
    label: number,
    group: number,
    plain: ImageVerdict,
    marked: readonly ImageVerdict[],
    changed: readonly (readonly [ImageVerdict, ImageVerdict])[] = [],
  ): void {
    for (const [c, [one, control]] of changed.entries()) {
      const sums = this.#changes[c]!;
      const [by, without] = [one.predicted === label, control.predicted === label].map(Number) as [
        number,
        number,
      ];
      sums.correct += by;
      sums.byControl += without;
      sums.gained += by && !without ? 1 : 0;
      sums.lost += without && !by ? 1 : 0;
    }
    const right = plain.predicted === label;
    this.#images++;
    this.#classImages[label]!++;
    this.#groupImages[group]!++;
    if (right) {
      this.#correct++;
      this.#classCorrect[label]!++;
      this.#groupCorrect[group]!++;
    }
    for (const [c, p] of plain.probabilities.entries()) this.#probability[c]! += p;
    for (const [m, { predicted, probabilities }] of marked.entries()) {
      const sums = this.#marks[m]!;
      const stays = predicted === label;
      if (stays) {
        sums.correct++;
        sums.classCorrect[label]!++;
      }
      if (stays && !right) {
        sums.gained++;
        sums.classGained[label]!++;
      }
      if (right && !stays) {
        sums.lost++;
        sums.classLost[label]!++;
      }
      for (const [c, p] of probabilities.entries()) {
        const change = p - plain.probabilities[c]!;
        sums.change[c]! += change;
        sums.squares[c]! += change * change;
      }
      sums.ownChange[label]! += probabilities[label]! - plain.probabilities[label]!;
    }
  }

  answer({ classNames, marks, changes = [], groups }: SumsNames): AnsweredImages {
    return {
      images: this.#images,
      correct: this.#correct,
      groups: groups.map((values, g) => ({
        values,
        images: this.#groupImages[g]!,
        correct: this.#groupCorrect[g]!,
      })),
      classes: classNames.map((name, c) => ({
        name,
        images: this.#classImages[c]!,
        correct: this.#classCorrect[c]!,
        probability: this.#probability[c]! / this.#images,
      })),
      marks: marks.map((mark, m) => this.#marked(mark, this.#marks[m]!)),
      ...(changes.length > 0 && {
        changes: changes.map((change, c) => ({ change, ...this.#changes[c]! })),
      }),
    };
  }

  #marked(mark: MarkContent, sums: SumsOfMark): MarkedImages {
    const { correct, gained, lost } = sums;
    const n = this.#images;
    return {
      mark,
      correct,
      gained,
      lost,
      classes: Array.from(sums.change, (total, c) => {
        const change = total / n;
        const variance = n > 1 ? Math.max(0, (sums.squares[c]! - n * change * change) / (n - 1)) : 0;
        const own = this.#classImages[c]!;
        return {
          change,
          deviation: Math.sqrt(variance),
          ownChange: own === 0 ? 0 : sums.ownChange[c]! / own,
          correct: sums.classCorrect[c]!,
          gained: sums.classGained[c]!,
          lost: sums.classLost[c]!,
        };
      }),
    };
  }
}
