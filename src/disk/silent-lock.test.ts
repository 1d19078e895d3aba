/** Locks of which only silence tells, and processes that were stopped and come back: who lives keeps its lock, who lost it notices. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { isLocked, Lock, lockName } from "./lock.ts";
import { leftovers } from "./partial-name.ts";
import { ownIdentity } from "./processes.ts";
import { writeWhole } from "./write-whole.ts";

const root = temporaryFolder();
const minute = 60_000;
const deadProcess = 2 ** 22 + 1;

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

/** A lock as a process of another machine writes it, with its clock at so many milliseconds from ours. */
function theirs(path: string, clockMs = 0, token = "theirs"): string {
  const now = new Date(Date.now() + clockMs).toISOString();
  const who = { ...ownIdentity(), host: "there", boot: "another", process: deadProcess };
  return `${JSON.stringify({ cuelabLock: 1, ...who, path, token, since: now, heartbeat: now })}\n`;
}

/** Sets the file's time to so long ago: as a jump of the clock, or a sleep of all machines, makes it look. */
function age(path: string, ms: number): void {
  const then = (Date.now() - ms) / 1000;
  utimesSync(path, then, then);
}

test.each([
  ["the clock jumped forward by hours, or all have slept", 0, 600 * minute],
  ["the holder's clock is years behind", -3e11, 0],
])("a living process keeps its lock where %s", async (name, clockMs, ageMs) => {
  const path = join(newFolder(name.replaceAll(/\W+/g, "-")), lockName);
  writeFileSync(path, theirs(path, clockMs));
  age(path, ageMs);
  // It looks lost, but speaks while it is watched.
  expect(await isLocked(path)).toBe(false);
  const attempt = Lock.tryTake(path, { lookMs: 20 });
  await wait(100);
  const beat = theirs(path, clockMs);
  writeFileSync(path, beat);
  expect(await attempt).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe(beat);
});

test("a lock from the future counts from now on, and is lost half an hour later", async () => {
  const path = join(newFolder("future"), lockName);
  writeFileSync(path, theirs(path));
  age(path, -2000 * minute);
  expect(await isLocked(path)).toBe(true);
  expect(Math.abs(statSync(path).mtimeMs - Date.now())).toBeLessThan(minute);
  expect(readFileSync(path, "utf8")).toContain("theirs");
  age(path, 31 * minute);
  (await Lock.take(path, "run", { lookMs: 1 })).release();
});

test("who was stopped while taking over, and was taken for dead, leaves the lock of the one that went on", async () => {
  const path = join(newFolder("stopped"), lockName);
  writeFileSync(path, theirs(path));
  age(path, 31 * minute);
  // Between the guard and the lock: the first thing that is written there is the new lock under its other name.
  const attempt = Lock.tryTake(path, { lookMs: 1 });
  const guarded = () => existsSync(`${path}.takeover`) && statSync(`${path}.takeover`).size > 0;
  while (!guarded()) await new Promise((go) => setImmediate(go));
  writeFileSync(`${path}.takeover`, "of another one");
  const winner = theirs(path, 0, "winner");
  writeFileSync(`${path}.new`, winner);
  renameSync(`${path}.new`, path);
  expect(await attempt).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe(winner);
  expect(readFileSync(`${path}.takeover`, "utf8")).toBe("of another one");
});

test("who was stopped while writing, and lost its lock meanwhile, notices before its file has its name", async () => {
  const folder = newFolder("writing");
  const path = join(folder, lockName);
  const lock = await Lock.take(path, "run");
  const file = join(folder, "results.json");
  const written = writeWhole(
    file,
    async (open) => {
      await open.writeFile("of the stopped one");
      // Meanwhile another machine has taken over, and has finished.
      writeFileSync(`${path}.new`, theirs(path));
      renameSync(`${path}.new`, path);
      writeFileSync(file, "of the other one");
    },
    { overwrite: true, confirm: () => lock.check() },
  );
  await expect(written).rejects.toThrow(/another process has taken this over/);
  expect(readFileSync(file, "utf8")).toBe("of the other one");
  expect(readdirSync(folder).sort()).toEqual(["results.json", lockName]);
  lock.release();
});

test("what another machine of the same name is writing is left alone without a lock", async () => {
  const folder = newFolder("namesake");
  let spelling = "";
  const look = async () => {
    spelling = readdirSync(folder)[0]!;
  };
  await writeWhole(join(folder, "x"), look, { overwrite: false });
  const run = ownIdentity().boot!.slice(0, 8);
  expect(spelling).toContain(`~${run}-${process.pid}-`);
  const dead = spelling.replace(`-${process.pid}-`, `-${deadProcess}-`);
  const namesakes = dead.replace(run, "00000000");
  for (const name of [dead, namesakes]) writeFileSync(join(folder, name), "half");
  expect(await leftovers(folder)).toEqual([dead]);
  // Who holds the lock of what it belongs to knows better; and what is very old was written before a restart.
  expect((await leftovers(folder, join(folder, "x"))).sort()).toEqual([dead, namesakes].sort());
  age(join(folder, namesakes), 1e12);
  expect((await leftovers(folder)).sort()).toEqual([dead, namesakes].sort());
});
