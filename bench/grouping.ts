/**
 * Cost of grouping rows by class and attributes: time for one margin of three columns, and beside it another checkout's
 * way to count and number the same groups.
 *
 *   npm run bench:grouping                        ten million rows
 *   npm run bench:grouping -- --beside <checkout> and, in turns, that checkout's built code
 *
 * The columns: ten classes × ten × a hundred values (dense), the same with 60,000 values in the last (sparse), and sixteen
 * overlapping groups of two classes and eight attributes of yes and no, like CivilComments'.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Columns } from "../src/core/group-axes.ts";
import { byAppearance, type Grouping, groupsOf } from "../src/core/grouping.ts";
import { randomStream } from "../src/core/random.ts";

const rows = 10_000_000;
const rounds = 5;

type Task = () => number;

/** What commit a881b01 has of it. */
interface OtherCheckout {
  groupCounts: (dataset: object, names: readonly string[]) => { occupied: number };
  explicitGroups: (
    dataset: object,
    explicit: readonly string[],
    rows: Uint32Array,
  ) => { groups: { sizes: ArrayLike<number> } };
}

const beside = process.argv.includes("--beside") ? process.argv.at(-1) : undefined;
const other = beside === undefined ? undefined : await otherCheckout(beside);
const all = Uint32Array.from({ length: rows }, (_, i) => i);

for (const [name, size] of [
  ["dense", 100],
  ["sparse", 60_000],
] as const) {
  const columns = columnsOf({ place: 10, size });
  const by = ["class", "place", "size"];
  const dataset = { ...columns, splits: { names: ["train"], values: new Uint8Array(rows) } };
  report(
    `${name}, counted`,
    () => groupsOf(columns, { by }).sizes.length,
    other && (() => other.groupCounts(dataset, ["place", "size"]).occupied),
  );
  report(
    `${name}, numbered by appearance`,
    () => byAppearance(groupsOf(columns, { by }, all)).sizes.length,
    other && (() => other.explicitGroups(dataset, ["place", "size"], all).groups.sizes.length),
  );
}
const names = Array.from({ length: 8 }, (_, i) => `group${i}`);
const overlapping: Grouping = { by: ["class", ...names], overlapping: true };
const comments = columnsOf(Object.fromEntries(names.map((name) => [name, 2])), 2);
report("sixteen overlapping groups with members", () => {
  const groups = groupsOf(comments, overlapping);
  for (const code of groups.sizes.keys()) groups.members(code);
  return groups.sizes.length;
});

/** Medians of rounds in turns. */
function report(name: string, ours: Task, theirs?: Task): void {
  const times: [number[], number[]] = [[], []];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [which, task] of [ours, theirs].entries()) {
      if (task === undefined) continue;
      const start = performance.now();
      const groups = task();
      times[which]!.push(performance.now() - start);
      if (which === 0) found = groups;
      else if (groups !== found) throw new Error(`${groups} groups beside ${found}`);
    }
  }
  const [own, others] = times.map((list) => list.sort((a, b) => a - b)[Math.floor(rounds / 2)]) as [
    number,
    number?,
  ];
  const compared =
    others === undefined ? "" : `; beside it ${others.toFixed(0)} ms, ${(others / own).toFixed(1)} × as long`;
  console.log(
    `${name}: ${found.toLocaleString("en")} groups of ${rows.toLocaleString("en")} rows in ${own.toFixed(0)} ms${compared}`,
  );
}

function columnsOf(sizes: Readonly<Record<string, number>>, classes = 10): Columns {
  const column = (name: string, size: number) => {
    const random = randomStream(1, `bench/${name}`).at(0);
    return {
      values: Uint16Array.from({ length: rows }, () => random.integer(size)),
      valueNames: Array.from({ length: size }, (_, i) => String(i)),
      role: "cue",
    };
  };
  const { values, valueNames } = column("class", classes);
  return {
    labels: values,
    classNames: valueNames,
    attributes: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, column(name, size)])),
  };
}

async function otherCheckout(folder: string): Promise<OtherCheckout> {
  const part = async (path: string) =>
    (await import(pathToFileURL(resolve(folder, "dist/src", path)).href)) as OtherCheckout;
  const [{ groupCounts }, { explicitGroups }] = await Promise.all([
    part("core/cue-statistics.js"),
    part("training/groups.js"),
  ]);
  return { groupCounts, explicitGroups };
}
