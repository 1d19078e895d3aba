import { mkdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, expect, type MockInstance, test, vi } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { appendLine } from "./append-line.ts";
import { OutputFolder } from "./output-folder.ts";
import { writeWhole } from "./write-whole.ts";

const root = temporaryFolder();
let waits: MockInstance;

beforeAll(async () => {
  const probe = await open(process.execPath, "r");
  waits = vi.spyOn(Object.getPrototypeOf(probe) as { sync: () => Promise<void> }, "sync");
  await probe.close();
});
afterEach(() => waits.mockClear());

test("a whole file is on the disk, and then its name", async () => {
  await writeWhole(join(root, "file"), "text", { overwrite: false });
  expect(waits).toHaveBeenCalledTimes(2);
  await writeWhole(join(root, "file"), "other", { overwrite: true });
  expect(waits).toHaveBeenCalledTimes(4);
  await writeWhole(join(root, "for-a-moment"), "text", { overwrite: false, durable: false });
  expect(waits).toHaveBeenCalledTimes(4);
});

test("a folder that appears whole has all its files on the disk, those of other writers too", async () => {
  const content = { name: "thing", already: "", ownIn: () => Promise.resolve(undefined) };
  const folder = await OutputFolder.create(join(root, "folder"), { force: false }, content);
  await folder.write("about.json", "{}");
  mkdirSync(join(folder.path, "images"));
  for (const name of ["a.png", "b.png"]) writeFileSync(join(folder.path, "images", name), name);
  expect(waits).not.toHaveBeenCalled();
  await folder.commit();
  // Three files, the folder inside, the folder itself, and the one around it.
  expect(waits).toHaveBeenCalledTimes(6);
});

test("a disk that takes a part of a line at a time gets all of it", async () => {
  const probe = await open(process.execPath, "r");
  const prototype = Object.getPrototypeOf(probe) as { write: unknown };
  await probe.close();
  // As system calls may: one byte, and no error.
  const short = vi.spyOn(prototype as { write: () => Promise<unknown> }, "write");
  short.mockResolvedValue({ bytesWritten: 1 });
  await appendLine(join(root, "log"), "a line");
  short.mockRestore();
  const file = await open(join(root, "log"));
  expect(await file.readFile("utf8")).toBe("a line\n");
  await file.close();
});
