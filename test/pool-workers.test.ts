/** A pool made by several processes: the same bytes, whoever makes which part and whoever is killed meanwhile. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { isAlive } from "../src/disk/processes.ts";
import { makePool } from "../src/pools/make-pool.ts";
import type { PoolSpec } from "../src/pools/pool-spec.ts";
import { cuelab, type Outcome } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();

const asked = (out: string) => [
  ..."pool run colored-mnist --set trainPerEnvironment=60 --features pixels-2,grey-7 --hold-out 0.9".split(
    " ",
  ),
  ..."--classifiers 128 --steps 60 --checkpoints 2 -q".split(" "),
  "--out",
  join(root, out),
  "--workers",
  "2",
];

interface Added {
  cuelabPool: number;
  id: string;
  environments: unknown;
  attribute: string;
}

const childrenOf = (pid: number) =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("pool-process"))
    .map((line) => Number.parseInt(line, 10));

const partsIn = (out: string) => {
  const folder = join(root, out, "parts");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".parquet")).length : 0;
};

/** Starts it, waits for another part, and does something to it and its two processes. */
async function started(out: string, act: (parent: number, children: number[]) => void): Promise<Outcome> {
  const before = partsIn(out);
  let parent = 0;
  const ended = cuelab(asked(out), {
    started: ({ pid }) => {
      parent = pid!;
    },
  });
  while (partsIn(out) === before) await wait(5);
  const children = childrenOf(parent);
  expect(children).toHaveLength(2);
  act(parent, children);
  const outcome = await ended;
  const start = performance.now();
  while (children.some(isAlive) && performance.now() - start < 2000) await wait(10);
  expect(children.filter(isAlive)).toEqual([]);
  return outcome;
}

test("killed and bereft of a process, it leaves none behind and goes on to the same bytes", async () => {
  const killed = await started("two", (parent) => process.kill(parent, "SIGKILL"));
  expect(killed.signal).toBe("SIGKILL");
  const bereft = await started("two", (_, [child]) => process.kill(child!, "SIGKILL"));
  expect(bereft.code).toBe(1);
  expect(bereft.stderr).toMatch(/process that trains classifiers died[\s\S]*SIGKILL/);
  expect(partsIn("two")).toBeLessThan(16);
  expect((await cuelab(asked("two"))).code).toBe(0);
  // What decides a pool is in its pool.json, and one process makes it here.
  const about = JSON.parse(readFileSync(join(root, "two", "pool.json"), "utf8")) as PoolSpec & Added;
  const { cuelabPool: _, id, environments: __, attribute: ___, ...spec } = about;
  const options = { classifiers: 128, holdOut: "0.9", force: false, workers: 1 };
  const made = await makePool(
    { ...spec, groups: [], extractors: [] },
    { ...options, out: join(root, "one") },
  );
  expect(made).toMatchObject({ id, trained: 128 });
  expect(fingerprint(join(root, "two"))).toEqual(fingerprint(join(root, "one")));
});
