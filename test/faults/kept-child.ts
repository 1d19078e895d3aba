/** Loaded before a process of the program's that a host keeps: instead of ending, it says that it would, and waits for the next command. */

import { isMainThread } from "node:worker_threads";
import { endTimers, knowTimers, untilIdle } from "./idle.ts";

interface Told {
  kept?: "begin" | "end";
  cwd: string;
  argv: string[];
}

// Threads load it, too, and end as they always do.
if (isMainThread) keepOn();

function keepOn(): void {
  knowTimers();
  const emit = process.emit.bind(process) as (name: string, ...given: unknown[]) => boolean;
  process.emit = ((name: string, ...given: unknown[]) => {
    const told = given[0] as Told | undefined;
    if (name !== "message" || told?.kept === undefined) return emit(name, ...given);
    if (told.kept === "end") void finish();
    else {
      process.chdir(told.cwd);
      process.argv = told.argv;
    }
    return true;
  }) as typeof process.emit;

  const disconnect = process.disconnect!.bind(process);
  process.disconnect = () => void finish().catch(disconnect);
}

async function finish(): Promise<void> {
  await untilIdle();
  endTimers();
  process.send!({ kept: "done" });
}
