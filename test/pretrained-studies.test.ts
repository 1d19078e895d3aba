/** The studies of ready-made networks with a run and an ONNX file that somebody brings, on a folder in ImageNet's form. */

import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";
import { photo, vocXml, writeAt } from "./helpers/photos.ts";

const root = temporaryFolder();
const [run, onnx, images, out] = ["run", "mine.onnx", "val", "study"].map((name) => join(root, name)) as [
  string,
  string,
  string,
  string,
];
const names = ["cow", "fireplug", "van"];

interface StudyJson {
  "sets of predictions": { done: number; total: number };
  compute: { failures: number };
  failed: { label: string; error: string }[];
  findings: { claim: string; verdict: string; evidence: string }[];
  measured: {
    part: string;
    models: { label: string; seed: null; images: number; correct: number; marks: object[] }[];
  }[];
}

beforeAll(async () => {
  const data = [
    "size=32",
    `classes=${names.join(",")}`,
    "photographs.train=4",
    "photographs.val=1",
    "photographs.test=1",
    "photographs.side=64",
  ];
  const set = [...data, "content=photographs"].flatMap((word) => ["--set", word]);
  const network = ["--model", "small-cnn", "--model-set", "width=4", "--steps", "4", "--batch-size", "4"];
  await ranHere([
    "train",
    "--data",
    "hard-spurious",
    ...set,
    ...network,
    "--threads",
    "1",
    "--out",
    run,
    "--quiet",
  ]);
  copyFileSync(join(run, "model.onnx"), onnx);
  const box = { left: 8, top: 6, width: 20, height: 18 };
  for (const [c, name] of names.entries()) {
    for (let i = 0; i < 3; i++) {
      const stem = `${name}_${i}`;
      writeAt(images, `${name}/${stem}.jpg`, await photo(40, 32, box, [250 - 100 * c, 40 * i, 100 * c]));
      const objects = [{ name, corners: [8, 6, 28, 24] as const }];
      writeAt(
        join(root, "xml"),
        `${name}/${stem}.xml`,
        vocXml(name, stem, { width: 40, height: 32 }, objects),
      );
    }
  }
}, 120_000);

const given = (...more: string[]) => [
  "--set",
  `models=${run},${onnx}`,
  "--set",
  `imagenet=${images}`,
  ...more.flatMap((word) => ["--set", word]),
];

test("a run and its file say the same of every image, with each mark, and are asked once", async () => {
  const words = [
    "imagenet-w",
    "--preset",
    "paper",
    "--out",
    out,
    "--quiet",
    ...given(`imagenetV2=${images}`),
  ];
  const study = await jsonHere<StudyJson>(["study", "run", ...words]);
  expect(study["sets of predictions"]).toEqual({ done: 4, total: 4 });
  expect(study.failed).toEqual([]);
  const [watermark, second] = study.measured;
  expect([watermark!.part, second!.part]).toEqual(["watermark", "watermark-v2"]);
  const [ofRun, ofFile] = watermark!.models;
  expect(ofRun).toMatchObject({ label: "run", seed: null, images: 9 });
  const { label: _run, id: _id, ...one } = ofRun as typeof ofRun & { id: string };
  const { label: _file, id: _own, ...other } = ofFile as typeof ofFile & { id: string };
  expect(one).toEqual(other);
  expect(one.marks).toHaveLength(7);
  expect(second!.models[0]).toMatchObject({ images: 9, correct: ofRun!.correct });
  expect(study.findings).toHaveLength(4);
  // No class of these three is carton.
  expect(study.findings[1]).toMatchObject({ verdict: "cannot be told" });
  const page = readFileSync(join(out, "report.md"), "utf8");
  expect(page).toContain("not asked, since nothing was given or nothing is finished: Stylized ImageNet");
  expect(await jsonHere(["study", "report", ...words])).toEqual(study);
}, 120_000);

test("with boxes objects are moved; a part that cannot be made is a failure of its own", async () => {
  const more = given(`boxes=${join(root, "xml")}`, "count=2");
  const words = [
    "hard-spurious-pretrained",
    "--preset",
    "paper",
    "--out",
    join(root, "placed"),
    "--quiet",
    ...more,
  ];
  const parts = ["--parts", "clean,squeezed,telling"];
  const { code, stdout, stderr } = await ranHere(["study", "run", ...words, ...parts, "--json"]);
  expect(stderr).toBe("");
  const study = JSON.parse(stdout) as StudyJson;
  expect(code).toBe(4);
  expect(study["sets of predictions"]).toEqual({ done: 4, total: 6 });
  expect(study.failed[0]!.label).toContain("telling");
  expect(study.measured.find(({ part }) => part === "squeezed")!.models[0]!.images).toBe(3 * 12 * 2);
}, 120_000);

test("what a preset does not take is refused, and what it needs is asked for", async () => {
  const refused = await ranHere(["study", "run", "imagenet-w", ...given()]);
  expect(refused.stderr).toMatch(
    /the preset quick of the study imagenet-w takes no "models"[\s\S]*--preset paper/,
  );
  const asked = await ranHere(["study", "run", "imagenet-w", "--preset", "paper"]);
  expect(asked.stderr).toMatch(/needs "models"[\s\S]*--preset paper --set models=…/);
  expect([refused.code, asked.code]).toEqual([2, 2]);
  rmSync(out, { recursive: true });
  const gone = await ranHere([
    "study",
    "run",
    "imagenet-w",
    "--preset",
    "paper",
    "--out",
    out,
    "--quiet",
    ...given().map((word) => word.replace("mine.onnx", "none.onnx")),
  ]);
  expect(gone.stderr).toContain("none.onnx");
  expect(gone.code).toBe(3);
}, 60_000);
