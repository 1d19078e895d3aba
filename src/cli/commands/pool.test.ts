/** The command as people type it, in this process. */

import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { cuelabHereWithNotes, cuelabHere as run } from "../../../test/helpers/in-process.ts";

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
  expect(page).toMatch(/environment .*\n.*\n(.*\n)*env2 +0\.9/);
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

const without = (...options: string[]) => {
  const from = small.indexOf(options[0]!);
  return small.toSpliced(from, options.length);
};

test("fewer classifiers or another environment: the table says what it leaves out", async () => {
  const out = join(root, "less");
  const again = async (...options: string[]) => {
    const words = [...without("--classifiers", "34").filter((word) => word !== "-q"), "--out", out];
    const { out: text } = await cuelabHereWithNotes(
      ..."pool run colored-mnist --json".split(" "),
      ...words,
      ...options,
    );
    const { table, remarks } = JSON.parse(text) as { table: object; remarks: string[] };
    return { table, remarks: remarks.join("\n") };
  };
  const first = await again("--hold-out", "0.9", "--classifiers", "6");
  expect(first.table).toEqual({ classifiers: 6, leftOut: 0 });
  expect(first.remarks).not.toContain("not in it");
  // Within one part of eight, by the table that was there; then a whole part, whatever the table had.
  expect((await again("--hold-out", "0.9", "--classifiers", "4")).table).toEqual({
    classifiers: 4,
    leftOut: 2,
  });
  expect((await again("--hold-out", "0.9", "--classifiers", "10")).table).toEqual({
    classifiers: 10,
    leftOut: 0,
  });
  for (let time = 0; time < 2; time++) {
    const less = await again("--hold-out", "0.9", "--classifiers", "6");
    expect(less.table).toEqual({ classifiers: 6, leftOut: 8 });
    expect(less.remarks).toContain("6 classifiers of one fold; 8 classifiers that are there are not in it");
  }
  const other = await again("--hold-out", "0.1", "--classifiers", "4");
  expect(other.table).toEqual({ classifiers: 4, leftOut: 16 });
  expect((await again("--hold-out", "0.9", "--classifiers", "10")).table).toEqual({
    classifiers: 10,
    leftOut: 8,
  });
});

test("a damaged pool.json, and a pool of other settings, are told apart; --force replaces both", async () => {
  const out = join(root, "damaged");
  const words = ["pool", "run", "colored-mnist", "--out", out, "--hold-out", "0.9", ...small];
  await run(...words);
  await expect(run(...words, "--seed", "3", "--first-step", "4")).rejects.toThrow(
    /another pool is there[\s\S]*firstStep: 10 there, 4 asked for; seed: 0 there, 3 asked for/,
  );
  const about = join(out, "pool.json");
  const whole = readFileSync(about, "utf8");
  writeFileSync(about, whole.slice(0, 40));
  writeFileSync(join(out, "accuracies.csv.cuelab-partial-77"), "half");
  await expect(run(...words)).rejects.toThrow(/which pool this is is damaged[\s\S]*--force/);
  await run(...words, "--force");
  expect(readFileSync(about, "utf8")).toBe(whole);
  expect(readdirSync(out).toSorted()).toEqual([
    "accuracies.csv",
    "accuracies.parquet",
    "manifest.json",
    "parts",
    "pool.json",
    "time.json",
  ]);
});

test("places that cannot be written to are told in words, before anything is trained", async () => {
  const file = join(root, "a-file");
  writeFileSync(file, "");
  const words = ["pool", "run", "colored-mnist", "--hold-out", "0.9", ...small];
  await expect(run(...words, "--out", file)).rejects.toThrow(/file already where a folder is needed/);
  const out = join(root, "unplotted");
  await expect(run(...words, "--out", out, "--plots", join(file, "x"))).rejects.toThrow(
    /a part of the path is a file/,
  );
  expect(readdirSync(root)).not.toContain("unplotted");
  const study = ["study", "run", "well-specified", "--out", file, "-q"];
  await expect(run(...study)).rejects.toThrow(/file already where a folder is needed/);
});

test.skipIf(process.getuid?.() === 0)("a folder that may only be read is told in words", async () => {
  const out = join(root, "read-only");
  mkdirSync(out);
  chmodSync(out, 0o500);
  await expect(run("pool", "run", "colored-mnist", "--out", out, ...small)).rejects.toThrow(
    /writing there is not allowed/,
  );
});

test("a network that does not fit is told before anything is made", async () => {
  const out = join(root, "misfit");
  await expect(
    run(
      ..."pool run colored-mnist --families logistic,cnn --networks vit-tiny:patch=3".split(" "),
      "--out",
      out,
      ...small,
    ),
  ).rejects.toThrow(/--networks vit-tiny:patch=<n>/);
  expect(readdirSync(root)).not.toContain("misfit");
});

test("checkpoints that fall together are counted, and the class may be named among groups", async () => {
  const words = [...without("--checkpoints", "2").filter((word) => word !== "-q"), "--json"];
  const { out, notes } = await cuelabHereWithNotes(
    ..."pool run colored-mnist --hold-out 0.9 --groups class,color --first-step 18 --checkpoints 9".split(
      " ",
    ),
    "--out",
    join(root, "together"),
    ...words,
  );
  expect(notes).toContain("of 9 checkpoints 3 remain, the others fall on the same steps: 18, 19, 20");
  const made = JSON.parse(out) as { checkpointSteps: number[]; groups: { group: object }[] };
  expect(made.checkpointSteps).toEqual([18, 19, 20]);
  expect(Object.keys(made.groups[0]!.group)).toEqual(["class", "color"]);
});

test.each([
  [["--first-step", "50"], /first checkpoint is after the last step[\s\S]*20 at most/],
  [["--ood-splits", "test", "--hold-out", "0.9"], /--ood-splits puts splits in the place of environments/],
  [["--ood-splits", "test", "--train-on", "0.1"], /--ood-splits puts splits in the place of environments/],
  [["--families", "cnn"], /--classifiers has no effect with family cnn alone/],
  [["--features", "network"], /none is named[\s\S]*--extractors/],
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
