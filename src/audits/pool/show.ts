/** What a pool is and what its accuracies say, in sections and as plain data. */

import { firstNames } from "../../core/group-words.ts";
import { countCell, type Section, type Table } from "../../core/section.ts";
import type { MadePool } from "../../pools/make-pool.ts";
import { fewImages } from "../line/measured-images.ts";
import { showLine } from "../line/show.ts";
import type { PoolAnswer } from "./audit.ts";

/** Beyond these, how many more. */
const mostNamed = 8;

export function showPool({ pool, line }: PoolAnswer): Section[] {
  return [
    {
      name: "environments",
      heading: "Environments",
      tables: [environmentTable(pool)],
      remarks: [`${pool.points.toLocaleString("en")} checkpoints in ${pool.csv}`, ...poolRemarks(pool)],
    },
    ...showLine(line),
  ];
}

/** Images of each environment, and of each group in it that is fitted: of a few, accuracies come in coarse steps. */
function environmentTable({ plan: { environments, attribute }, measured: { sets } }: MadePool): Table {
  return {
    name: "environments",
    caption: "",
    columns: ["", attribute ?? "split", "group", "in", "out"].map((title) => ({ title })),
    rows: environments.flatMap(({ name, inPart, outPart }, i) => [
      {
        cells: [
          `env${i}`,
          name,
          "",
          inPart.length === 0 ? null : countCell(inPart.length),
          countCell(outPart.length),
        ],
      },
      ...sets
        .filter((set) => set.environment === i && set.part === "out" && set.group !== undefined)
        .map(({ column, indices }) => ({ cells: ["", "", column, null, countCell(indices.length)] })),
    ]),
  };
}

function poolRemarks(pool: MadePool): string[] {
  const { measured, missing, networks, inTable, leftOut, folds } = pool;
  const empty = measured.empty.map(({ column }) => column);
  const number = (value: number) => value.toLocaleString("en");
  const of = folds.length === 1 ? "of one fold" : `of ${folds.length} folds`;
  return [
    ...(empty.length === 0 ? [] : [`groups without images have no column: ${firstNames(empty)}`]),
    ...fewImages(measured.sets.map(({ column, indices }) => ({ column, images: indices.length }))),
    ...(missing.length === 0
      ? []
      : [`too few classifiers to have any of: ${missing.join(", ")}; more --classifiers add them`]),
    ...failureRemarks(networks.failed),
    // What an earlier command made and this one did not ask for.
    ...(leftOut === 0
      ? []
      : [
          `the table has ${number(inTable)} classifiers ${of}; ${number(leftOut)} classifiers that are there are not in it, ` +
            "since fewer, another --hold-out or other networks were asked for; they are kept",
        ]),
  ];
}

/** Such as a loss that exploded. */
function failureRemarks(failed: MadePool["networks"]["failed"]): string[] {
  if (failed.length === 0) return [];
  const more = failed.length > mostNamed ? `, and ${failed.length - mostNamed} more` : "";
  const named = failed
    .slice(0, mostNamed)
    .map(({ classifier, heldOut, error }) => `${classifier} without ${heldOut}: ${error.split("\n")[0]}`);
  return [`networks that failed and are not in the table: ${failed.length} (${named.join("; ")}${more})`];
}

/** All of it, for programs. */
export function poolData({ pool, line }: PoolAnswer): object {
  const { id, plan, folds, measured, points, missing, trained, inTable, leftOut, csv, parquet } = pool;
  const { environments, attribute = null } = plan;
  const named = (positions: readonly number[]) => positions.map((i) => environments[i]!.name);
  return {
    id,
    csv,
    parquet,
    trained,
    table: { classifiers: inTable, leftOut },
    missing,
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
    remarks: poolRemarks(pool),
    line: line.report,
  };
}
