/** One command in a process of its own: seconds, and the memory of it and all that it starts (on Linux). */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export function measure(words, cwd) {
  const start = performance.now();
  const child = spawn(process.execPath, words, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  let [treeMegabytes, childMegabytes] = [0, 0];
  const look = () => {
    const tree = processesOf(child.pid);
    treeMegabytes = Math.max(
      treeMegabytes,
      tree.reduce((sum, { resident }) => sum + resident, 0),
    );
    childMegabytes = Math.max(childMegabytes, ...tree.slice(1).map(({ peak }) => peak));
    // Short commands are looked at often; long ones seldom, so that looking costs nothing.
    timer = setTimeout(look, performance.now() - start < 500 ? 10 : 100);
  };
  let timer = setTimeout(look, 10);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) done({ seconds: (performance.now() - start) / 1000, treeMegabytes, childMegabytes });
      else fail(new Error(`exit code ${code} of ${words.join(" ")}\n${errors}`));
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
