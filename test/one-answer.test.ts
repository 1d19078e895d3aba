/** One run, one answer: whichever way its predictions reach the metrics, and whoever asks. */

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import type { EvaluationReport } from "../src/audits/predictions/evaluation-report.ts";
import { type CheckReport, checkDataset } from "../src/formats/check-dataset.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { planEnvironments } from "../src/training/environments.ts";
import { accuracyTable } from "../src/training/results.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere, cuelabHereWithNotes } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (name: string) => join(root, name);
const earlier = (name: string) => join(import.meta.dirname, "golden/format-4", name);
const settings = ["--set", "trainPerEnvironment=40", "--set", "size=14"];

describe("a run that holds an environment out", () => {
  let answers: Record<string, EvaluationReport>;

  beforeAll(async () => {
    const model = ["--model", "logistic-regression", "--steps", "20", "--batch-size", "16", "--threads", "1"];
    await cuelabJson([
      "train",
      "--data",
      "colored-mnist",
      ...settings,
      ...model,
      "--hold-out",
      "0.1",
      "--out",
      at("R"),
    ]);
    await cuelabJson(["data", "make", "colored-mnist", ...settings, "--out", at("D"), "--format", "npz"]);
    const command = async (...words: string[]) =>
      JSON.parse(await cuelabHere("eval", at("R"), ...words, "--json", "--quiet")) as EvaluationReport;
    answers = {
      "eval R": await command(),
      "eval R --data D": await command("--data", at("D")),
      library: await evaluatePredictions({ tables: [at("R")] }),
      "a study, which names its cues": await evaluatePredictions({
        tables: [at("R")],
        split: "test",
        cues: ["color"],
        groups: ["class", "color"],
      }),
      "its table alone": await evaluatePredictions({ tables: [join(at("R"), "predictions.parquet")] }),
    };
  });

  test("gives one answer by every road", () => {
    const told = ({ cues, accuracy, worstGroup, groups, shift, training }: EvaluationReport) => ({
      cues,
      accuracy,
      worstGroup,
      groups,
      shift,
      training,
    });
    const [first, ...others] = Object.values(answers).map(told);
    for (const other of others) expect(other).toEqual(first);
    expect(first!.cues.color!.mmd).not.toBeNull();
    expect(first!.shift).toEqual({ name: "test", shifted: true, why: "declared" });
  });

  test("counts what it was trained on: the in-parts of the other environments", async () => {
    // Those of 0.2 and 0.9, of 40 images each.
    const trained = answers["eval R"]!.groups.reduce((sum, { train }) => sum + train!, 0);
    expect(trained).toBe(80);
    expect(answers["eval R --data D"]!.remarks).toContainEqual(
      expect.stringMatching(/trained on other images/),
    );
  });

  test("tells DuckDB what it is about, too", async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    const path = join(at("R"), "predictions.parquet");
    const found = await connection.runAndReadAll(
      `select decode(value) from parquet_kv_metadata('${path}') where decode(key) = 'cuelab'`,
    );
    const { classNames, about } = JSON.parse(found.getRowsJson()[0]![0] as string);
    expect(classNames).toEqual(["below 5", "5 or above"]);
    expect(about).toMatchObject({ data: "colored-mnist", origin: { format: 5, spec: { seed: 0 } } });
    expect(about.attributes).toContainEqual(expect.objectContaining({ name: "color", role: "cue" }));
    expect(JSON.stringify(about)).not.toContain(root);
  });
});

describe("a run that an earlier version made", () => {
  test("is listed, marked, and evaluated by the same rules, its data made again", async () => {
    const { out, notes } = await cuelabHereWithNotes("eval", earlier("held-out"));
    expect(notes).toBe("");
    expect(out).toMatch(/color +\d[\s\S]*a run of format 4 .*its data was made again/);
    const list = await cuelabHere("runs", "list", earlier("."));
    expect(list).toMatch(/[0-9a-f]{16} \(format 4\) +finished +colored-mnist/);
    const report = JSON.parse(await cuelabHere("eval", earlier("held-out"), "--json")) as EvaluationReport;
    // The same spec, trained by this version, has the same logits: runs of the two formats agree in all but their ids.
    const again = JSON.parse(await cuelabHere("eval", at("R"), "--json")) as EvaluationReport;
    expect(report).toMatchObject({ cues: again.cues, accuracy: again.accuracy, groups: again.groups });
  });

  test("is never mixed into a mean", async () => {
    await expect(cuelabHere("eval", at("R"), earlier("held-out"))).rejects.toThrow(
      /differ in more than the seed[\s\S]*format \(5, 4\)/,
    );
  });

  test("does not go on under this version, finished or not", async () => {
    for (const [name, ...more] of [
      ["unfinished", "--steps", "20000"],
      ["held-out", "--steps", "20", "--hold-out", "0.1"],
    ] as const) {
      cpSync(earlier(name), at(name), { recursive: true });
      const words = ["--model", "logistic-regression", "--batch-size", "16", "--threads", "1", ...more];
      const { code, stderr } = await cuelab([
        "train",
        "--data",
        "colored-mnist",
        ...settings,
        ...words,
        "--out",
        at(name),
      ]);
      expect(stderr).toMatch(/an earlier version of the program made it[\s\S]*--force to start over/);
      expect(code).toBe(3);
    }
  });

  test("so are its features and its pool", async () => {
    const features = await cuelabHere("embed", earlier("features"), "--no-umap", "--json", "--quiet");
    expect(JSON.parse(features)).toMatchObject({ points: { id: 20, ood: 50 } });
    const columns = ["--id", "env0_out_acc,env1_out_acc", "--ood", "env2_out_acc"];
    const line = await cuelabHere("line", earlier("pool/accuracies.csv"), ...columns, "--json", "--quiet");
    expect(JSON.parse(line)).toHaveProperty("splits");
  });

  test("says in the library what is not known", async () => {
    const report = await evaluatePredictions({ tables: [earlier("run")] });
    expect(report.remarks).toContainEqual(expect.stringMatching(/format 4 does not tell .*--train-counts/));
  });
});

describe("people's own folder", () => {
  /** Two classes of 40 training images and 20 test images each; the cue agrees in 9 of 10, in the test split in 1 of 2. */
  let check: CheckReport;

  beforeAll(async () => {
    mkdirSync(at("own"), { recursive: true });
    const image = await sharp(Buffer.alloc(64), { raw: { width: 8, height: 8, channels: 1 } })
      .png()
      .toBuffer();
    const rows = (["train", "test"] as const).flatMap((split) =>
      ["a", "b"].flatMap((label) =>
        Array.from({ length: split === "train" ? 40 : 20 }, (_, i) => {
          const agrees = split === "train" ? i % 10 > 0 : i % 2 > 0;
          const sky = agrees === (label === "a") ? "blue" : "grey";
          // Level for class b in training: 20 to 20.
          const ground = label === "a" || i % 2 ? "grass" : "sand";
          return `${split}-${label}-${i}.png,${label},${split},${sky},${ground}`;
        }),
      ),
    );
    for (const row of rows) writeFileSync(join(at("own"), row.split(",")[0]!), image);
    writeFileSync(join(at("own"), "metadata.csv"), `img_filename,y,split,sky,ground\n${rows.join("\n")}\n`);
    check = await checkDataset(at("own"), { workers: 0, mapping: { cues: ["sky", "ground"] } });
  });

  test("has one shift for training, for pools and for tables", async () => {
    const { dataset } = await openDataset(at("own"), { cues: ["sky", "ground"] });
    const indices = Uint32Array.from(dataset.splits.values.keys()).filter(
      (i) => dataset.splits.values[i] !== 0,
    );
    const [row] = accuracyTable(dataset, indices, new Uint16Array(indices.length));
    expect(row).toMatchObject({ slice: "test", distribution: "OOD" });
    const plan = planEnvironments(dataset, { trainImages: 100, testImages: 100, seed: 0 });
    expect(plan.environments.map(({ name }) => name)).toEqual(["train", "test"]);
  });

  test("has one rule for a tie: no value goes with the class", async () => {
    expect(check.cues.find(({ cue, slice }) => cue === "ground" && slice === "train")).toMatchObject({
      agreement: 1,
      agreementRule: "majority",
    });
    expect(check.warnings).toContainEqual(
      expect.stringMatching(/ground: two values are equally frequent .* b;/),
    );
    const { dataset } = await openDataset(at("own"), { cues: ["sky", "ground"] });
    const ground = dataset.attributes.ground!;
    const rows = [...dataset.labels.keys()].flatMap((i) =>
      dataset.splits.values[i] === 0
        ? []
        : [`${dataset.labels[i]},${dataset.labels[i]},${ground.valueNames[ground.values[i]!]}`],
    );
    writeFileSync(at("own.csv"), `y,y_pred,ground\n${rows.join("\n")}\n`);
    const report = await evaluatePredictions({ tables: [at("own.csv")], dataset });
    expect(report.cues.ground!.counts).toEqual({ majority: 20, minority: 0, unknown: 20 });
    expect(report.cues.ground!.values.map(({ why }) => why)).toEqual(["frequent", "tie"]);
    expect(report.remarks).toContainEqual(expect.stringMatching(/ground: two values are equally frequent/));
  });
});
