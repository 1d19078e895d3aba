/** The command as people type it, in this process. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { cuelabHere as run } from "../../../test/helpers/in-process.ts";

const root = temporaryFolder();

const small =
  "--set trainPerEnvironment=60 --features pixels-2 --classifiers 34 --steps 20 --checkpoints 2 --workers 1 -q".split(
    " ",
  );

interface Split {
  ood: string;
  id: string[];
  r: number;
  rLow: number;
  n: number;
  clusters: number;
}

test("the table is what 'line' takes as it is, and gives the same fits", async () => {
  const out = join(root, "pool");
  const made = JSON.parse(await run("pool", "run", "colored-mnist", "--out", out, "--json", ...small)) as {
    csv: string;
    parquet: string;
    points: number;
    folds: unknown[];
    line: { splits: Split[] };
  };
  expect(made.points).toBe(3 * 34 * 2);
  expect(made.folds).toContainEqual({ trainedOn: ["0.1", "0.2"], heldOut: ["0.9"] });
  expect(made.line.splits).toHaveLength(9);
  // 34 classifiers are of five chunks of eight.
  expect(made.line.splits.map(({ clusters }) => clusters)).toEqual(Array(9).fill(5));
  for (const table of [made.csv, made.parquet]) {
    const { splits } = JSON.parse(await run("line", table, "--cluster", "draw", "--json")) as {
      splits: Split[];
    };
    const pick = ({ ood, id, r, rLow, n, clusters }: Split) => ({ ood, id, r, rLow, n, clusters });
    expect(splits.map(pick)).toEqual(made.line.splits.map(pick));
  }
});

test("train on one environment, all others being OOD, with pictures", async () => {
  const plots = join(root, "figures");
  const page = await run(
    "pool",
    "run",
    "colored-mnist",
    "--out",
    join(root, "one"),
    "--train-on",
    "0.1",
    "--plots",
    plots,
    ...small,
  );
  expect(page).toMatch(/env2 {2}environment 0\.9/);
  expect(page).toMatch(/env1_out_acc +env0_out_acc +68/);
  expect(page).toMatch(/env2_out_acc +env0_out_acc +68/);
  expect(readdirSync(plots).filter((name) => name.endsWith("-line.png"))).toHaveLength(2);
});

test("groups are fitted on the mean of ID, group on group, and by 'line' too", async () => {
  const grouped = ["--out", join(root, "groups"), "--hold-out", "0.9", "--groups", "color", "--group-pairs"];
  const made = JSON.parse(await run("pool", "run", "colored-mnist", ...grouped, ...small, "--json")) as {
    csv: string;
    groups: { column: string; environment: string; part: string; images: number }[];
    emptyGroups: unknown[];
    line: { splits: Split[] };
  };
  const inOut = (which: string) =>
    made.groups.filter(({ part, environment }) => part === "out" && environment === which);
  const groups = inOut("0.9");
  // Of twelve images none has a colour that is rare there.
  expect(groups.map(({ column }) => column)).toEqual([
    "env2_out_acc class=below_5 color=red",
    "env2_out_acc class=5_or_above color=green",
  ]);
  expect(made.emptyGroups).toContainEqual({
    column: "env2_out_acc class=below_5 color=green",
    environment: "0.9",
    part: "out",
    group: { class: "below 5", color: "green" },
  });
  // The mean and both environments, the two groups on the mean, and each of two on each of four.
  expect(inOut("0.2")).toHaveLength(4);
  expect(made.line.splits).toHaveLength(3 + 2 + 8);
  const ood = groups[1]!.column;
  const id = [0, 1].map((i) => ood.replace("env2", `env${i}`));
  const split = made.line.splits.find((one) => one.ood === ood && one.id.join() === id.join())!;
  const again = JSON.parse(await run("line", made.csv, "--id", id.join(","), "--ood", ood, "--json")) as {
    splits: Split[];
  };
  expect(again.splits[0]).toMatchObject({ id, r: split.r, n: 68 });
});

test.each([
  [["--families", "logistics"], /unknown family "logistics"[\s\S]*did you mean "logistic"/],
  [["--hold-out", "0.1", "--train-on", "0.2"], /cannot be told both/],
  [["--hold-out", "0.3"], /no environment is called "0.3"/],
  [["--groups", "colour"], /no attribute "colour"/],
  [["--group-pairs"], /--group-pairs needs groups/],
  [["--environment", "colour"], /no attribute "colour"/],
])("%j is refused", async (options, message) => {
  const out = join(root, "refused");
  await expect(run("pool", "run", "colored-mnist", "--out", out, ...small, ...options)).rejects.toThrow(
    message,
  );
});
