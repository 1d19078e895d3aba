import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { Lock, lockName } from "../disk/lock.ts";
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
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ process: process.pid });
    folder.close();
    expect(readdirSync(path)).toEqual([runFiles.spec]);
  }
});

test("what a killed process was writing goes, by whatever version", async () => {
  const path = join(root, "half");
  (await RunFolder.open(path, spec, { force: false })).close();
  writeFileSync(join(path, "history.csv.partial"), "half");
  writeFileSync(join(path, `.model.onnx.cuelab-partial-x-${deadProcess}-1-1`), "half");
  writeFileSync(join(path, `${lockName}.takeover`), "");
  (await RunFolder.open(path, spec, { force: false })).close();
  expect(readdirSync(path)).toEqual([`${lockName}.takeover`, runFiles.spec]);
});

test("a run whose folder another process has taken over writes nothing more", async () => {
  const path = join(root, "lost");
  const folder = await RunFolder.open(path, spec, { force: false });
  rmSync(join(path, lockName));
  const other = await Lock.take(join(path, lockName), "run");
  await expect(folder.write(runFiles.results, "{}")).rejects.toThrow(/another process has taken this over/);
  folder.close();
  await other.check();
  other.release();
  expect(readdirSync(path)).toEqual([runFiles.spec]);
});
