/** What the measured properties of some images tell of their classes: findings with examples, and tiny classifiers. */

import type { Dataset } from "../../core/dataset.ts";
import type { AuditHooks } from "../audit.ts";
import type { Discovery, ExampleLists, ShownImages } from "./answer.ts";
import { folds, tinyClassifier } from "./classifiers/tiny-classifiers.ts";
import { tinyInputs } from "./classifiers/tiny-inputs.ts";
import { examplesOf } from "./examples.ts";
import { nameOf } from "./grouping/leaks.ts";
import { foldsOf, type Units } from "./grouping/units.ts";
import type { FeatureColumn } from "./measuring/feature-columns.ts";
import type { MeasuredProperties } from "./measuring/measure-images.ts";
import { properties } from "./properties/index.ts";
import { someUnits } from "./testing/explain.ts";
import { findShortcuts, type ShortcutsFound, type Thresholds } from "./testing/find-shortcuts.ts";
import { cutProperty } from "./testing/parts.ts";

export interface DiscoverSubject {
  dataset: Dataset;
  rows: readonly number[];
  clusters: Uint32Array;
  units: Units;
  thresholds: Thresholds;
  /** Of the images as they are, so that halves and folds stay what they were when something is taken away. */
  digests: Uint32Array;
}

export async function judged(
  { dataset, rows, clusters, units, thresholds, digests }: DiscoverSubject,
  measured: MeasuredProperties,
  features: readonly FeatureColumn[],
  { signal, onProgress }: AuditHooks,
): Promise<{ discovery: Discovery; found: ShortcutsFound; shown: ShownImages["examples"] }> {
  const labels = Uint16Array.from(units.images, (index) => dataset.labels[index]!);
  const columns = [
    ...properties.map((property, p) => ({ property, column: measured.columns[p]! })),
    ...features,
  ];
  const cuts = columns.flatMap(
    ({ property, column }) => cutProperty(property, column, units.images, units.chosen) ?? [],
  );
  const search = {
    cuts,
    labels,
    chosen: units.chosen,
    classes: dataset.classNames.length,
    thresholds,
  };
  const found = await findShortcuts(search);
  const lists = new Map<number, number[]>();
  for (const { label } of found.found) if (!lists.has(label)) lists.set(label, someUnits(search, label));
  const examples = found.found.map((each) =>
    examplesOf(each, cuts, lists.get(each.label) ?? [], units.images, labels),
  );
  const name = (index: number) => nameOf(dataset.images, index);
  const drawn = rows.filter((index) => measured.drawn[index]! >= 0);
  const task = {
    labels: drawn.map((index) => dataset.labels[index]!),
    classes: dataset.classNames.length,
    folds: foldsOf(drawn, clusters, digests, folds),
    clusters: drawn.map((index) => clusters[index]!),
  };
  const inputs = tinyInputs(measured, drawn);
  const classifiers = [];
  for (const [i, input] of inputs.entries()) {
    onProgress?.("tiny classifiers", i, inputs.length, "classifiers");
    classifiers.push(await tinyClassifier(input, task, signal));
  }
  onProgress?.("tiny classifiers", inputs.length, inputs.length, "classifiers");
  return {
    found,
    shown: examples,
    discovery: {
      tests: found.tests,
      findings: found.found.map((each, i) => ({
        property: cuts[each.cut]!.property.name,
        of: cuts[each.cut]!.property.of,
        class: dataset.classNames[each.label]!,
        statement: each.words,
        ...each.measured,
        explainedBy:
          each.explainedBy === undefined ? null : cuts[found.found[each.explainedBy]!.cut]!.property.name,
        examples: mapLists(examples[i]!, name),
      })),
      classifiers: classifiers.filter((each) => each !== undefined),
      leftOut: [
        ...(measured.hasNames ? [] : [{ of: "name" as const, why: "the images have no files of their own" }]),
        ...(measured.hasFiles ? [] : [{ of: "file" as const, why: "no file holds the images as they are" }]),
      ],
    },
  };
}

function mapLists(
  { having, lacking, othersHaving, othersLacking }: ExampleLists<number>,
  name: (index: number) => string,
): ExampleLists<string> {
  return {
    having: having.map(name),
    lacking: lacking.map(name),
    othersHaving: othersHaving.map(name),
    othersLacking: othersLacking.map(name),
  };
}
