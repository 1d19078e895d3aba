import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { checkFree, placeNew, writeWhole } from "./write-whole.ts";

const root = temporaryFolder();

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

test("nothing is replaced unless that is wanted, before and after the work", async () => {
  const folder = newFolder("wanted");
  const path = join(folder, "deep", "file");
  await writeWhole(path, "first", { overwrite: false });
  await expect(checkFree(path, { overwrite: false })).rejects.toThrow(
    /already[\s\S]*deep.file[\s\S]*--force/,
  );
  await expect(writeWhole(path, "second", { overwrite: false })).rejects.toThrow(CuelabError);
  expect(readFileSync(path, "utf8")).toBe("first");
  await checkFree(path, { overwrite: true });
  await writeWhole(path, "second", { overwrite: true, durable: true });
  expect(readFileSync(path, "utf8")).toBe("second");
  await expect(checkFree(folder, { overwrite: true })).rejects.toThrow(/a folder already where a file/);
  expect(readdirSync(join(folder, "deep"))).toEqual(["file"]);
});

test("what appears while the content is written stays, and a failure leaves nothing", async () => {
  const folder = newFolder("appears");
  const path = join(folder, "file");
  const meanwhile = writeWhole(
    path,
    async (file) => {
      await file.writeFile("ours");
      writeFileSync(path, "theirs");
    },
    { overwrite: false },
  );
  await expect(meanwhile).rejects.toThrow(/already[\s\S]*appeared while this was being made/);
  expect(readFileSync(path, "utf8")).toBe("theirs");
  const failed = writeWhole(path, () => Promise.reject(new Error("no more")), { overwrite: true });
  await expect(failed).rejects.toThrow(/^no more$/);
  expect(readFileSync(path, "utf8")).toBe("theirs");
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("where a disk knows no links, a name is still given once", async () => {
  const folder = newFolder("no-links");
  const [partial, target] = [join(folder, "partial"), join(folder, "target")];
  const noLinks = () => Promise.reject(Object.assign(new Error("EPERM: not here"), { code: "EPERM" }));
  writeFileSync(partial, "first");
  expect(await placeNew(partial, target, noLinks)).toBe(true);
  writeFileSync(partial, "second");
  expect(await placeNew(partial, target, noLinks)).toBe(false);
  expect(readFileSync(target, "utf8")).toBe("first");
});

test("a link stays a link, rights stay as they were, and names may be as long as the disk allows", async () => {
  const folder = newFolder("kinds");
  const [real, link] = [join(folder, "real"), join(folder, "link")];
  writeFileSync(real, "first");
  chmodSync(real, 0o600);
  symlinkSync(real, link);
  await writeWhole(link, "second", { overwrite: true });
  expect(readFileSync(real, "utf8")).toBe("second");
  expect(statSync(real).mode & 0o777).toBe(0o600);
  const long = join(folder, "é".repeat(127));
  await writeWhole(long, "long", { overwrite: false });
  expect(readFileSync(long, "utf8")).toBe("long");
  const longer = writeWhole(join(folder, "x".repeat(256)), "", { overwrite: false });
  await expect(longer).rejects.toThrow(/the name is too long[\s\S]*shorter/);
});

test("what killed processes left goes, what living ones are writing stays", async () => {
  const folder = newFolder("left");
  await writeWhole(
    join(newFolder("spelling"), "file"),
    async () => {
      const [name] = readdirSync(join(root, "spelling"));
      // The same name, but of a process number that Linux never gives.
      writeFileSync(join(folder, name!.replace(`-${process.pid}-`, `-${2 ** 22 + 1}-`)), "dead");
      writeFileSync(join(folder, name!), "living");
      writeFileSync(join(folder, "x.cuelab-partial-elsewhere-4194305-1-1"), "another machine's");
    },
    { overwrite: false },
  );
  expect(readdirSync(folder)).toHaveLength(3);
  await writeWhole(join(folder, "file"), "", { overwrite: false });
  const left = readdirSync(folder).filter((name) => name !== "file");
  expect(left.map((name) => readFileSync(join(folder, name), "utf8")).sort()).toEqual([
    "another machine's",
    "living",
  ]);
  // A process that lives long looks once into each folder, and another one may have its name later.
  const living = readdirSync(folder).find((name) => readFileSync(join(folder, name), "utf8") === "living")!;
  const dead = living.replace(`-${process.pid}-`, `-${2 ** 22 + 1}-`);
  rmSync(folder, { recursive: true });
  mkdirSync(`${folder}-new`);
  writeFileSync(join(`${folder}-new`, dead), "dead");
  renameSync(`${folder}-new`, folder);
  await writeWhole(join(folder, "file"), "", { overwrite: false });
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("a pipe is written to as it is", async () => {
  const pipe = join(newFolder("pipe"), "fifo");
  execFileSync("bash", ["-c", `mkfifo "$0"`, pipe]);
  const { spawn } = await import("node:child_process");
  const reader = spawn("cat", [pipe]);
  let read = "";
  reader.stdout.on("data", (text: Buffer) => {
    read += text.toString();
  });
  const closed = new Promise((done) => reader.on("close", done));
  await writeWhole(pipe, "through", { overwrite: false });
  await closed;
  expect(read).toBe("through");
  expect(existsSync(pipe)).toBe(true);
});

test.each([
  ["ENOSPC", "failure", /disk is full[\s\S]*make room/],
  ["EDQUOT", "failure", /quota/],
  ["EACCES", "failure", /not allowed[\s\S]*right to write/],
  ["EROFS", "failure", /read-only/],
  ["ENOENT", "failure", /vanished[\s\S]*give the command again/],
  ["EMFILE", "failure", /too many files[\s\S]*ulimit -n/],
  ["ENAMETOOLONG", "input", /too long/],
  ["ENOTDIR", "input", /is a file, not a folder/],
  ["EIO", "failure", /does not work/],
])("%s is said in words", (code, kind, words) => {
  for (const cause of [
    Object.assign(new Error(`${code}: short`), { code }),
    new Error(`${code}: from a worker`),
  ]) {
    const told = diskError(cause, "/place") as CuelabError;
    expect(told).toBeInstanceOf(CuelabError);
    expect(told).toMatchObject({ kind, cause, parts: { where: "/place" } });
    expect(told.message).toMatch(words);
  }
  const other = new Error("something else");
  expect(diskError(other, "/place")).toBe(other);
});
