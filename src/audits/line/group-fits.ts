/** Which accuracies are fitted on which where predictions were counted by groups, as Salaudeen et al. do for Waterbirds. */

import { CuelabError } from "../../core/errors.ts";
import { firstNames } from "../../core/group-words.ts";
import { nearest } from "../../core/nearest.ts";
import type { AccuracyTable, MeasuredEnvironment } from "../../predictions/accuracies/column-table.ts";
import type { LineColumns } from "./layout.ts";

interface GroupFits {
  columns: LineColumns;
  /** Those that are ID or OOD. */
  environments: MeasuredEnvironment[];
  remarks: string[];
}

/**
 * OOD averages on ID averages (Table 24), the accuracy of each OOD group on ID averages (Table 25), and if asked for that
 * on the accuracy of each ID group (Table 26). Undefined where there are no groups.
 */
export function groupFits(
  table: AccuracyTable,
  columns: LineColumns & { groupPairs?: boolean | undefined },
): GroupFits | undefined {
  const { groupPairs = false, id, ood, ...rest } = columns;
  const { environments = [] } = table;
  if (!environments.some(({ groups }) => groups.length > 0)) {
    if (!groupPairs) return undefined;
    throw new CuelabError({ kind: "usage", what: "--group-pairs needs --groups or --overlapping" });
  }
  if (id === undefined || ood === undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "groups need both --id and --ood",
      expected: `environments among: ${environments.map(({ name }) => name).join(", ")}, or several joined by +`,
    });
  }
  const named = (name: string) =>
    environments.find((environment) => environment.name === name) ?? unknownEnvironment(table, name);
  const [home, abroad] = [id.map(named), ood.map(named)];
  const pairs = abroad.flatMap((there) => {
    const others = home.filter(({ name }) => name !== there.name);
    const averages = others.map(({ name }) => name);
    if (averages.length === 0) return [];
    const groups = occupied(there);
    return [
      { id: averages, ood: there.name },
      ...(averages.length > 1 ? averages.map((name) => ({ id: [name], ood: there.name })) : []),
      ...groups.map(({ column }) => ({ id: averages, ood: column })),
      ...(groupPairs
        ? groups.flatMap(({ column }) =>
            others.flatMap((one) => occupied(one).map((group) => ({ id: [group.column], ood: column }))),
          )
        : []),
    ];
  });
  if (pairs.length === 0)
    throw new CuelabError({ kind: "usage", what: "--ood needs other environments than --id" });
  const used = [...new Set([...home, ...abroad])];
  return {
    columns: { ...rest, pairs },
    environments: used,
    remarks: used.flatMap(({ name, groups }) => {
      const empty = groups.filter(({ images }) => images === 0).map((group) => group.name);
      return empty.length === 0 ? [] : [`no images in ${name}, so no fits: ${firstNames(empty)}`];
    }),
  };
}

function occupied({ groups }: MeasuredEnvironment) {
  return groups.filter(({ images }) => images > 0);
}

function unknownEnvironment({ path, environments = [] }: AccuracyTable, name: string): never {
  const names = environments.map((environment) => environment.name);
  const close = nearest(name, names);
  throw new CuelabError({
    kind: "usage",
    what: `there are no predictions for "${name}"`,
    where: path,
    expected: `one of: ${names.join(", ")}, or several joined by +`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
