/** Whether memory is limited so that Node might end this process before it can say anything; see `little-memory.ts`. */

import { readFileSync } from "node:fs";

/** By which a process knows that another one waits for it. */
export const watchedMark = "--title=cuelab-watched";

/** In words, where this process may not have as much memory as it likes. */
export function memoryLimit(): string | undefined {
  if (process.execArgv.includes(watchedMark)) return undefined;
  const heap = /max-old-space-size[= ](\d+)/.exec(
    `${process.env.NODE_OPTIONS ?? ""} ${process.execArgv.join(" ")}`,
  )?.[1];
  const addresses = addressLimit();
  const limits = [
    ...(addresses === undefined ? [] : [`${Math.round(addresses / 2 ** 20)} MB of addresses (ulimit -v)`]),
    ...(heap === undefined ? [] : [`a heap of ${heap} MB (--max-old-space-size)`]),
  ];
  return limits.length === 0 ? undefined : limits.join(", ");
}

/** Undefined where there is none, or the system does not tell. */
function addressLimit(): number | undefined {
  try {
    const soft = /^Max address space\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** A child whose watcher is gone must not go on alone. */
export function endWithWatcher(): void {
  if (!process.execArgv.includes(watchedMark)) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
