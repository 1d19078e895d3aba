/** Machines that share a folder, as far as one machine can be several: other process numbers, other names, other paths, stopped processes. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockName } from "../src/disk/lock.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const main = resolve(import.meta.dirname, "../dist/program/main.js");
const holder = resolve(import.meta.dirname, "helpers/lock-holder.mjs");

/** Why there are no further machines here; undefined where there are. */
const missing = (() => {
  try {
    execFileSync("unshare", ["--pid", "--uts", "--mount", "--fork", "--mount-proc", "true"], {
      stdio: "pipe",
    });
    return undefined;
  } catch (cause) {
    return `unshare is not permitted: ${(cause as Error).message.split("\n").at(-2)}`;
  }
})();

/** A command on a machine of its own, of this name; its processes have numbers that begin with 1. */
function elsewhere(
  name: string,
  words: readonly string[],
  { ownProc = true, before = "" } = {},
): ChildProcess {
  const namespaces = [
    "--pid",
    "--uts",
    "--mount",
    "--fork",
    "--kill-child",
    ...(ownProc ? ["--mount-proc"] : []),
  ];
  const script = `hostname ${name}; ${before} exec "$@"`;
  const child = spawn("unshare", [...namespaces, "bash", "-c", script, "bash", process.execPath, ...words]);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]!.on("data", (text: Buffer) => {
      said[stream] += text.toString("utf8");
    });
  return new Promise((done) => child.on("close", (code) => done({ code, ...said })));
}

async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await wait(20);
}

function newFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

const says = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");

describe.skipIf(missing !== undefined)(
  `on several machines${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    test.each([
      ["two names", ["one", "two"], true],
      ["one name, and the /proc of the machine around them", ["one", "one"], false],
    ] as const)(
      "two drivers of one sweep with %s share the work, and every run is done once",
      async (name, hosts, ownProc) => {
        const home = newFolder(name.replaceAll(/\W+/g, "-"));
        const file = join(home, "sweep.yaml");
        const runs = 2;
        writeFileSync(
          file,
          `name: shared\nbase:\n  data: { name: colored-mnist, settings: { trainPerEnvironment: 20, size: 14 } }\n  model: { name: logistic-regression }\n  epochs: 1\n  batchSize: 10\nseeds: ${runs}\n`,
        );
        const out = join(home, "runs");
        const words = [main, "sweep", "run", file, "--out", out, "--workers", "1", "--json", "--quiet"];
        const outcomes = await Promise.all(hosts.map((host) => ended(elsewhere(host, words, { ownProc }))));
        const records = outcomes.map(({ code, stdout, stderr }) => {
          expect(code, stderr).toBe(0);
          return JSON.parse(stdout) as unknown;
        });
        expect(records[0]).toEqual(records[1]);
        const folders = readdirSync(out).filter((entry) => existsSync(join(out, entry, "spec.json")));
        expect(folders).toHaveLength(runs);
        for (const folder of folders) {
          const log = says(join(out, folder, "log.jsonl"));
          const events = log
            .trimEnd()
            .split("\n")
            .map((line) => (JSON.parse(line) as { event: string }).event);
          expect(
            events.filter((event) => event === "ended"),
            log,
          ).toHaveLength(1);
          expect(readdirSync(join(out, folder)).filter((entry) => /lock|partial/.test(entry))).toEqual([]);
        }
      },
      60_000,
    );

    test("a lock is respected under another path, and by processes whose numbers are others'", async () => {
      const folder = newFolder("paths");
      const there = newFolder("mounted");
      const holding = elsewhere("one", [holder, join(folder, lockName), "hold"]);
      await until(() => says(join(folder, lockName)).includes("cuelabLock"));
      for (const ownProc of [true, false]) {
        const before = `mount --bind ${folder} ${there};`;
        const asked = elsewhere("one", [holder, join(there, lockName), "try"], { ownProc, before });
        expect(await ended(asked)).toMatchObject({ stdout: "refused\n" });
      }
      // The same processes, and another view of the folder.
      const script = `mount --bind ${folder} ${there}; exec "$@"`;
      const mine = spawn(process.execPath, [holder, join(folder, "mine.lock"), "hold"]);
      onTestFinished(() => void mine.kill("SIGKILL"));
      await until(() => says(join(folder, "mine.lock")).includes("cuelabLock"));
      const asked = spawn("unshare", [
        "--mount",
        "bash",
        "-c",
        script,
        "bash",
        process.execPath,
        holder,
        join(there, "mine.lock"),
        "try",
      ]);
      expect(await ended(asked)).toMatchObject({ stdout: "refused\n" });
      holding.kill("SIGKILL");
    });
  },
);

test("a stopped process keeps its lock on its machine; where another has taken over, it notices and writes nothing", async () => {
  const folder = newFolder("paused");
  const path = join(folder, lockName);
  const child = spawn(process.execPath, [holder, path, "write"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const result = ended(child);
  await new Promise((told) => child.stdout.once("data", told));
  child.kill("SIGSTOP");
  utimesSync(path, 0, 0);
  expect(await ended(spawn(process.execPath, [holder, path, "try"]))).toMatchObject({ stdout: "refused\n" });
  // As another machine would, which cannot see that it lives.
  const { Lock } = await import("../src/disk/lock.ts");
  const record = JSON.parse(readFileSync(path, "utf8")) as object;
  const before = statSync(path).ino;
  writeFileSync(path, `${JSON.stringify({ ...record, host: "there" })}\n`);
  utimesSync(path, 0, 0);
  const lock = await Lock.take(path, "run", { lookMs: 1 });
  expect(statSync(path).ino).not.toBe(before);
  writeFileSync(join(folder, "result"), "of the other one");
  child.kill("SIGCONT");
  writeFileSync(join(folder, "go"), "");
  expect(await result).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/another process has taken this over/),
  });
  expect(says(join(folder, "result"))).toBe("of the other one");
  await lock.check();
  lock.release();
  expect(readdirSync(folder).sort()).toEqual(["go", "result"]);
});
