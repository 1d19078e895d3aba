import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { checkFillable, type FillOptions, fillFolder } from "./fill-folder.ts";
import { partialName } from "./partial-name.ts";

const root = temporaryFolder();
const options: FillOptions = { by: "study", force: false };

async function fill(folder: string, files: Record<string, string>, more: Partial<FillOptions> = {}) {
  await fillFolder(folder, { ...options, ...more }, async (write) => {
    for (const [name, content] of Object.entries(files)) await write(name, content);
  });
}

const names = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("."))
    .sort();

test("what a former report had goes if that is wanted, but nothing that was changed, or that others made", async () => {
  const folder = join(root, "report");
  await fill(folder, { "report.md": "1", "tables/a.csv": "a", "tables/b.csv": "b", "tables/c.csv": "c" });
  await fill(folder, { "other.csv": "x" }, { by: "line" });
  writeFileSync(join(folder, "tables/b.csv"), "changed");
  writeFileSync(join(folder, "tables/mine.csv"), "mine");
  await fill(folder, { "report.md": "2", "tables/c.csv": "c" });
  expect(names(folder)).toContain("tables/a.csv");
  await fill(folder, { "report.md": "3" }, { removeFormer: true });
  expect(names(folder)).toEqual(["other.csv", "report.md", "tables", "tables/b.csv", "tables/mine.csv"]);
  expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("3");
  // What was let go is nobody's any more.
  await expect(fill(folder, { "tables/b.csv": "b" })).rejects.toThrow(/there is a file already/);
});

test("reports of earlier versions, which left no mark, are made again where they are known otherwise", async () => {
  const folder = join(root, "earlier");
  mkdirSync(folder);
  writeFileSync(join(folder, "report.md"), "earlier");
  await expect(checkFillable(folder, ["report.md"], options)).rejects.toThrow(/already[\s\S]*--force/);
  await checkFillable(folder, ["report.md"], { ...options, wasOurs: true });
  await fill(folder, { "demo.yaml": "x" }, { by: "sweep", wasOurs: true });
  await fill(folder, { "report.md": "now" }, { wasOurs: true });
  writeFileSync(join(folder, "report.md"), "changed");
  await expect(fill(folder, { "report.md": "again" }, { wasOurs: true })).rejects.toThrow(/changed since/);
  expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("changed");
});

test("a mark that names files elsewhere, or is damaged, makes nothing ours", async () => {
  const folder = join(root, "marked");
  mkdirSync(folder);
  writeFileSync(join(root, "outside"), "mine");
  const sha256 = createHash("sha256").update("mine").digest("hex");
  for (const mark of [
    JSON.stringify({ files: { "../outside": { by: "study", sha256: [sha256] }, x: null } }),
    "{",
    "null",
  ]) {
    writeFileSync(join(folder, ".cuelab-made.json"), mark);
    await fill(folder, { new: "1" }, { removeFormer: true });
  }
  expect(readFileSync(join(root, "outside"), "utf8")).toBe("mine");
});

test("of two reports that are made at once the second is told, and the first stays", async () => {
  const folder = join(root, "at-once");
  await fill(folder, { "report.md": "former", "old.csv": "old" });
  const [first, second] = [
    await checkFillable(folder, ["report.md"], options),
    await checkFillable(folder, ["report.md"], options),
  ];
  await fill(folder, { "report.md": "1", "new.csv": "1" }, first);
  for (const files of [{ "report.md": "2" }, { "new.csv": "2" }])
    await expect(fill(folder, files, second)).rejects.toThrow(/--force/);
  expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("1");
  expect(readFileSync(join(folder, "new.csv"), "utf8")).toBe("1");
  // What is the same, or was there before and still is, disturbs nobody.
  await fill(folder, { "report.md": "1", "old.csv": "newer" }, second);
  expect(readFileSync(join(folder, "old.csv"), "utf8")).toBe("newer");
});

test("what a killed process has left beside its file goes, though the file need not be written again", async () => {
  const folder = join(root, "killed");
  await fill(folder, { "tables/a.csv": "a" });
  const left = partialName(join(folder, "tables/a.csv")).replace(/-\d+-\w+-/, "-4194305-1-");
  writeFileSync(left, "a");
  await fill(folder, { "tables/a.csv": "a" });
  expect(readdirSync(join(folder, "tables"))).toEqual(["a.csv"]);
});
