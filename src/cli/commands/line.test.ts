/** The command as people type it, in this process. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cuelabHereWithNotes } from "../../../test/helpers/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "cuelab-line-command-"));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => cuelabHereWithNotes("line", ...args);

const table = join(folder, "table.csv");
const rows = Array.from({ length: 40 }, (_, i) => {
  const id = 0.5 + 0.01 * i;
  return `${id},${0.3 + 0.008 * i + 0.01 * ((7 * i) % 5)},${i % 2 ? "odd" : "even"}`;
});
writeFileSync(table, `${["val,shifted,kind", ...rows].join("\n")}\n`);

test("JSON has one object a split, with the promised keys", async () => {
  const { out } = await run(table, "--id", "val", "--ood", "shifted", "--by", "kind", "--json");
  const report = JSON.parse(out) as { splits: Record<string, unknown>[]; threshold: number };
  expect(report.splits).toHaveLength(3);
  for (const split of report.splits) {
    expect(Object.keys(split)).toEqual(
      expect.arrayContaining([
        "n",
        "r",
        "rLow",
        "rHigh",
        "slope",
        "intercept",
        "pValue",
        "stdErr",
        "verdict",
        "warnings",
      ]),
    );
  }
  expect(report).toMatchObject({ threshold: 0.3, rows: 40, transform: "probit", clip: [0.01, 0.99] });
  expect(report.splits[0]).toMatchObject({ n: 40, verdict: "misspecified", group: {} });
});

test("clusters are counted on the page, and tell that they are few", async () => {
  const { out } = await run(table, "--id", "val", "--ood", "shifted", "--cluster", "kind");
  expect(out).toContain("interval  of whole clusters drawn anew: rows with the same kind");
  expect(out).toMatch(/shifted +val +40 +2 +0\.9\d +-1\.00 to 1\.00 .* undecided +few-clusters/);
  expect(out).toContain("points are of 2 clusters, and an interval needs 5");
});

test("a value that is called all is not taken for all rows", async () => {
  const named = join(folder, "named.csv");
  writeFileSync(named, readFileSync(table, "utf8").replaceAll("even", "all"));
  const { out } = await run(named, "--id", "val", "--ood", "shifted", "--by", "kind");
  expect(out).toMatch(/shifted +val +\(all rows\) +40 /);
  expect(out).toMatch(/shifted +val +all +20 /);
});

test("the page, other scales and thresholds, and pictures", async () => {
  const plots = join(folder, "plots");
  const options = "--transform logit --clip 0.05,0.95 --threshold 0.999 --converge --interval bootstrap";
  const { out, notes } = await run(
    table,
    "--id",
    "val",
    "--ood",
    "shifted",
    ...options.split(" "),
    "--plots",
    plots,
  );
  expect(out).toContain("logit, clipped to 0.05 – 0.95");
  expect(out).toContain("R < 0.999 with its whole bootstrap interval");
  expect(out).toMatch(/shifted +val +40 +0\.9\d/);
  expect(out).toMatch(/well-specified/);
  expect(out).toContain("not reached");
  expect(notes).toBe(`2 pictures in ${plots}`);
  const pictures = readdirSync(plots).filter((name) => !name.startsWith("."));
  expect(pictures.sort()).toEqual(
    ["line", "residuals"].flatMap((kind) =>
      ["pdf", "png", "svg"].map((form) => `1-shifted-on-val-${kind}.${form}`),
    ),
  );
});

test("subgroups are in one picture, a colour each, under a title of one's own", async () => {
  const plots = join(folder, "subgroups");
  await run(
    table,
    "--id",
    "val",
    "--ood",
    "shifted",
    "--by",
    "kind",
    "--plots",
    plots,
    "--title",
    "My benchmark",
  );
  const svg = readFileSync(join(plots, "by-kind.svg"), "utf8");
  expect(svg).toContain("My benchmark");
  expect(svg).toMatch(/shifted by kind: \S+ R −?[01]\.\d\d, \S+ R −?[01]\.\d\d/);
  // Two lines and two bands, in two colours.
  for (const colour of ["#0072b2", "#d55e00"]) expect(svg).toContain(`stroke="${colour}"`);
  expect(readFileSync(join(plots, "by-kind.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
});

test("the paper's fit stands beside that of its dataset and environment", async () => {
  const paired = join(folder, "paired.csv");
  const line = (i: number, env: number) =>
    `0.${5000 + 37 * i + env},0.${3000 + 21 * i},${env},ERM,{},ColoredMNIST,2`;
  const lines = [0, 1].flatMap((env) => Array.from({ length: 20 }, (_, i) => line(i, env)));
  writeFileSync(
    paired,
    `${["x,y,train_env,algorithm,model_hparams,dataset,test_env", ...lines].join("\n")}\n`,
  );
  const { out } = await run(paired, "--published", "--json");
  const { splits } = JSON.parse(out) as { splits: { published: { r: number; id?: string } }[] };
  // Tables 5 and 6.
  expect(splits.map(({ published }) => [published.id, published.r])).toEqual([
    [undefined, -0.74],
    ["0", -0.82],
    ["1", -0.64],
  ]);
  expect((await run(paired, "--published")).out).toContain("-0.74");
});

test("wrong usage is refused", async () => {
  await expect(run(table, "--id", "val", "--ood", "shiftd")).rejects.toThrow(/did you mean "shifted"/);
  await expect(run(table, "--id", "val", "--ood", "shifted", "--threshold", "2")).rejects.toThrow(
    /threshold/,
  );
});

test("Waterbirds' groups: fits, the paper's beside them, pictures and the accuracies themselves", async () => {
  const images = Array.from({ length: 96 }, (_, i) => ({
    y: i % 2,
    place: (i >> 1) % 2,
    split: (i >> 2) % 3,
  }));
  const labels = join(folder, "metadata.csv");
  const rows = images.map(({ y, split, place }, i) => `${i},b/${i}.jpg,${y},${split},${place},/p/${i}.jpg`);
  writeFileSync(labels, `${["img_id,img_filename,y,split,place,place_filename", ...rows].join("\n")}\n`);
  const predictions = join(folder, "predictions");
  mkdirSync(predictions);
  for (let seed = 0; seed < 12; seed++) {
    for (const [split, name] of ["train", "val", "test"].entries()) {
      const lines = images.flatMap(({ y, split: of }, i) =>
        of === split ? [(7 * i + 5 * seed * (i % 5)) % 11 < 3 + (seed % 6) ? 1 - y : y] : [],
      );
      const file = `waterbirds_split:${name}_seed:${seed}_epoch:best_pred.csv`;
      writeFileSync(join(predictions, file), `${lines.join("\n")}\n`);
    }
  }
  const [plots, csv] = [join(folder, "group-plots"), join(folder, "accuracies.csv")];
  const asked = ["--labels", labels, "--id", "train", "--ood", "val+test", "--groups", "y,place"];
  const files = ["--plots", plots, "--write-accuracies", csv];
  const { out, notes } = await run(predictions, ...asked, "--published", ...files);
  expect(out).toMatch(/images +train +val\+test\n.*\nall +32 +64\nclass=0 place=0 +8 +16/);
  expect(out).toMatch(/val\+test class=1 place=1 +train +12 /);
  expect(out).toMatch(/of Table 25 compare R alone/);
  expect(notes).toMatch(/accuracies in .*accuracies.csv\n10 pictures/);
  expect(readFileSync(csv, "utf8")).toMatch(/^run,seed,epoch,test,test class=0 place=0,/);
  const pairs = await run(predictions, ...asked, "--group-pairs", "--published", "--json");
  const { splits } = JSON.parse(pairs.out) as {
    splits: { name: string; published: { r: number; idGroup?: string; oodGroup?: string } }[];
  };
  expect(splits).toHaveLength(1 + 4 + 16);
  const paper = (name: string) => splits.find((split) => split.name === name)!.published;
  // Table 24, Table 25 and Table 26: environment 0 is train, 1 the rest, a is the place.
  expect(paper("val+test on train")).toMatchObject({ r: 0.92 });
  expect(paper("val+test class=1 place=0 on train")).toMatchObject({ r: 0.84, oodGroup: "y=1,a=0" });
  expect(paper("val+test class=0 place=1 on train class=1 place=0")).toMatchObject({ r: -0.06 });
  // The same accuracies, by name; averages alone could be of any dataset.
  const wide = await run(csv, "--id", "train", "--ood", "val+test class*", "--published", "--json");
  const beside = (JSON.parse(wide.out) as { splits: { published: { r: number } }[] }).splits;
  expect(beside.map(({ published }) => published.r)).toEqual([-0.13, 0, 0.84, 0.81]);
  const alone = await run(csv, "--id", "train", "--ood", "val+test", "--published");
  expect(alone.out).toContain("none of these splits is in their tables");
}, 30_000);
