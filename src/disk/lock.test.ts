/** Who may go in: every kind of lock that can lie in a folder, and two processes that want one. */

import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { CuelabError } from "../core/errors.ts";
import { isLocked, Lock, lockName } from "./lock.ts";
import { ownIdentity } from "./processes.ts";

const root = temporaryFolder();
/** Above the largest process number that Linux gives. */
const deadProcess = 2 ** 22 + 1;
const minute = 60_000;

function newFolder(name: string): string {
  const folder = join(root, name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder);
  return folder;
}

/** A process that lives as long as the test. */
function neighbour(): number {
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid!;
}

/** A lock as a process of this machine would write it. */
function record(path: string, changed: object = {}): string {
  const now = new Date().toISOString();
  const known = { cuelabLock: 1, ...ownIdentity(), path, token: "t", since: now, heartbeat: now };
  return `${JSON.stringify({ ...known, ...changed })}\n`;
}

/** Sets the file's own time to so long ago. */
function age(path: string, ms: number): void {
  const then = (Date.now() - ms) / 1000;
  utimesSync(path, then, then);
}

const started = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[19];
const isLinux = process.platform === "linux";

test("a lock says who holds it, since when, and goes when it is released", async () => {
  const path = join(newFolder("record"), lockName);
  const lock = await Lock.take(path, "run");
  const text = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  expect(text).toMatchObject({ ...ownIdentity(), path });
  expect(Object.keys(text)).toEqual(
    expect.arrayContaining(["host", "boot", "process", "started", "since", "heartbeat"]),
  );
  if (isLinux) expect(text.started).toBe(started(process.pid));
  expect(await isLocked(path)).toBe(true);
  expect(await Lock.tryTake(path)).toBeUndefined();
  lock.release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

const oddities: [string, (path: string) => void][] = [
  ["a folder", (path) => mkdirSync(path)],
  ["a link", (path) => symlinkSync(`${path}-nowhere`, path)],
  ["a link", (path) => symlinkSync("/dev/zero", path)],
  ["a pipe", (path) => void execFileSync("sh", ["-c", `mkfifo "$0"`, path])],
];

test.runIf(isLinux).each(oddities)(
  "%s where a lock belongs is told, and not waited for",
  async (kind, make) => {
    const path = join(newFolder(`odd-${randomUUID()}`), lockName);
    make(path);
    await expect(Lock.take(path, "run")).rejects.toThrow(new RegExp(`something else[\\s\\S]*got: ${kind}`));
    expect(await isLocked(path)).toBe(false);
  },
);

test("a lock that cannot be written is an error in words", async () => {
  const file = join(newFolder("in words"), "file");
  writeFileSync(file, "");
  const refused = Lock.take(join(file, lockName), "run");
  await expect(refused).rejects.toThrow(CuelabError);
  await expect(refused).rejects.toThrow(/a part of the path is a file/);
});

test("a lock is waited for a moment; then its holder is named", async () => {
  const path = join(newFolder("patient"), lockName);
  const lock = await Lock.take(path, "run");
  setTimeout(() => lock.release(), 200);
  const second = await Lock.take(path, "run");
  const refused = Lock.take(path, "run");
  await expect(refused).rejects.toThrow(
    new RegExp(`working on this run[\\s\\S]*process ${process.pid} on ${ownIdentity().host}, since 20`),
  );
  second.release();
});

/** What may lie there: how old its file is, and whether it keeps others out. */
const cases: [string, boolean, (path: string) => { text: string; ageMs?: number }][] = [
  ["of a dead process", false, (path) => ({ text: record(path, { process: deadProcess }) })],
  [
    "of a process whose number another one has now",
    false,
    (path) => ({ text: record(path, { process: neighbour(), started: "12" }) }),
  ],
  [
    "of a living process, however long it was busy",
    true,
    (path) => {
      const pid = neighbour();
      return { text: record(path, { process: pid, started: started(pid) }), ageMs: 600 * minute };
    },
  ],
  [
    "of a living process, where the system does not tell when it began",
    true,
    (path) => ({ text: record(path, { process: neighbour(), started: null }) }),
  ],
  [
    "of a number that lives but was not heard of, where the system does not tell when it began",
    false,
    (path) => ({ text: record(path, { process: neighbour(), started: null }), ageMs: 31 * minute }),
  ],
  ["of this very process in a former life", false, (path) => ({ text: record(path, { started: "12" }) })],
  [
    "from before the machine was switched off",
    false,
    (path) => ({
      text: record(path, { boot: "another", process: 1 }),
      ageMs: 1000 * uptime() + minute,
    }),
  ],
  [
    "of another machine with our name",
    true,
    (path) => ({ text: record(path, { boot: "another", process: deadProcess }) }),
  ],
  [
    "of another machine, lately",
    true,
    (path) => ({ text: record(path, { host: "there", process: deadProcess }), ageMs: 20 * minute }),
  ],
  [
    "of another machine, silent for long",
    false,
    (path) => ({ text: record(path, { host: "there", process: 1 }), ageMs: 31 * minute }),
  ],
  [
    "of another machine whose clock is hours behind",
    true,
    (path) => ({
      text: record(path, { host: "there", heartbeat: new Date(Date.now() - 600 * minute).toISOString() }),
    }),
  ],
  [
    "of another machine whose clock is hours ahead, silent for long",
    false,
    (path) => ({
      text: record(path, { host: "there", heartbeat: new Date(Date.now() + 600 * minute).toISOString() }),
      ageMs: 31 * minute,
    }),
  ],
  [
    "of another machine, copied here days later",
    false,
    (path) => ({
      text: record(path, { host: "there", heartbeat: new Date(Date.now() - 4000 * minute).toISOString() }),
    }),
  ],
  [
    "of another container of this machine, lately",
    true,
    (path) => ({ text: record(path, { space: "7", process: deadProcess }) }),
  ],
  ["of an earlier version, dead", false, () => ({ text: `${deadProcess}\n` })],
  ["of an earlier version, alive", true, () => ({ text: `${process.ppid}\n` })],
  ["of an earlier version, with our number", false, () => ({ text: `${process.pid}\n` })],
  ["of an earlier version, with the number of another program", false, () => ({ text: `${neighbour()}\n` })],
  [
    "of an earlier version, alive, while the clock was set forward by a day",
    true,
    () => ({ text: `${process.ppid}\n`, ageMs: 1440 * minute }),
  ],
  ["that is being written", true, () => ({ text: "" })],
  ["that was never written", false, () => ({ text: "", ageMs: minute })],
  ["that is something else", false, () => ({ text: '{"cuelabLock": "x"}', ageMs: minute })],
  ["that was cut short", false, (path) => ({ text: record(path).slice(0, 60), ageMs: minute })],
  [
    "of a living process that sees other paths, such as from a container",
    true,
    (path) => {
      const pid = neighbour();
      return { text: record("/elsewhere/run.lock", { process: pid, started: started(pid), view: path }) };
    },
  ],
];

test.runIf(isLinux).each(cases)("a lock %s: respected is %s", async (name, isHeld, lockOf) => {
  const path = join(newFolder(name), lockName);
  const { text, ageMs = 0 } = lockOf(path);
  writeFileSync(path, text);
  if (ageMs > 0) age(path, ageMs);
  expect(await isLocked(path)).toBe(isHeld);
  const lock = await Lock.tryTake(path, { lookMs: 1 });
  expect(lock === undefined).toBe(isHeld);
  if (isHeld) expect(readFileSync(path, "utf8")).toBe(text);
  else expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ process: process.pid });
  lock?.release();
  expect(readdirSync(join(path, ".."))).toEqual(isHeld ? [lockName] : []);
});

test("a lock copied or moved along with its folder keeps nobody out; other names of the folder do", async () => {
  const [from, to] = [newFolder("original"), newFolder("copy")];
  const lock = await Lock.take(join(from, lockName), "run");
  copyFileSync(join(from, lockName), join(to, lockName));
  expect(await isLocked(join(to, lockName))).toBe(false);
  const other = await Lock.take(join(to, lockName), "run");
  // Each has its own now.
  await lock.check();
  await other.check();
  other.release();
  symlinkSync(from, join(root, "linked"));
  expect(await isLocked(join(root, "linked", lockName))).toBe(true);
  renameSync(from, join(root, "moved"));
  expect(await isLocked(join(root, "moved", lockName))).toBe(false);
  lock.release();
  expect(existsSync(join(root, "moved", lockName))).toBe(true);
});

test("whoever was taken for dead and is not, notices, and leaves the other's lock alone", async () => {
  const path = join(newFolder("revived"), lockName);
  const lock = await Lock.take(path, "run");
  const theirs = record(path, { host: "there", token: "theirs" });
  // As another machine does it: a new file in the place of the old one.
  writeFileSync(`${path}.new`, theirs);
  renameSync(`${path}.new`, path);
  await expect(lock.check()).rejects.toThrow(
    /another process has taken this over[\s\S]*nothing more was written/,
  );
  lock.release();
  expect(readFileSync(path, "utf8")).toBe(theirs);
});

test("it is renewed again and again, and in the file that was opened alone", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(newFolder("renewed"), lockName);
  const lock = await Lock.take(path, "run");
  const first = readFileSync(path, "utf8");
  const heartbeat = (text: string) => (JSON.parse(text) as { heartbeat: string }).heartbeat;
  vi.advanceTimersByTime(20 * minute);
  await vi.waitFor(() => expect(heartbeat(readFileSync(path, "utf8")) > heartbeat(first)).toBe(true));
  expect(readFileSync(path, "utf8")).toHaveLength(first.length);
  writeFileSync(`${path}.new`, "theirs");
  renameSync(`${path}.new`, path);
  vi.advanceTimersByTime(20 * minute);
  await new Promise((done) => setImmediate(done));
  expect(readFileSync(path, "utf8")).toBe("theirs");
  lock.release();
});

test("a process that has begun to take over and died does not keep others out for good", async () => {
  const path = join(newFolder("guard"), lockName);
  writeFileSync(path, record(path, { process: deadProcess }));
  writeFileSync(`${path}.takeover`, "");
  expect(await Lock.tryTake(path)).toBeUndefined();
  age(`${path}.takeover`, 2 * minute);
  (await Lock.take(path, "run")).release();
  expect(readdirSync(join(path, ".."))).toEqual([]);
});
