/** Puts a dataset together from classes that were assigned to its images, for `diagvib` and `diagvib-study`. */

import type { Attribute, AttributeRole, Dataset, Provenance } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { type FactorName, factorMeanings, factorNames } from "./factors.ts";
import type { TexturePart } from "./textures.ts";
import type { DiagvibWorld } from "./world.ts";

/** The classes that a factor may take in this dataset, by name. */
export type ChosenClasses = Record<FactorName, readonly string[]>;

/** One split: for each image and factor the position of its class among the chosen ones. */
export interface SplitClasses {
  name: string;
  part: TexturePart;
  count: number;
  classes: Record<FactorName, Uint8Array>;
}

export interface AssembleOptions {
  name: string;
  canvas: number;
  chosen: ChosenClasses;
  splits: readonly SplitClasses[];
  /** The label is the class of this factor, or the combination of several. */
  predict: readonly FactorName[];
  roleOf(factor: FactorName): AttributeRole;
  /** The class of a factor that goes with each label, where there is one. */
  classValuesOf(factor: FactorName, classesOfLabel: ClassesOfLabel): readonly number[] | undefined;
  attributes?: Record<string, Attribute>;
  provenance: Omit<Provenance, "sources" | "license" | "skipped">;
}

/** For each label, the position of the class that it means for a predicted factor. */
type ClassesOfLabel = (factor: FactorName) => number[];

export function assemble(world: DiagvibWorld, options: AssembleOptions): Dataset {
  const { chosen, splits, predict } = options;
  const count = splits.reduce((sum, split) => sum + split.count, 0);
  const column = (factor: FactorName) =>
    joined(
      splits.map(({ classes }) => classes[factor]),
      count,
    );
  const columns = Object.fromEntries(factorNames.map((factor) => [factor, column(factor)])) as Record<
    FactorName,
    Uint16Array
  >;
  const { labels, classNames, classesOfLabel } = labelsOf(predict, chosen, columns, count);
  const splitOf = Uint8Array.from(splits.flatMap((split, code) => Array<number>(split.count).fill(code)));
  const starts = splits.map((_, i) => splits.slice(0, i).reduce((sum, split) => sum + split.count, 0));
  return {
    name: options.name,
    images: {
      count,
      shape: { height: options.canvas, width: options.canvas, channels: 3 },
      describe: (index) => `${options.name} image ${index}`,
      pixels: (index) => {
        const code = splitOf[index]!;
        const { name: split, part } = splits[code]!;
        const place = { split, part, position: index - starts[code]! };
        return world.draw(place, (factor) => chosen[factor][columns[factor][index]!]!);
      },
    },
    labels,
    classNames,
    attributes: {
      ...Object.fromEntries(
        [...predict, ...factorNames.filter((factor) => !predict.includes(factor))]
          .filter((factor) => chosen[factor].length > 1 || predict.includes(factor))
          .map((factor) => {
            const classValues = options.classValuesOf(factor, classesOfLabel);
            return [
              factor,
              {
                values: columns[factor],
                valueNames: chosen[factor],
                role: options.roleOf(factor),
                description: factorMeanings[factor],
                ...(classValues === undefined ? {} : { classValues }),
              },
            ];
          }),
      ),
      ...options.attributes,
    },
    splits: { names: splits.map(({ name }) => name), values: splitOf },
    provenance: {
      ...options.provenance,
      sources: [world.digits.train.source, world.digits.test.source, world.textures.source],
      license:
        world.textures.source.license === "yours"
          ? "CC BY-SA 3.0 (MNIST), and your textures' own"
          : "CC BY-SA 3.0",
      skipped: [],
    },
  };
}

function joined(parts: readonly Uint8Array[], count: number): Uint16Array {
  const whole = new Uint16Array(count);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** More combined labels than this cannot be meant; beyond 65,535 they could not be stored. */
const mostLabels = 10_000;

/** One factor's classes, or all combinations of several factors' classes, the last factor's changing fastest. */
function labelsOf(
  predict: readonly FactorName[],
  chosen: ChosenClasses,
  columns: Record<FactorName, Uint16Array>,
  count: number,
): { labels: Uint16Array; classNames: string[]; classesOfLabel: ClassesOfLabel } {
  const product = predict.reduce((total, factor) => total * chosen[factor].length, 1);
  if (product > mostLabels || new Set(predict).size < predict.length) {
    throw new CuelabError({
      kind: "usage",
      what: `cannot predict ${predict.join(", ")}`,
      expected: `different factors with at most ${mostLabels.toLocaleString("en")} combinations of their classes`,
      got: product > mostLabels ? `${product.toLocaleString("en")} combinations` : "a factor twice",
      todo: "predict fewer factors, or fewer of their classes with --set classes.<factor>=…",
    });
  }
  const labels = new Uint16Array(count);
  let combinations: number[][] = [[]];
  for (const factor of predict) {
    const size = chosen[factor].length;
    for (let i = 0; i < count; i++) labels[i] = labels[i]! * size + columns[factor][i]!;
    combinations = combinations.flatMap((classes) =>
      Array.from({ length: size }, (_, code) => [...classes, code]),
    );
  }
  const nameOf = (code: number, position: number) => chosen[predict[position]!][code]!;
  return {
    labels,
    classNames: combinations.map((classes) =>
      predict.length === 1
        ? nameOf(classes[0]!, 0)
        : classes.map((code, i) => `${predict[i]} ${nameOf(code, i)}`).join(", "),
    ),
    classesOfLabel: (factor) => combinations.map((classes) => classes[predict.indexOf(factor)]!),
  };
}
