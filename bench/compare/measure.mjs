/**
 * One command in a process of its own: seconds, seconds of the processor (which other programs disturb less), and the
 * memory of it and of all that it starts (on Linux).
 */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Bash counts what a command and everything that it waited for has used. */
const counted = 'TIMEFORMAT="used %U %S"; time "$@"';

export function measure(words, cwd) {
  const start = performance.now();
  const child = spawn("bash", ["-c", counted, "bash", process.execPath, ...words], {
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  let [treeMegabytes, childMegabytes] = [0, 0];
  const look = () => {
    const [, ...tree] = processesOf(child.pid);
    const together = tree.reduce((sum, { resident }) => sum + resident, 0);
    treeMegabytes = Math.max(treeMegabytes, together);
    childMegabytes = Math.max(childMegabytes, ...tree.slice(1).map(({ peak }) => peak));
    // Short commands are looked at often; long ones seldom, so that looking costs nothing.
    timer = setTimeout(look, performance.now() - start < 500 ? 10 : 100);
  };
  let timer = setTimeout(look, 10);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code !== 0) return fail(new Error(`exit code ${code} of ${words.join(" ")}\n${errors}`));
      const [, user, system] = /^used (\S+) (\S+)$/m.exec(errors);
      const processorSeconds = Number(user) + Number(system);
      return done({
        seconds: (performance.now() - start) / 1000,
        processorSeconds,
        treeMegabytes,
        childMegabytes,
      });
    });
  });
}

/** A process and, after it, those that it and its threads have started; empty where there is no /proc. */
function processesOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
    return [
      { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") },
      ...children.flatMap((id) => processesOf(Number(id))),
    ];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
