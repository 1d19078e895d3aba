/** INT, TERM and HUP wherever the program is: it ends within seconds, with 130, a sentence, and nothing half-made. */

import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const small = "colored-mnist --set trainPerEnvironment=9000 --set size=28";
const hang = join(root, "hang.mjs");
const rows = 3_000_000;

beforeAll(async () => {
  // Stands for a parser that never ends.
  writeFileSync(
    hang,
    'import { writeFileSync } from "node:fs";\nwriteFileSync(process.env.BEGUN, "");\nfor (;;);\n',
  );
  writeFileSync(
    join(root, "sweep.yaml"),
    `name: s\nbase:\n  data: { name: colored-mnist }\n  model: { name: mnist-convnet }\n  epochs: 50\nruns:\n  - { label: plain, method: { name: erm } }\nseeds: [0, 1]\n`,
  );
  const table = Array.from({ length: rows }, (_, row) => `${row},${row % 7},${row % 5},${row % 3}`);
  writeFileSync(join(root, "big.csv"), `id,label,prediction,cue\n${table.join("\n")}\n`);
  await cuelabJson(["data", "make", ...small.split(" "), "--out", join(root, "data")]);
});

/** Sends signals so long after `begun`, and tells how long it took from the first to the end. */
async function signalled(
  words: string,
  begun: (child: ChildProcess) => boolean,
  sent: readonly (readonly [NodeJS.Signals, number])[],
  env: Record<string, string> = {},
) {
  let first = 0;
  const send = async (child: ChildProcess) => {
    while (!begun(child) && child.exitCode === null) await wait(10);
    for (const [signal, afterMs] of sent) {
      await wait(afterMs);
      child.kill(signal);
      first ||= performance.now();
    }
  };
  const outcome = await cuelab(words.split(" "), { cwd: root, env, started: (child) => void send(child) });
  return { ...outcome, seconds: (performance.now() - first) / 1000 };
}

/** A quarter of a second after it listens: Node itself catches INT and TERM from the start, HUP is the program's. Else by time alone. */
const listensFor = (ms: number) => {
  let since: number | undefined = process.platform === "linux" ? undefined : performance.now() + 500;
  return ({ pid }: ChildProcess) => {
    if (since === undefined && catchesHangUp(pid!)) since = performance.now();
    return since !== undefined && performance.now() - since > ms;
  };
};

function catchesHangUp(pid: number): boolean {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  return (Number.parseInt(status.match(/^SigCgt:\s*[0-9a-f]*([0-9a-f])$/m)?.[1] ?? "0", 16) & 1) === 1;
}

/** What is half-made; rows that the same command goes on from are kept on purpose. */
const partials = (folder: string) =>
  readdirSync(folder).filter(
    (name) => (name.includes("cuelab-partial") && !name.includes("partial-kept")) || name.includes("lock"),
  );

test.each([
  ["SIGHUP", "data check data"],
  ["SIGTERM", "data make colored-mnist --set trainPerEnvironment=18000 --out OUT"],
  ["SIGHUP", "data make colored-mnist --set trainPerEnvironment=18000 --out OUT"],
  ["SIGHUP", "data convert data --to parquet --out OUT"],
  ["SIGHUP", "data discover data"],
  ["SIGHUP", "train --data data --model mnist-convnet --epochs 50 --out OUT"],
  ["SIGTERM", "train --data data --model mnist-convnet --epochs 50 --out OUT"],
  ["SIGTERM", "features extract --data data --model mnist-convnet --out OUT"],
  ["SIGHUP", `pool run ${small} --features pixels-7 --hold-out 0.9 --classifiers 4000 --workers 2 --out OUT`],
  ["SIGHUP", "sweep run sweep.yaml --out OUT"],
  ["SIGTERM", "study run biased-mnist --preset quick --out OUT"],
  ["SIGTERM", "eval big.csv --cues cue"],
] as const)("%s: %s", async (signal, words) => {
  const home = join(root, `${signal} ${words}`.replaceAll(/\W+/g, "-").slice(0, 60));
  mkdirSync(home);
  const { code, stderr, seconds } = await signalled(
    words.replace("OUT", join(home, "out")),
    listensFor(250),
    [[signal, 0]],
  );
  // A command that was quicker than the signal, or that does not know an option, would prove nothing.
  expect([code, stderr], stderr).toEqual([
    130,
    expect.stringMatching(/error: interrupted; nothing half-made/),
  ]);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(seconds).toBeLessThan(20);
  expect(partials(home)).toEqual([]);
});

const hung = (name: string, sent: readonly (readonly [NodeJS.Signals, number])[]) => {
  const begun = join(root, name);
  return signalled(`data list --json --plugin ${hang}`, () => existsSync(begun), sent, { BEGUN: begun });
};

// Each waits for three seconds, and none for another.
test("INT, TERM and HUP end a main thread that never answers", async () => {
  const sent = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const ended = await Promise.all(sent.map((signal) => hung(`hung-${signal}`, [[signal, 200]])));
  for (const [i, { code, stdout, stderr, seconds }] of ended.entries()) {
    expect(stderr, sent[i]).toBe(
      "error: interrupted; it did not stop by itself and was ended; nothing half-made passes for finished\n",
    );
    expect([code, JSON.parse(stdout)], sent[i]).toMatchObject([130, { error: { kind: "interrupted" } }]);
    expect(seconds, sent[i]).toBeLessThan(15);
  }
});

test("the second ends it at once, unless it is the first one sent twice", async () => {
  const { code, seconds } = await hung("twice", [
    ["SIGTERM", 200],
    ["SIGTERM", 20],
    ["SIGINT", 600],
  ]);
  expect(code).toBe(130);
  // The first alone takes three seconds; the two at once would have ended it in a third of one.
  expect(seconds).toBeGreaterThan(0.6);
  expect(seconds).toBeLessThan(2.9);
});

test("the second is told of, where the main thread answers and what it waits for does not come", async () => {
  const patient = join(root, "patient.mjs");
  writeFileSync(
    patient,
    'import { writeFileSync } from "node:fs";\nwriteFileSync(process.env.BEGUN, "");\nawait new Promise((done) => setTimeout(done, 60_000));\n',
  );
  const begun = join(root, "patient");
  const sent = [
    ["SIGINT", 200],
    ["SIGTERM", 600],
  ] as const;
  const words = `data list --plugin ${patient}`;
  const { code, stderr } = await signalled(words, () => existsSync(begun), sent, { BEGUN: begun });
  expect([code, stderr]).toEqual([
    130,
    "error: interrupted; a second signal ended it at once; nothing half-made passes for finished\n",
  ]);
});

/** Where memory is limited, another process waits for the program. */
describe.skipIf(process.platform !== "linux")("of a process that waits for another", () => {
  const limited = (name: string, act: (child: ChildProcess) => void) => {
    const out = join(root, name);
    const words = `train --data ${small} --model mnist-convnet --epochs 50 --out ${out}`;
    return cuelab(words.split(" "), {
      cwd: root,
      prelude: "ulimit -v 8000000",
      started: (child) => void once(() => existsSync(join(out, "log.jsonl"))).then(() => act(child)),
    });
  };

  test("HUP is passed on", async () => {
    const { code, stderr } = await limited("waited-hup", (child) => child.kill("SIGHUP"));
    expect([code, stderr], stderr).toEqual([130, expect.stringMatching(/error: interrupted; nothing/)]);
    expect(partials(join(root, "waited-hup"))).toEqual([]);
  });

  test("KILL: who is waited for ends, too", async () => {
    let waitedFor: number[] = [];
    const { signal } = await limited("waited-kill", (child) => {
      const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
      waitedFor = text.trim().split(" ").map(Number);
      child.kill("SIGKILL");
    });
    expect([signal, waitedFor.length]).toEqual(["SIGKILL", 1]);
    await once(() => !existsSync(`/proc/${waitedFor[0]}`));
  });
});

async function once(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}
