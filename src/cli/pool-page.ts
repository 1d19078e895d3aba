/** What `pool run` prints: environments and groups, notes, and the summary as JSON. */

import { fewImages } from "../audits/line/measured-images.ts";
import type { LineReport } from "../audits/line/report.ts";
import { firstNames } from "../core/group-words.ts";
import type { MadePool } from "../protocol/pool/make-pool.ts";
import type { MeasuredSet } from "../protocol/pool/measured-sets.ts";

/** Beyond these, how many more. */
const mostNamed = 8;

export function environmentLines({ plan, measured, points, csv }: MadePool): string {
  const { environments, attribute } = plan;
  const lines = environments.flatMap(({ name, inPart, outPart }, i) => {
    const title = attribute === undefined ? `split ${name}` : `${attribute} ${name}`;
    const parts =
      inPart.length === 0 ? `${count(outPart)} images` : `${count(inPart)} in, ${count(outPart)} out`;
    return [`env${i}  ${title} (${parts})`, ...groupLines(measured.sets, i)];
  });
  return [...lines, `${points.toLocaleString("en")} checkpoints in ${csv}`, ""].join("\n");
}

/** How many images each group has that is fitted: of a few, accuracies come in coarse steps. */
function groupLines(sets: readonly MeasuredSet[], environment: number): string[] {
  const groups = sets.filter(
    (set) => set.environment === environment && set.part === "out" && set.group !== undefined,
  );
  const width = Math.max(0, ...groups.map(({ indices }) => count(indices).length));
  return groups.map(({ column, indices }) => `      ${count(indices).padStart(width)} images  ${column}`);
}

/** What an earlier command made and this one did not ask for. */
export function leftOutNotes({ inTable, leftOut, folds }: MadePool): string[] {
  if (leftOut === 0) return [];
  const number = (value: number) => value.toLocaleString("en");
  const of = folds.length === 1 ? "of one fold" : `of ${folds.length} folds`;
  return [
    `the table has ${number(inTable)} classifiers ${of}; ${number(leftOut)} classifiers that are there are not in it, ` +
      "since fewer, another --hold-out or other networks were asked for; they are kept",
  ];
}

/** On a logarithmic scale of few steps, checkpoints fall together. */
export function checkpointNotes(asked: number, steps: readonly number[]): string[] {
  if (steps.length === asked) return [];
  const where = steps.length > mostNamed ? `${steps.slice(0, mostNamed).join(", ")}, …` : steps.join(", ");
  return [`of ${asked} checkpoints ${steps.length} remain, the others fall on the same steps: ${where}`];
}

export function emptyNotes({ measured: { empty } }: MadePool): string[] {
  const names = empty.map(({ column }) => column);
  return names.length === 0 ? [] : [`groups without images have no column: ${firstNames(names)}`];
}

export function fewNotes({ measured: { sets } }: MadePool): string[] {
  return fewImages(sets.map(({ column, indices }) => ({ column, images: indices.length })));
}

/** A few classifiers have not seen everything. */
export function missingNotes({ missing }: MadePool): string[] {
  return missing.length === 0
    ? []
    : [`too few classifiers to have any of: ${missing.join(", ")}; more --classifiers add them`];
}

/** Such as a loss that exploded. */
export function failureNotes({ networks: { failed } }: MadePool): string[] {
  if (failed.length === 0) return [];
  const lines = failed
    .slice(0, mostNamed)
    .map(({ classifier, heldOut, error }) => `  ${classifier} without ${heldOut}: ${error.split("\n")[0]}`);
  const more = failed.length > mostNamed ? [`  and ${failed.length - mostNamed} more`] : [];
  return [`networks that failed and are not in the table: ${failed.length}`, ...lines, ...more];
}

function count(part: Uint32Array): string {
  return part.length.toLocaleString("en");
}

/** What was asked for of each fold; undefined without networks. */
interface Asked {
  classifiers: number;
  cnns: number | undefined;
  checkpointSteps: readonly number[];
}

/** All of it, for --json. */
export function poolSummary(
  { id, plan, folds, measured, points, missing, trained, networks, inTable, leftOut, csv, parquet }: MadePool,
  { classifiers, cnns, checkpointSteps }: Asked,
  line: LineReport,
) {
  const { environments, attribute = null } = plan;
  const named = (positions: readonly number[]) => positions.map((i) => environments[i]!.name);
  return {
    id,
    csv,
    parquet,
    classifiers,
    trained,
    ...(cnns !== undefined && { cnns: { asked: cnns, ...networks } }),
    table: { classifiers: inTable, leftOut },
    missing,
    checkpointSteps,
    points,
    attribute,
    environments: environments.map(({ name, inPart, outPart }) => ({
      name,
      in: inPart.length,
      out: outPart.length,
    })),
    groups: measured.sets.flatMap(({ column, environment, part, group, indices }) =>
      group === undefined
        ? []
        : [{ column, environment: environments[environment]!.name, part, group, images: indices.length }],
    ),
    emptyGroups: measured.empty.map(({ column, environment, part, group }) => ({
      column,
      environment: environments[environment]!.name,
      part,
      group,
    })),
    folds: folds.map(({ training, shifted }) => ({ trainedOn: named(training), heldOut: named(shifted) })),
    line,
  };
}
