/** A few images on which whole runs of a method take moments: four of each class and cue for each split. */

import type { Dataset } from "../core/dataset.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { subset } from "../images/change-dataset.ts";
import type { Supervision } from "../methods/method.ts";

/** Training images, each once. */
const some = 16;

interface Source {
  name: string;
  /** Assignments beside those of the dataset's small form. */
  set: readonly string[];
  cue: string;
  /** At which they are learnt by heart. */
  rate: number;
}

/** With masks and boxes beside the images where a method asks for any. */
export function sourceFor({ sides, boxes }: Supervision): Source {
  return sides === undefined && boxes === undefined
    ? { name: "colored-mnist", set: ["size=14"], cue: "color", rate: 0.02 }
    : // Groups of both cues together, so that each class has both backgrounds.
      { name: "urban-cars", set: ["bgCorrelation=0.5", "backgroundHaze=0"], cue: "background", rate: 0.0005 };
}

const built = new Map<string, Promise<Dataset>>();

/** Training images, other ones for validation, and the training images again for test. */
export async function handful(supervision: Supervision): Promise<Dataset> {
  const { name, set, cue } = sourceFor(supervision);
  const definition = datasets.get(name);
  const known =
    built.get(name) ??
    definition.build(parseAssignments(definition.settings, [...definition.small, ...set]), 0);
  built.set(name, known);
  const dataset = await known;
  const { values } = dataset.attributes[cue]!;
  const groups = [0, 1, 2, 3].map((group) =>
    [...dataset.labels.keys()]
      .filter((i) => 2 * dataset.labels[i]! + values[i]! === group)
      .slice(0, some / 2),
  );
  const first = groups.flatMap((group) => group.slice(0, some / 4));
  const others = groups.flatMap((group) => group.slice(some / 4));
  return inSplits(dataset, [first, others, first]);
}

function inSplits(dataset: Dataset, parts: readonly (readonly number[])[]): Dataset {
  const values = Uint8Array.from(parts.flatMap((part, split) => part.map(() => split)));
  return { ...subset(dataset, parts.flat()), splits: { names: ["train", "val", "test"], values } };
}

export interface Relabelled {
  split: "train" | "val" | "test";
  what: "cues" | "classes";
}

/** The same images with other labels of these kinds. Each class and cue stays to be found. */
export function relabelled(dataset: Dataset, kinds: readonly Relabelled[]): Dataset {
  const { splits, labels, attributes } = dataset;
  const isTurned = (i: number, asked: Relabelled["what"]) =>
    kinds.some(({ split, what }) => what === asked && split === splits.names[splits.values[i]!]);
  const turned = Object.entries(attributes).map(([name, attribute]) => [
    name,
    {
      ...attribute,
      values: attribute.values.map((value, i) =>
        attribute.role === "cue" && attribute.valueNames.length === 2 && isTurned(i, "cues") && i % 8 < 2
          ? 1 - value
          : value,
      ),
    },
  ]);
  return {
    ...dataset,
    labels: labels.map((label, i) => (isTurned(i, "classes") ? 1 - label : label)),
    attributes: Object.fromEntries(turned) as Dataset["attributes"],
  };
}
