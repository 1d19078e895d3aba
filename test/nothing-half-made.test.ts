/** Killed, interrupted, out of disk: what was there stays, and nothing half-made passes for done. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { generalFormats } from "../src/formats/index.ts";
import { cuelab, cuelabJson, type Outcome } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const names = generalFormats.map(({ name }) => name);
const make = (...args: string[]) => ["data", "make", "colored-mnist", ...args];
const large = ["--set", "trainPerEnvironment=15000"];
const small = ["--set", "trainPerEnvironment=50"];

/** Starts a large make, waits until it is well under way, and sends the signal. */
async function stopMidway(
  out: string,
  signal: NodeJS.Signals,
  format: string,
  ...more: string[]
): Promise<Outcome> {
  const partial = () =>
    readdirSync(join(out, "..")).find((name) => name.startsWith(`.${out.split("/").at(-1)}.cuelab-partial`));
  let stopped = false;
  const run = cuelab(make("--out", out, "--format", format, ...large, ...more), {
    started: (child) => {
      const watch = async () => {
        while (!stopped) {
          const name = partial();
          if (name !== undefined && readdirSync(join(out, "..", name), { recursive: true }).length > 0) break;
          await wait(5);
        }
        await wait(150);
        child.kill(signal);
      };
      void watch();
    },
  });
  const outcome = await run;
  stopped = true;
  return outcome;
}

describe.each(names)("%s", (format) => {
  test("kill -9 leaves no dataset, and the next make clears up and succeeds", async () => {
    const home = join(root, `killed-${format}`);
    mkdirSync(home);
    const out = join(home, "D");
    const outcome = await stopMidway(out, "SIGKILL", format);
    expect(outcome.signal).toBe("SIGKILL");
    expect(existsSync(out)).toBe(false);
    expect((await cuelab(["data", "check", out])).code).toBe(3);
    const made = await cuelabJson<{ count: number }>(make("--out", out, "--format", format, ...small));
    expect(made.count).toBe(189);
    expect(readdirSync(home)).toEqual(["D"]);
  });

  test("Ctrl-C ends with 130 and leaves nothing behind", async () => {
    const home = join(root, `interrupted-${format}`);
    mkdirSync(home);
    const outcome = await stopMidway(join(home, "D"), "SIGINT", format);
    expect(outcome.stderr).toMatch(/interrupted; nothing half-made/);
    expect(outcome.code).toBe(130);
    expect(readdirSync(home)).toEqual([]);
  });

  test("a file that may not grow ends with an error that says so", async () => {
    const home = join(root, `limited-${format}`);
    mkdirSync(home);
    // 20 blocks of 1024 bytes: enough for single images and too little for the table or a shard.
    const outcome = await cuelab(make("--out", join(home, "D"), "--format", format, ...large), {
      prelude: "ulimit -f 20",
    });
    expect(outcome.stderr).toMatch(
      /error: a file grew larger than is allowed here[\s\S]*nothing half-made passes for finished/,
    );
    expect(outcome.code).toBe(1);
    expect(readdirSync(home)).toEqual([]);
  });
});

const disk = join(root, "disk");
const mounted = (() => {
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

// Also where the test that needs it is not among those that are run.
afterAll(() => {
  if (mounted) execFileSync("umount", [disk]);
});

// Mounting needs rights that not everybody has; the limit on file sizes above runs everywhere.
test.runIf(mounted)("a full disk ends with an error that says so, in every format", async () => {
  for (const format of names) {
    const outcome = await cuelab(make("--out", join(disk, "D"), "--format", format, ...large));
    expect(outcome.stderr, format).toMatch(/error: the disk is full/);
    expect(outcome.code).toBe(1);
    expect(readdirSync(disk)).toEqual([]);
  }
});

test("an existing dataset is replaced only with --force, and survives a make that fails", async () => {
  const home = join(root, "force");
  mkdirSync(home);
  const out = join(home, "D");
  await cuelabJson(make("--out", out, ...small));
  const before = fingerprint(out);
  const refused = await cuelab(make("--out", out, ...small));
  expect(refused.stderr).toMatch(/a dataset is there already[\s\S]*--force/);
  expect(refused.code).toBe(3);
  expect((await stopMidway(out, "SIGKILL", "folder", "--force")).signal).toBe("SIGKILL");
  expect(fingerprint(out)).toEqual(before);
  await cuelabJson(make("--out", out, "--force", "--seed", "9", ...small));
  expect(fingerprint(out)).not.toEqual(before);
  expect(readdirSync(home)).toEqual(["D"]);
});

test("a folder that holds something else is never touched", async () => {
  const home = join(root, "precious");
  mkdirSync(home);
  writeFileSync(join(home, "thesis.tex"), "years of work");
  const outcome = await cuelab(make("--out", home, "--force", ...small));
  expect(outcome.stderr).toMatch(/not empty and holds no dataset/);
  expect(outcome.code).toBe(3);
  expect(readdirSync(home)).toEqual(["thesis.tex"]);
  const file = await cuelab(make("--out", join(home, "thesis.tex"), "--force", ...small));
  expect(file.stderr).toMatch(/cannot write the dataset there[\s\S]*got: a file/);
});

test("a swap that was cut short between its two renames is mended by the next make", async () => {
  const home = join(root, "swap");
  mkdirSync(home);
  const out = join(home, "D");
  await cuelabJson(make("--out", out, ...small));
  const before = fingerprint(out);
  const { hostname } = await import("node:os");
  const { renameSync } = await import("node:fs");
  // Process numbers end far below this one, so it counts as dead.
  renameSync(out, join(home, `.D.cuelab-partial-${hostname()}-999999999-old`));
  const refused = await cuelab(make("--out", out, ...small));
  expect(refused.stderr).toMatch(/a dataset is there already/);
  expect(fingerprint(out)).toEqual(before);
});
