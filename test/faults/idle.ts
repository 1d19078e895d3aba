/** When a process that has done its work would end, and what would end with it. */

import { setTimeout as wait } from "node:timers/promises";

/** What a process waits for before it ends: the disk, and timers that hold it. */
const holding = /^(FSReq|CloseReq|FileHandle|WriteStream|Timeout)/;

/** Until nothing is under way any more. */
export async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    // What has just ended may begin the next thing.
    await wait(1);
    if (process.getActiveResourcesInfo().some((name) => holding.test(name))) quiet = -1;
  }
}

const begun = new Set<NodeJS.Timeout>();

/** From now on timers are known by those who set them. */
export function knowTimers(): void {
  for (const name of ["setTimeout", "setInterval"] as const) {
    const original = globalThis[name];
    const noted = (work: () => void, ...given: number[]) => {
      const timer = original(work, ...given);
      begun.add(timer);
      return timer;
    };
    // Both have another form for promises.
    Object.defineProperties(noted, Object.getOwnPropertyDescriptors(original));
    globalThis[name] = noted as typeof setTimeout & typeof setInterval;
  }
}

/** Those that hold no process end with it: nobody's heart beats on in the name of one that is over. */
export function endTimers(): void {
  for (const timer of begun) clearTimeout(timer);
  begun.clear();
}
