/**
 * What something on disk has cost: seconds of processor cores, in a small file that no digest covers, since equal seeds give
 * equal bytes but never equal times. Whoever goes on with what was begun adds to it.
 */

import { readPlain } from "../disk/plain-file.ts";
import { writeWhole } from "../disk/write-whole.ts";

/** In a run's or a pool's folder. */
export const timeFile = "time.json";

export interface CoreTime {
  /** Of all cores together, by the system's own count of what the processes used. */
  coreSeconds: number;
  /** Of the clock on the wall. */
  seconds: number;
}

/** Nothing where nothing was recorded, such as for runs of earlier versions. */
export async function readCoreTime(path: string): Promise<CoreTime | undefined> {
  const text = await readPlain(path)
    .then(String)
    .catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { coreSeconds, seconds } = JSON.parse(text) as Partial<CoreTime>;
    if (Number.isFinite(coreSeconds) && Number.isFinite(seconds))
      return { coreSeconds: coreSeconds!, seconds: seconds! };
  } catch {
    // A file that tells nothing is as good as none: no result depends on it.
  }
  return undefined;
}

/** Counts from its making on; what was recorded before is kept and added to. */
export class CoreClock {
  readonly #path: string;
  readonly #before: CoreTime;
  readonly #start = { cpu: process.cpuUsage(), wall: performance.now() };
  #elsewhere = 0;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, before: CoreTime) {
    this.#path = path;
    this.#before = before;
  }

  static async begin(path: string): Promise<CoreClock> {
    const before = await readCoreTime(path);
    const clock = new CoreClock(path, before ?? { coreSeconds: 0, seconds: 0 });
    // There from the first moment on: who is killed when all but this is done comes back to nothing that could be counted.
    if (before === undefined) await clock.save().catch(() => {});
    return clock;
  }

  /** Core seconds that another process used for it. */
  add(coreSeconds: number): void {
    this.#elsewhere += coreSeconds;
  }

  /** One after the other: an earlier count must not take the place of a later one. */
  save(): Promise<void> {
    this.#saving = this.#saving.catch(() => {}).then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#start.cpu);
    const own = (user + system) / 1e6 + this.#elsewhere;
    const time: CoreTime = {
      coreSeconds: rounded(this.#before.coreSeconds + own),
      seconds: rounded(this.#before.seconds + (performance.now() - this.#start.wall) / 1000),
    };
    await writeWhole(this.#path, `${JSON.stringify(time)}\n`, { overwrite: true });
  }
}

function rounded(seconds: number): number {
  return Math.round(1000 * seconds) / 1000;
}
