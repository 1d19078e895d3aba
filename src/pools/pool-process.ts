/** A process that makes parts of a pool, one after the other as its parent says; without a parent it ends. */

import { CuelabError } from "../core/errors.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import type { FromPoolProcess, ToPoolProcess } from "./pool-messages.ts";
import { PoolWorkshop } from "./pool-workshop.ts";

/** Often enough for a moving line, seldom enough to cost nothing. */
const progressMs = 100;

let workshop: PoolWorkshop | undefined;
let told: NodeJS.CpuUsage = { user: 0, system: 0 };

// Signals may reach the whole process group; the parent decides what they mean.
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
// Steps let go of the thread now and then, so this comes within a moment; parts are there whole or not at all.
process.on("disconnect", () => process.exit(1));

process.on("message", (message: ToPoolProcess) => {
  work(message).then(
    () => say({ type: "free", coreSeconds: usedSince() }),
    (cause: unknown) => say(failure(cause)),
  );
});

async function work(message: ToPoolProcess): Promise<void> {
  switch (message.type) {
    case "open":
      await takePlugins(message.plugins);
      workshop = await PoolWorkshop.open(message.spec, {
        ...message,
        onImages: everyMoment(),
        onNetwork: (kind, images) => say({ type: "network", kind, images }),
      });
      break;
    case "make":
      await workshop!.make(message.job);
      break;
    default:
      message satisfies never;
  }
}

/** Core seconds since it was last asked. */
function usedSince(): number {
  const { user, system } = process.cpuUsage(told);
  told = process.cpuUsage();
  return (user + system) / 1e6;
}

function everyMoment(): (done: number, total: number) => void {
  let last = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - last < progressMs && done < total) return;
    last = now;
    say({ type: "images", done, total });
  };
}

function failure(cause: unknown): FromPoolProcess {
  if (!(cause instanceof CuelabError))
    return { type: "failed", stack: (cause as Error).stack ?? String(cause) };
  const { cause: _, ...parts } = cause.parts;
  return { type: "failed", parts };
}

function say(message: FromPoolProcess): void {
  if (process.connected) process.send!(message);
}
