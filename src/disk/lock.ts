/**
 * One process at a time: a file that says who works here. It is renewed as long as that process lives; one whose process
 * is gone is taken over, by one of all that try. Where only silence speaks for that, it is watched before.
 */

import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { type FileHandle, lstat, open, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import {
  type FoundLock,
  foundLock,
  type Holder,
  heartbeatMs,
  type LockRecord,
  parseRecord,
  recordText,
  silentMs,
  timeIn,
} from "./lock-record.ts";
import { clearLeftovers, partialName } from "./partial-name.ts";
import { ownIdentity } from "./processes.ts";
import { placeNew } from "./write-whole.ts";

/** Of a run, and of a pool, in its folder. */
export const lockName = "run.lock";

/** A process whose parent was killed needs a moment to notice. */
const usualPatienceMs = 3000;
/** A silent lock is looked at so often, for three heartbeats, before it is broken. */
const looks = 45;
const usualLookMs = 1000;
/** Taking over takes milliseconds; who has not done with it by then is dead. */
const takeoverMs = 60_000;

interface LockOptions {
  patienceMs?: number;
  /** Between two looks at a lock that is silent. */
  lookMs?: number;
}

/** Locks of this process, by token. */
const held = new Map<string, Lock>();
process.on("exit", () => {
  for (const lock of held.values()) lock.release();
});

export class Lock {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #timer: NodeJS.Timeout;
  #record: LockRecord;

  constructor(path: string, file: FileHandle, record: LockRecord) {
    this.#path = path;
    this.#file = file;
    this.#record = record;
    // Into the file that was opened: once another has the name, it is not touched.
    this.#timer = setInterval(() => void this.#beat(), heartbeatMs);
    this.#timer.unref();
    held.set(record.token, this);
  }

  /** Waits for a moment, then throws and says who holds it. `what` is worked on: "run", "pool", … */
  static async take(
    path: string,
    what: string,
    { patienceMs = usualPatienceMs, lookMs = usualLookMs }: LockOptions = {},
  ): Promise<Lock> {
    const start = performance.now();
    for (;;) {
      const lock = await attempt(path, lookMs);
      if (lock instanceof Lock) return lock;
      if (lock !== undefined && performance.now() - start >= patienceMs) throw taken(path, what, lock.holder);
      await wait(50);
    }
  }

  /** Undefined where another holds it. */
  static async tryTake(path: string, { lookMs = usualLookMs }: LockOptions = {}): Promise<Lock | undefined> {
    const lock = await attempt(path, lookMs);
    return lock instanceof Lock ? lock : undefined;
  }

  /** Throws where another has taken the lock over, since this process was not heard of for too long. */
  async check(): Promise<void> {
    if (await this.isOurs()) return;
    throw new CuelabError({
      kind: "failure",
      what: "another process has taken this over",
      where: dirname(this.#path),
      got: `this process was not heard of for ${silentMs / 60_000} minutes, or its lock was deleted`,
      todo: "nothing more was written; see what the other one makes",
    });
  }

  /** Lets others in. */
  release(): void {
    clearInterval(this.#timer);
    held.delete(this.#record.token);
    try {
      const now = parseRecord(readFileSync(this.#path, "utf8"));
      if (now?.token === this.#record.token) rmSync(this.#path, { force: true });
    } catch {
      // Gone with its folder, or not ours to remove: who comes next finds this process gone.
    }
    void this.#file.close().catch(() => {});
  }

  /** Not any more where another has taken it over. */
  async isOurs(): Promise<boolean> {
    const text = await readFile(this.#path, "utf8").catch(() => "");
    return parseRecord(text)?.token === this.#record.token;
  }

  async #beat(): Promise<void> {
    this.#record = { ...this.#record, heartbeat: new Date().toISOString() };
    // One that fails is missed; only many of them in a row matter.
    await this.#file.write(recordText(this.#record), 0).catch(() => {});
  }
}

/** Whether some process is working behind the lock. */
export async function isLocked(path: string): Promise<boolean> {
  try {
    return (await look(path))?.state === "held";
  } catch (cause) {
    // Nobody can work behind what is no lock; who wants to begin there is told.
    if (cause instanceof CuelabError) return false;
    throw cause;
  }
}

function look(path: string): Promise<FoundLock | undefined> {
  return foundLock(path, (token) => held.has(token));
}

/** The lock; or who has it; or undefined where things have just changed, and another look is due. */
async function attempt(path: string, lookMs: number): Promise<Lock | FoundLock | undefined> {
  try {
    const found = await look(path);
    if (found === undefined) return await create(path);
    if (found.state === "held") return found;
    if (found.state === "silent" && !(await staysSilent(path, found, lookMs))) return undefined;
    return await takeOver(path, found);
  } catch (cause) {
    throw diskError(cause, path);
  }
}

/** Counted by looks and not by a clock: whatever stops this process and the holder together stops both. */
async function staysSilent(path: string, found: FoundLock, lookMs: number): Promise<boolean> {
  for (let i = 0; i < looks; i++) {
    await wait(lookMs);
    if ((await look(path))?.sign !== found.sign) return false;
  }
  return true;
}

/** Written before it has its name, so that nobody finds it empty. Undefined where another was quicker. */
async function create(path: string): Promise<Lock | undefined> {
  return newLock(path, (partial) => placeNew(partial, path));
}

/**
 * Only who holds the guard replaces a lock. A process that is stopped here may come back when others have taken it for dead and
 * gone on: the last thing that it does before is to look whether guard and lock are still those that it knows.
 */
async function takeOver(path: string, found: FoundLock): Promise<Lock | undefined> {
  const guard = `${path}.takeover`;
  const claim = randomUUID();
  const isClaimed = async () => (await readFile(guard, "utf8").catch(() => "")) === claim;
  try {
    await writeFile(guard, claim, { flag: "wx" });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    await removeOldGuard(guard);
    return undefined;
  }
  try {
    return await newLock(path, async (partial) => {
      if ((await look(path))?.sign !== found.sign || !(await isClaimed())) return false;
      await rename(partial, path);
      return true;
    });
  } finally {
    if (await isClaimed()) await rm(guard, { force: true });
  }
}

/** A lock under another name, which `place` gives its own, if it can. */
async function newLock(
  path: string,
  place: (partial: string) => Promise<boolean>,
): Promise<Lock | undefined> {
  await clearLeftovers(dirname(path));
  const partial = partialName(path);
  const file = await open(partial, "wx");
  try {
    const now = new Date().toISOString();
    const record: LockRecord = {
      cuelabLock: 1,
      ...ownIdentity(),
      path: join(await realpath(dirname(path)), basename(path)),
      token: randomUUID(),
      since: now,
      heartbeat: now,
    };
    await file.writeFile(recordText(record));
    if (await place(partial)) {
      const lock = new Lock(path, file, record);
      if (await lock.isOurs()) return lock;
      lock.release();
      return undefined;
    }
  } catch (cause) {
    await file.close();
    await rm(partial, { force: true });
    throw cause;
  }
  await file.close();
  await rm(partial, { force: true });
  return undefined;
}

/** Who was killed while taking over leaves the guard behind. */
async function removeOldGuard(guard: string): Promise<void> {
  const there = await lstat(guard).catch(() => undefined);
  if (there === undefined || (await timeIn(dirname(guard))) - there.mtimeMs < takeoverMs) return;
  await rm(guard, { force: true });
}

function taken(path: string, what: string, holder: Holder): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `another process is working on this ${what}`,
    where: dirname(path),
    got: holder,
    todo: `wait for it, or choose another --out; if that process is none of cuelab, delete ${path}`,
  });
}
