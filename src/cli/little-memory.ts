/**
 * Where memory is limited, Node ends the process at once when there is none left, and nobody in it can say why. Only there
 * the program runs as a child of a process that does nothing but wait, and says what happened.
 */

import { fork } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { watchedMark } from "./memory-limit.ts";

/** How Node ends for lack of memory. */
const endings = ["SIGABRT", "SIGTRAP", "SIGILL"];
/** What it says then, for those who know its inside. */
const remains = /^(#|# Fatal.*|<---.*--->|.*\[\d+:0x.*|FATAL ERROR: .*|-+ \w+ stack trace -+|\s*\d+: 0x.*)$/;

/** The exit code of the program, run as a child. */
export function runWatched(main: string, args: readonly string[], limit: string): Promise<number> {
  const child = fork(main, args, {
    execArgv: [...process.execArgv, watchedMark],
    stdio: ["inherit", "inherit", "pipe", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  let blank = "";
  createInterface({ input: child.stderr! }).on("line", (line) => {
    if (line.trim() === "") blank += "\n";
    else {
      // Its remains have blank lines before and between them.
      if (!remains.test(line)) process.stderr.write(`${blank}${line}\n`);
      blank = "";
    }
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      if (signal === null || !endings.includes(signal)) {
        done(code ?? 128 + constants.signals[signal ?? "SIGKILL"]);
        return;
      }
      process.stderr.write(
        `error: there is not enough memory\n  expected: 3 GB of addresses and 100 MB of heap for small data, more for large\n  got: ${limit}\n  try: allow more, such as with 'ulimit -v unlimited', or fewer --workers or --threads\n`,
      );
      done(1);
    });
  });
}
