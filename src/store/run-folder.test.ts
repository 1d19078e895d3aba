import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { lockFolder, lockName } from "../disk/lock.ts";
import { RunFolder, runFiles } from "./run-folder.ts";

const root = temporaryFolder();
const spec = { data: { identity: "d", path: "/here" }, seed: 1 };
/** Above the largest process number that Linux gives. */
const deadProcess = 2 ** 22 + 1;

async function finished(name: string): Promise<string> {
  const path = join(root, name);
  const folder = await RunFolder.open(path, spec, { force: false });
  const { history, predictions, model, weights } = runFiles;
  for (const file of [history, predictions, model, weights]) await folder.write(file, file);
  await folder.write(runFiles.results, "{}");
  await folder.write(runFiles.checkpoint, "state");
  await folder.finish("1.0.0");
  folder.close();
  return path;
}

test("finishing removes the checkpoint, and so does opening where that was cut short", async () => {
  const path = await finished("leftover");
  expect(readdirSync(path)).not.toContain(runFiles.checkpoint);
  writeFileSync(join(path, runFiles.checkpoint), "state");
  (await RunFolder.open(path, spec, { force: false })).close();
  expect(readdirSync(path)).not.toContain(runFiles.checkpoint);
  writeFileSync(join(path, runFiles.checkpoint), "state");
  expect(await RunFolder.readFinished(path, spec, runFiles.results)).toBe("{}");
  expect(readdirSync(path)).not.toContain(runFiles.checkpoint);
});

test("where the data lies is told but makes no other run; anything else does", async () => {
  const path = await finished("moved");
  const before = readFileSync(join(path, runFiles.spec), "utf8");
  const folder = await RunFolder.open(
    path,
    { ...spec, data: { ...spec.data, path: "/there" } },
    { force: false },
  );
  folder.close();
  expect(folder.id).toBe((JSON.parse(before) as { id: string }).id);
  expect(readFileSync(join(path, runFiles.spec), "utf8")).toBe(before);
  const other = { ...spec, data: { ...spec.data, identity: "e" } };
  await expect(RunFolder.open(path, other, { force: false })).rejects.toThrow(/another run is there/);
  (await RunFolder.open(path, other, { force: true })).close();
  expect(readdirSync(path)).toEqual([runFiles.spec]);
});

test.each([runFiles.results, runFiles.model, runFiles.spec, runFiles.manifest])(
  "damage to %s is noticed and named",
  async (name) => {
    const path = await finished(`damaged ${name}`);
    writeFileSync(join(path, name), "other");
    const reading = RunFolder.readFinished(path, spec, runFiles.results);
    await expect(reading).rejects.toThrow(`where: ${join(path, name)}`);
    await expect(reading).rejects.toThrow(/--force/);
    // And the advice works.
    (await RunFolder.open(path, spec, { force: true })).close();
    expect(readdirSync(path)).toEqual([runFiles.spec]);
  },
);

test("one process at a time: a living one is respected, a dead one is not", async () => {
  const path = join(root, "locked");
  (await RunFolder.open(path, spec, { force: false })).close();
  const lock = join(path, lockName);
  writeFileSync(lock, `${process.ppid}\n`);
  await expect(RunFolder.open(path, spec, { force: true })).rejects.toThrow(
    /another process is working on this run/,
  );
  expect(existsSync(join(path, runFiles.spec))).toBe(true);
  for (const dead of [`${deadProcess}\n`, `${process.pid}\n`]) {
    writeFileSync(lock, dead);
    const folder = await RunFolder.open(path, spec, { force: false });
    expect(readFileSync(lock, "utf8")).toBe(`${process.pid}\n`);
    folder.close();
    expect(readdirSync(path)).toEqual([runFiles.spec]);
  }
});

test("a lock is waited for a moment", async () => {
  const path = join(root, "patient");
  (await RunFolder.open(path, spec, { force: false })).close();
  const release = await lockFolder(path);
  setTimeout(release, 200);
  (await lockFolder(path))();
});
