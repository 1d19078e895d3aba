/** What is read stays where people point: plain files, no way round by links, no way out by `..`. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { leadsOutside } from "../src/core/confined.ts";
import { resetLimits, setLimits } from "../src/core/limits.ts";
import { readPlainSync } from "../src/disk/plain-file.ts";
import { checkVouched, fileDigest } from "../src/disk/vouched.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { encodePng } from "../src/images/png.ts";
import { readCoreTime } from "../src/runs/core-time.ts";
import { listAllRuns } from "../src/runs/listed-runs.ts";
import { listSafetensors } from "../src/runs/safetensors.ts";
import { folderContents } from "../src/sources/list-images.ts";
import { openTableFile } from "../src/tables/open-table.ts";
import { temporaryFolder } from "./helpers/files.ts";

afterEach(resetLimits);

const image = encodePng({ data: new Uint8Array(48), width: 4, height: 4, channels: 3 });
const program = join(import.meta.dirname, "../dist/program/main.js");

function classFolders(): string {
  const root = join(temporaryFolder(), "set");
  for (const name of ["cat", "dog"]) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "a.png"), image);
  }
  return root;
}

function pipe(path: string): string {
  execFileSync("sh", ["-c", `mkfifo "$0"`, path]);
  return path;
}

describe("plain files only", () => {
  test("a pipe among images is a broken image, and one without a name that promises any is passed over", async () => {
    const root = classFolders();
    pipe(join(root, "dog/f.png"));
    pipe(join(root, "dog/unnamed"));
    const { dataset, unread } = await openDataset(root);
    expect(unread).toMatchObject([{ count: 1, example: "dog/unnamed" }]);
    await expect(dataset.images.pixels(2)).rejects.toThrow(/a pipe \(FIFO\) and no plain file[\s\S]*f\.png/);
  });

  test.each(["t.csv", "t.parquet", "t.npz", "t.jsonl"])("a pipe as a table, %s", async (name) => {
    await expect(openTableFile(pipe(join(temporaryFolder(), name)))).rejects.toThrow(/a pipe \(FIFO\)/);
  });

  test.each(["t.tar", "t.parquet", "t.npz", "train-images-idx3-ubyte", "metadata.csv"])(
    "a pipe as data, %s",
    async (name) => {
      await expect(openDataset(pipe(join(temporaryFolder(), name)))).rejects.toThrow(/a pipe \(FIFO\)/);
    },
  );

  test("a pipe or a device that a table names", async () => {
    const root = classFolders();
    pipe(join(root, "f.png"));
    writeFileSync(join(root, "metadata.csv"), "file_name,y\ncat/a.png,0\nf.png,1\n/dev/zero,1\n");
    const { dataset } = await openDataset(root);
    await expect(dataset.images.pixels(1)).rejects.toThrow(/a pipe/);
    await expect(dataset.images.pixels(2)).rejects.toThrow(/a device/);
    expect(() => readPlainSync("/dev/zero")).toThrow(/a device/);
  });

  test.each(["spec.json", "manifest.json", "results.json", "log.jsonl", "run.lock"])(
    "a pipe in a run's folder, %s: the run is told to be damaged, and the others are listed",
    async (name) => {
      const root = temporaryFolder();
      for (const run of ["a", "b"]) {
        mkdirSync(join(root, run));
        writeFileSync(join(root, run, "spec.json"), "{}");
      }
      if (name === "spec.json") mkdirSync(join(root, "c"));
      const folder = join(root, name === "spec.json" ? "c" : "a");
      pipe(join(folder, name));
      expect(await listAllRuns(root)).toHaveLength(name === "spec.json" ? 3 : 2);
    },
  );

  test.each(["manifest.json", "predictions.parquet"])("a pipe beside a table, %s", async (name) => {
    const folder = temporaryFolder();
    const table = join(folder, name === "manifest.json" ? "predictions.csv" : name);
    if (name === "manifest.json") writeFileSync(table, "y_true,y_pred\n1,1\n");
    pipe(join(folder, name));
    if (name === "manifest.json") await checkVouched(table);
    else await expect(fileDigest(table)).rejects.toThrow(/a pipe/);
  });

  test("a pipe where features, weights or a pool's record should be", async () => {
    const folder = temporaryFolder();
    await expect(listSafetensors(pipe(join(folder, "w.safetensors")))).rejects.toThrow(/a pipe/);
    expect(await readCoreTime(pipe(join(folder, "time.json")))).toBeUndefined();
  });

  test("what a shell pipes in by <(…) is a table like any other", async () => {
    const table = "y_true,y_pred\\n1,1\\n0,1\\n";
    const script = `node "${program}" eval <(printf '${table}') --label-column y_true --json`;
    const child = spawn("bash", ["-c", script]);
    let out = "";
    child.stdout.on("data", (text: Buffer) => {
      out += text.toString();
    });
    child.stderr.on("data", (text: Buffer) => {
      out += text.toString();
    });
    const code = await new Promise((done) => {
      child.on("close", done);
    });
    expect(out).not.toMatch(/plain file/);
    expect(code, out).toBe(0);
  });
});

describe("links", () => {
  test("to files are followed, to folders if asked, and loops end", async () => {
    const root = classFolders();
    symlinkSync(join(root, "cat/a.png"), join(root, "dog/b.png"));
    symlinkSync("/", join(root, "dog/everything"));
    const start = performance.now();
    const { images, links } = await folderContents(root);
    expect(images).toEqual(["cat/a.png", "dog/a.png", "dog/b.png"]);
    expect(links).toEqual(["dog/everything"]);
    expect(performance.now() - start).toBeLessThan(5000);
    const { warnings } = await openDataset(root);
    expect(warnings.join("\n")).toMatch(/not followed \(--follow-links does\): dog\/everything/);
  });

  test("loops end where links are followed", async () => {
    const root = classFolders();
    symlinkSync("..", join(root, "dog/up"));
    const others = classFolders();
    symlinkSync(join(others, "cat"), join(root, "lion"));
    setLimits({ followLinks: true });
    const { images, links } = await folderContents(root);
    expect(images).toEqual(["cat/a.png", "dog/a.png", "lion/a.png"]);
    expect(links).toEqual([]);
  });

  test("a folder of nothing but links says what to do", async () => {
    const [root, others] = [temporaryFolder(), classFolders()];
    for (const name of ["cat", "dog"]) symlinkSync(join(others, name), join(root, name));
    await expect(openDataset(root)).rejects.toThrow(/only links to other folders[\s\S]*--follow-links/);
    setLimits({ followLinks: true });
    expect((await openDataset(root)).dataset.images.count).toBe(2);
  });

  test("a folder of more than is allowed is not walked", async () => {
    setLimits({ entries: 1 });
    await expect(folderContents(classFolders())).rejects.toThrow(/holds too much[\s\S]*--limit entries=2/);
  });
});

describe("ways out", () => {
  test.each([
    ["a/b.png", false],
    ["a/../b.png", false],
    ["..a/b.png", false],
    ["../b.png", true],
    ["a/../../b.png", true],
    ["..", true],
    ["..\\b.png", true],
    ["/etc/passwd", true],
    ["C:\\b.png", true],
  ])("%s", (path, outside) => {
    expect(leadsOutside(path)).toBe(outside);
  });

  const made = () => {
    const root = join(temporaryFolder(), "made");
    execFileSync(process.execPath, [
      program,
      ..."data make colored-mnist --set trainPerEnvironment=2 --quiet --out".split(" "),
      root,
    ]);
    return root;
  };

  test("a dataset's own table and description name nothing outside it", async () => {
    const root = made();
    const table = join(root, "metadata.csv");
    const about = join(root, "dataset.json");
    // Somebody's who made it so, and not damage: it vouches for nothing.
    const { seal: _, ...described } = JSON.parse(readFileSync(about, "utf8"));
    writeFileSync(about, JSON.stringify({ ...described, files: [] }, null, 2));
    const whole = readFileSync(table, "utf8");
    const [header, row] = whole.split("\n") as [string, string];
    for (const path of ["../outside.png", "/outside.png"]) {
      const cells = row.replace(/^[^,]*/, path);
      writeFileSync(table, whole.replace(`${header}\n${row}`, `${header}\n${cells}`));
      await expect(openDataset(root)).rejects.toThrow(/names a file outside its folder[\s\S]*row 1/);
    }
    writeFileSync(table, whole);
    const text = JSON.stringify(described, null, 2);
    writeFileSync(about, text.replace('"path": "metadata.csv"', '"path": "../metadata.csv"'));
    await expect(openDataset(root)).rejects.toThrow(/names a file outside[\s\S]*dataset\.json, files/);
    writeFileSync(about, text.replace('"train":', '"../train":'));
    await expect(openDataset(root)).rejects.toThrow(/names a file outside[\s\S]*dataset\.json, splits/);
  });

  test("a table of one's own may, and it is said", async () => {
    const [root, others] = [classFolders(), classFolders()];
    const rows = [`${others}/cat/a.png,0`, "../set/dog/a.png,1", "cat/a.png,0"];
    writeFileSync(join(root, "metadata.csv"), `file_name,y\n${rows.join("\n")}\n`);
    const { dataset, warnings } = await openDataset(root);
    expect((await dataset.images.pixels(0)).width).toBe(4);
    expect(warnings).toEqual([`2 images lie outside the folder, such as ${others}/cat/a.png`]);
  });
});
