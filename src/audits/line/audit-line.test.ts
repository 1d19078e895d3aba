/** From tables to splits: which rows and columns each fit is of. The fits themselves are checked in fit.test.ts. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { type AuditLineOptions, auditLine } from "./audit-line.ts";
import { fitLine } from "./fit.ts";

const folder = mkdtempSync(join(tmpdir(), "cuelab-line-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Twelve models with accuracies in three environments; archs and weights go round. */
const random = randomStream(1, "line/audit-test").at(0);
const models = Array.from({ length: 12 }, (_, i) => {
  const skill = 0.5 + 0.04 * i;
  const env = [0, 1, 2].map((e) => Math.min(1, skill - 0.1 * e + 0.05 * random.uniform()));
  return { env, arch: ["a", "b"][i % 2]!, weight: 1 + (i % 3), test: i % 3 };
});

function table(name: string, header: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${[header, ...rows].join("\n")}\n`);
  return path;
}

const wide = table(
  "wide.csv",
  "env0_out_acc,env1_out_acc,env2_out_acc,arch,w",
  models.map(({ env, arch, weight }) => [...env, arch, weight].join()),
);

const audit = (tables: string | string[], options: Omit<AuditLineOptions, "tables"> = {}) =>
  auditLine({ tables: [tables].flat(), ...options });

type Model = (typeof models)[0];
const column = (of: (model: Model) => number, list = models) => Float64Array.from(list, of);
const env = (e: number) => (model: Model) => model.env[e]!;
const meanOf =
  (...list: number[]) =>
  (model: Model) =>
    list.reduce((sum, e) => sum + model.env[e]!, 0) / list.length;

test("several ID columns: their mean, and each", async () => {
  const { splits, rows } = await audit(wide, { id: ["env0_out_acc", "env1_out_acc"], ood: ["env2_out_acc"] });
  expect(rows).toBe(12);
  expect(splits.map(({ id }) => id)).toEqual([
    ["env0_out_acc", "env1_out_acc"],
    ["env0_out_acc"],
    ["env1_out_acc"],
  ]);
  const expected = [meanOf(0, 1), env(0), env(1)].map((id) => fitLine(column(id), column(env(2))));
  expect(splits).toMatchObject(expected);
  expect(splits[0]!.name).toBe("env2_out_acc on mean of env0_out_acc, env1_out_acc");
});

test("subgroups, after all rows", async () => {
  const { splits } = await audit(wide, {
    id: ["env0_out_acc"],
    ood: ["env1_out_acc"],
    by: ["arch"],
    transform: "logit",
  });
  const of = (list: Model[]) => fitLine(column(env(0), list), column(env(1), list), { transform: "logit" });
  expect(splits.map(({ group }) => group)).toEqual([{}, { arch: "a" }, { arch: "b" }]);
  expect(splits).toMatchObject([
    of(models),
    of(models.filter(({ arch }) => arch === "a")),
    of(models.filter(({ arch }) => arch === "b")),
  ]);
});

test("weights", async () => {
  const { splits } = await audit(wide, { id: ["env0_out_acc"], ood: ["env1_out_acc"], weights: "w" });
  const weights = column(({ weight }) => weight);
  expect(splits).toMatchObject([fitLine(column(env(0)), column(env(1)), { weights })]);
  expect(splits[0]!.slope).not.toBeCloseTo(fitLine(column(env(0)), column(env(1))).slope!, 4);
});

test("every environment in turn, by its rows where a column tells which was left out", async () => {
  const all = await audit(wide, { leaveOneOut: [] });
  expect(all.splits).toHaveLength(9);
  expect(all.splits[0]).toMatchObject({
    ood: "env0_out_acc",
    ...fitLine(column(meanOf(1, 2)), column(env(0))),
    n: 12,
  });
  expect(all.remarks[0]).toContain("every row counts for every split");

  const lines = models.map(({ env, test }) =>
    JSON.stringify({
      ...Object.fromEntries(env.map((acc, e) => [`env${e}_out_acc`, acc])),
      args: { test_envs: [test] },
    }),
  );
  const results = join(folder, "results.jsonl");
  writeFileSync(results, lines.join("\n"));
  // Nothing needs to be said about DomainBed's results.
  const told = await audit(results);
  const left = models.filter(({ test }) => test === 1);
  expect(told.splits.filter(({ ood }) => ood === "env1_out_acc")).toMatchObject([
    { ...fitLine(column(meanOf(0, 2), left), column(env(1), left)), n: 4 },
    { ...fitLine(column(env(0), left), column(env(1), left)), n: 4 },
    { ...fitLine(column(env(2), left), column(env(1), left)), n: 4 },
  ]);
});

test("environments that were left out may be told by name", async () => {
  const path = table(
    "named-environments.csv",
    "art_acc,photo_acc,sketch_acc,left_out",
    models.map(({ env, test }) => [...env, ["art", "photo", "sketch"][test]].join()),
  );
  const environments = ["art_acc", "photo_acc", "sketch_acc"];
  const { splits } = await audit(path, { leaveOneOut: environments, testEnvironment: "left_out" });
  const left = models.filter(({ test }) => test === 2);
  expect(splits.find(({ ood, id }) => ood === "sketch_acc" && id.length === 2)).toMatchObject(
    fitLine(column(meanOf(0, 1), left), column(env(2), left)),
  );
});

const pairedHeader = "x,y,train_env,algorithm,model_hparams,dataset,test_env";
const pairedRow = (model: Model, e: number, test = 2) =>
  `${model.env[e]},${model.env[test]},${e},ERM,"{'model_arch': '${model.arch}', 'transfer': False}",PACS,${test}`;

test("a row a model and training environment: means by the order of rows, with nothing said", async () => {
  const rows = [0, 1].flatMap((e) => models.map((model) => pairedRow(model, e)));
  const path = table("paired.csv", pairedHeader, rows);
  const { splits } = await audit(path, { by: ["model_hparams.model_arch"] });
  const of = (id: (model: Model) => number, list = models) => fitLine(column(id, list), column(env(2), list));
  const [a, b] = ["a", "b"].map((name) => models.filter(({ arch }) => arch === name));
  expect(splits).toMatchObject(
    [meanOf(0, 1), env(0), env(1)].flatMap((id) => [of(id), of(id, a), of(id, b)]),
  );
  expect(splits[1]!.group).toEqual({ dataset: "PACS", test_env: "2", "model_hparams.model_arch": "a" });

  // Two files with other environments left out are one table of two splits.
  const other = table(
    "other.csv",
    pairedHeader,
    [0, 2].flatMap((e) => models.map((model) => pairedRow(model, e, 1))),
  );
  const both = await audit([path, other]);
  expect(both.splits.map(({ group, id }) => [group.test_env, id.length])).toEqual([
    ["1", 2],
    ["1", 1],
    ["1", 1],
    ["2", 2],
    ["2", 1],
    ["2", 1],
  ]);
  // Whichever comes first.
  expect((await audit([other, path])).splits.map(({ name }) => name)).toEqual(
    both.splits.map(({ name }) => name),
  );

  // Pooled, as asked for, but not without a word.
  const pooled = await audit(path, { id: ["x"], ood: ["y"] });
  expect(pooled.splits[0]!.n).toBe(24);
  expect(pooled.remarks.join()).toContain("--environment train_env");
});

test("rows that do not belong together are not averaged", async () => {
  const [first, second] = [
    models.map((model) => pairedRow(model, 0)),
    models.map((model) => pairedRow(model, 1)),
  ];
  const shuffled = table("shuffled.csv", pairedHeader, [...first, ...second.reverse()]);
  const report = await audit(shuffled);
  expect(report.splits).toHaveLength(2);
  expect(report.remarks.join()).toMatch(/no mean over train_env.*--model/);
  const named = table("named.csv", `${pairedHeader},run`, [
    ...first.map((row, i) => `${row},${i}`),
    ...second.map((row, i) => `${row},${11 - i}`),
  ]);
  const { splits } = await audit(named, { model: ["run"] });
  expect(splits[0]).toMatchObject(fitLine(column(meanOf(0, 1)), column(env(2))));
});

test("a row a model and environment", async () => {
  const path = table(
    "long.csv",
    "run,env,acc",
    // Environments of a model need not stand together, nor be all there.
    [2, 0, 1].flatMap((e) =>
      models.map((model, i) => `r${i},e${e},${i === 5 && e === 1 ? "" : model.env[e]}`),
    ),
  );
  const question = { accuracy: "acc", environment: "env", model: ["run"] };
  const { splits, missing } = await audit(path, { ...question, id: ["e0", "e1"], ood: ["e2"] });
  const whole = models.filter((_, i) => i !== 5);
  expect(splits).toMatchObject([
    { ...fitLine(column(meanOf(0, 1), whole), column(env(2), whole)), dropped: 1, n: 11 },
    { ...fitLine(column(env(0)), column(env(2))), dropped: 0, n: 12 },
    { n: 11, dropped: 1 },
  ]);
  expect(missing).toEqual({ acc: 1 });
  expect((await audit(path, question)).splits).toHaveLength(9);
  await expect(audit(path, { ...question, model: ["env"] })).rejects.toThrow(/two accuracies/);
  await expect(audit(path, { ...question, id: ["e9"], ood: ["e2"] })).rejects.toThrow(
    /no value "e9".*e0, e1, e2/s,
  );
});

test("per cent is told from shares, and never guessed where it could be either", async () => {
  const percent = (list: number[]) => models.map(({ env }) => list.map((e) => 100 * env[e]!).join());
  const question = { id: ["a"], ood: ["b"] };
  const path = table("percent.csv", "a,b", percent([0, 1]));
  const report = await audit(path, question);
  expect(report).toMatchObject({ unit: "percent", remarks: [expect.stringContaining("per cent")] });
  const { r, slope } = fitLine(column(env(0)), column(env(1)));
  expect(report.splits[0]!.r).toBeCloseTo(r!, 12);
  expect(report.splits[0]!.slope).toBeCloseTo(slope!, 12);
  await expect(audit(path, { ...question, unit: "share" })).rejects.toThrow(/0 to 1.*--unit percent/s);
  const mixed = table(
    "mixed.csv",
    "a,b",
    models.map(({ env }) => `${100 * env[0]!},${env[1]}`),
  );
  await expect(audit(mixed, question)).rejects.toThrow(/look like per cent, others like shares/);
  const odd = table("odd.csv", "a,b", ["0.5,0.6", "1.3,0.6", "0.7,0.5"]);
  await expect(audit(odd, question)).rejects.toThrow(/row 2, column a.*1\.3/s);
  const negative = table("negative.csv", "a,b", ["0.5,0.6", "-0.1,0.6"]);
  await expect(audit(negative, question)).rejects.toThrow(/no accuracy/);
  const small = await audit(table("small.csv", "a,b", ["0.5,0.6", "0.9,0.7", "0.7,0.5"]), {
    ...question,
    unit: "percent",
  });
  expect(small.splits[0]!.idRange).toEqual([0.005, 0.009000000000000001]);
});

test("constant and short tables report no R", async () => {
  const path = table("constant.csv", "a,b", ["0.5,0.6", "0.5,0.7", "0.5,0.8", ","]);
  const { splits, missing } = await audit(path, { id: ["a"], ood: ["b"] });
  expect(splits[0]).toMatchObject({ n: 3, dropped: 1, r: null, verdict: "undecided" });
  expect(splits[0]!.undefinedBecause).toContain("ID");
  expect(missing).toEqual({ a: 1, b: 1 });
  const none = await audit(table("none.csv", "a,b", []), { id: ["a"], ood: ["b"] });
  expect(none.splits[0]).toMatchObject({ n: 0, r: null, idRange: null });
});

test("questions that the table cannot answer are refused", async () => {
  await expect(audit(wide, { id: ["env0_out_ac"], ood: ["env1_out_acc"] })).rejects.toThrow(
    /did you mean "env0_out_acc"/,
  );
  await expect(audit(wide, { id: ["env0_out_acc"] })).rejects.toThrow(
    /--id needs --ood, the columns[\s\S]*got: columns .*env0_out_acc/,
  );
  await expect(audit(table("other-names.csv", "a,b", []))).rejects.toThrow(/--leave-one-out/);
  await expect(audit(wide, { leaveOneOut: ["env0_out_acc"] })).rejects.toThrow(/fewer than two/);
  await expect(audit(wide, { accuracy: "w" })).rejects.toThrow(/--environment/);
  await expect(
    audit(wide, { id: ["env0_out_acc"], ood: ["env1_out_acc"], by: ["env0_out_acc"] }),
  ).rejects.toThrow(/both as accuracies/);
  await expect(audit(wide, { id: ["arch"], ood: ["env1_out_acc"] })).rejects.toThrow(
    /no number.*line 2, column arch/s,
  );
});
