/** When a process that has done its work would end. */

import { setTimeout as wait } from "node:timers/promises";

const ofTheDisk = /^(FSReq|CloseReq|FileHandle|WriteStream)/;

/** Until nothing is under way on the disk any more, which a process waits for before it ends. */
export async function untilIdle(): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    // What has just ended may begin the next thing.
    await wait(1);
    if (process.getActiveResourcesInfo().some((name) => ofTheDisk.test(name))) quiet = -1;
  }
}
