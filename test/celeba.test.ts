/** CelebA from a copy of one's own, as people use it: preview, make, train, evaluate, sweep, move the copy. */

import { appendFileSync, cpSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runId } from "../src/runs/run-folder.ts";
import { describeTrainingData } from "../src/training/data-book.ts";
import { type RunSpec, resolveSpec } from "../src/training/run-spec.ts";
import { writeCeleba } from "./helpers/celeba.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const here = { cwd: root };

beforeAll(async () => {
  await writeCeleba(join(root, "faces"));
});

const small = ["--set", "size=16"];
const network = "--model small-cnn --model-set width=4 --epochs 1 --batch-size 8".split(" ");

test("it is listed with what it needs, and shown with commands that work once the folder is right", async () => {
  const listed = await jsonHere<{ datasets: { name: string; needs: string[] }[] }>(["data", "list"]);
  const needs = Object.fromEntries(listed.datasets.map((dataset) => [dataset.name, dataset.needs]));
  expect(needs).toMatchObject({ celeba: ["folder"], "colored-mnist": [] });
  const { stdout } = await ranHere(["data", "show", "celeba"]);
  expect(stdout).toMatch(/folder +must be given/);
  const commands = stdout.split("\n").filter((line) => line.startsWith("  $ cuelab"));
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(command).toContain("--set folder=path/to/celeba");
  const refused = await ranHere(["data", "preview", "celeba"], here);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('setting "folder" must be given');
});

test("preview and make read the copy; the made dataset holds the four groups", async () => {
  const set = ["--set", "folder=faces", ...small];
  await jsonHere(["data", "preview", "celeba", ...set, "--out", "sheet.png"], here);
  expect(existsSync(join(root, "sheet.png"))).toBe(true);
  const { stdout } = await ranHere(["data", "make", "celeba", ...set, "--out", "made"], here);
  expect(stdout).toMatch(/60 images \(train 40, val 10, test 10\)/);
  expect(stdout).toMatch(/train +not blond hair +16 +8\n *train +blond hair +12 +4/);
  const card = readFileSync(join(root, "made/README.md"), "utf8");
  expect(card).toContain("non-commercial research only");
  expect(card).toContain("names and sizes");
});

test("a run with a method that is told of gender evaluates to the four groups", async () => {
  await jsonHere(
    [
      ..."train --data celeba --method group-dro --explicit Male --out run".split(" "),
      "--set",
      "folder=faces",
      ...small,
      ...network,
    ],
    here,
  );
  const evaluation = JSON.stringify(await jsonHere(["eval", "run"], here));
  for (const group of [
    "class not blond hair, Male no",
    "class not blond hair, Male yes",
    "class blond hair, Male no",
    "class blond hair, Male yes",
  ])
    expect(evaluation).toContain(group);
  const { data } = JSON.parse(readFileSync(join(root, "run/spec.json"), "utf8")) as RunSpec;
  expect(data.places).toEqual({ folder: join(root, "faces") });
  expect(data.settings).not.toHaveProperty("folder");
});

test("a copy may move: the same run, until an image has other bytes", async () => {
  const folder = join(root, "elsewhere");
  cpSync(join(root, "faces"), folder, { recursive: true });
  const idOf = async (where: string) => {
    const data = await describeTrainingData({
      name: "celeba",
      settings: { folder: where, size: 16 },
      seed: 0,
    });
    return runId(resolveSpec({ data, model: { name: "mlp" } }));
  };
  const first = await idOf(join(root, "faces"));
  expect(await idOf(folder)).toBe(first);
  appendFileSync(join(folder, "img_align_celeba/000001.jpg"), " ");
  expect(await idOf(folder)).not.toBe(first);
});

test("a sweep takes it by name with a relative folder, and names the file when something is wrong", async () => {
  const file = (name: string, folder: string) => {
    writeFileSync(
      join(root, name),
      `name: faces
base:
  data: { name: celeba, settings: { folder: ${folder}, size: 16, count: { train: 24 } } }
  model: { name: logistic-regression }
  epochs: 1
  batchSize: 8
runs:
  - { label: plain, method: { name: erm } }
  - { label: upweighted, method: { name: group-upweighting, explicit: [Male] } }
seeds: [0]
`,
    );
    return ["sweep", "run", name, "--out", "sweep"];
  };
  const outcome = await jsonHere<{ entries: { label: string; runs: { id: string; state: string }[] }[] }>(
    file("faces.yaml", "./faces"),
    here,
  );
  expect(outcome.entries.map(({ label, runs }) => `${label} ${runs[0]!.state}`)).toEqual([
    "plain done",
    "upweighted done",
  ]);
  const wrong = await ranHere([...file("nothing.yaml", "./nothing"), "--quiet"], here);
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toContain(
    `there is no such folder\n  where: entry "plain" of the sweep (${join(root, "nothing")})`,
  );
});

test("a truncated image stops training and making, and is named", async () => {
  await writeCeleba(join(root, "damaged"));
  const image = join(root, "damaged/img_align_celeba/000005.jpg");
  truncateSync(image, 1500);
  const set = ["--set", "folder=damaged", ...small, "--quiet"];
  for (const command of [
    ["train", "--data", "celeba", ...set, ...network, "--out", "damaged-run"],
    ["data", "make", "celeba", ...set, "--out", "damaged-made"],
  ]) {
    const { code, stderr } = await ranHere(command, here);
    expect(code).toBe(3);
    expect(stderr).toContain(`an image cannot be read\n  where: ${image}`);
    expect(stderr).not.toContain("skip-broken");
  }
});
