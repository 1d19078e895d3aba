/** What one command did beyond its own memory: connections it asked for, and where it wrote. */

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { givenFiles, type TracedCommand } from "./commands.ts";

export interface Traced {
  code: number | null;
  stderr: string;
  /** Connections, sockets of the network, and names that were looked up. */
  network: string[];
  /** Paths outside the working folder and the temporary one. */
  outside: string[];
  /** What is in the home and the temporary folder afterwards. */
  left: string[];
  /** How many calls were looked at: with none, nothing was traced. */
  seen: number;
}

/** `trap` looks at what JavaScript asks Node for; `strace` at what the process, native code included, asks the system for. */
export type Means = "trap" | "strace";

/** Folders for one tour through the commands; the home and the temporary folder are empty. */
export function workplace(root: string): { work: string; home: string; temporary: string; notes: string } {
  const place = {
    work: join(root, "work"),
    home: join(root, "home"),
    temporary: join(root, "temporary"),
    notes: join(root, "notes"),
  };
  for (const folder of Object.values(place)) mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(givenFiles)) writeFileSync(join(place.work, name), text);
  return place;
}

export type Workplace = ReturnType<typeof workplace>;

let traces = 0;

/** `program` is what Node is given: the command line's file, or another one. */
export async function traced(
  { words, input, endAfterSeconds }: Pick<TracedCommand, "words" | "input" | "endAfterSeconds">,
  program: string,
  { work, home, temporary, notes }: Workplace,
  means: Means,
): Promise<Traced> {
  const file = join(notes, String(traces++));
  writeFileSync(file, "");
  // Not by a signal to strace, which would let go of it.
  const within =
    endAfterSeconds === undefined ? [] : ["timeout", "--preserve-status", String(endAfterSeconds)];
  const asked = [...within, process.execPath, program, ...words.split(/\s+/).filter(Boolean)];
  const [first, ...others] =
    means === "trap"
      ? asked
      : [
          "strace",
          "--seccomp-bpf",
          "-ff",
          "-qq",
          "-y",
          "-s",
          "4096",
          "-e",
          `trace=${calls}`,
          "-o",
          file,
          ...asked,
        ];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: temporary,
    ...(means === "trap" && { CUELAB_TRAP: file, NODE_OPTIONS: `--require ${trap}` }),
  };
  const child = spawn(first!, others, { cwd: work, env, stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.on("error", () => {});
  child.stdin.end(input === undefined ? "" : givenFiles[input]);
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString("utf8");
  });
  const code = await new Promise<number | null>((done) => child.on("close", done));
  const found = means === "trap" ? fromTrap(file) : fromStrace(notes, file, work);
  const isOutside = (path: string) =>
    ![work, temporary, file].some((inside) => path === inside || path.startsWith(`${inside}${sep}`)) &&
    !/^\/(dev\/(null|tty|full)|proc\/self)/.test(path);
  const left = [home, temporary].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }),
  );
  const outside = [...new Set(found.written.filter(isOutside))];
  return { code, stderr, network: found.network, outside, left, seen: found.seen };
}

const trap = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith(".ts") ? "trap.cjs" : "../../../test/trace/trap.cjs",
);

interface Found {
  network: string[];
  written: string[];
  seen: number;
}

function fromTrap(file: string): Found {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").filter(Boolean);
  const noted = lines.map((line) => JSON.parse(line) as [string, string]);
  const isWrite = ([kind]: [string, string]) => kind === "write";
  return {
    network: noted.filter((one) => !isWrite(one)).map((one) => one.join(" ")),
    written: noted.filter(isWrite).map(([, path]) => path),
    seen: noted.length,
  };
}

const makers = ["mkdir", "mkdirat", "mknod", "mknodat", "creat", "truncate", "unlink", "unlinkat", "rmdir"];
const movers = ["rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"];
const calls = ["openat", "open", "socket", "connect", "bind", ...makers, ...movers].join(",");

/** A file a thread; each line is a call with its arguments and its result. Calls that failed changed nothing. */
function fromStrace(folder: string, file: string, work: string): Found {
  const found: Found = { network: [], written: [], seen: 0 };
  const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(`${file}.`));
  for (const line of names.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))) {
    const [, call = ""] = /^(\w+)\(/.exec(line) ?? [];
    if (call === "") continue;
    found.seen++;
    // Sockets between a process and its children have no address.
    if (call === "socket" || call === "connect" || call === "bind") {
      if (!/^socket\(AF_(UNIX|NETLINK)/.test(line)) found.network.push(line);
      continue;
    }
    if (/ = -1 /.test(line)) continue;
    if (call.startsWith("open") && !/O_(WRONLY|RDWR|CREAT)/.test(line)) continue;
    const paths = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => path!);
    const target = movers.includes(call) ? paths.at(-1) : paths[0];
    if (target !== undefined) found.written.push(resolve(work, target));
  }
  return found;
}
