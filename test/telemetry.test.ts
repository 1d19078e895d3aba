/** The runtime keeps no records of people: nothing appears in their home or temporary folder, in any of our processes. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const dataset = "colored-mnist --set trainPerEnvironment=40 --set size=14";

/** An environment whose home and temporary folder are empty, and that says nothing of telemetry. */
function emptyPlaces(name: string) {
  const [home, temporary] = [join(root, name, "home"), join(root, name, "temporary")];
  for (const folder of [home, temporary]) mkdirSync(folder, { recursive: true });
  const env = { HOME: home, TMPDIR: temporary, XDG_CACHE_HOME: undefined, ORT_DISABLE_TELEMETRY: undefined };
  return {
    env,
    left: () =>
      [home, temporary].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" })),
  };
}

function node(args: readonly string[], env: Record<string, string | undefined>) {
  const settings = { encoding: "utf8", env: { ...process.env, ...env }, cwd: import.meta.dirname } as const;
  return spawnSync(process.execPath, args, settings);
}

const libraryUse = resolve(import.meta.dirname, "helpers/library-use.mjs");

test.each([
  ["a training run", `train --data ${dataset} --model mlp --model-set width=8 --epochs 1`],
  [
    "a pool",
    `pool run ${dataset} --features pixels-2 --hold-out 0.9 --classifiers 4 --steps 4 --checkpoints 1 --workers 2`,
  ],
])("%s leaves nothing in the home and the temporary folder", async (name, command) => {
  const { env, left } = emptyPlaces(name);
  const { code, stderr } = await cuelab([...command.split(" "), "--out", join(root, name, "out")], { env });
  expect([code, left()], stderr).toEqual([0, []]);
});

test("neither does a program that uses the library", () => {
  const { env, left } = emptyPlaces("library");
  const { stdout, stderr } = node([libraryUse, join(root, "library/out")], env);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({ width: 3 * 14 * 14 });
  expect(left()).toEqual([]);
});

test.each([
  [undefined, "1"],
  ["0", "0"],
  ["", ""],
])("where the environment says %j, the runtime is told %j", (own, told) => {
  const print = 'await import("cuelab"); console.log(JSON.stringify(process.env.ORT_DISABLE_TELEMETRY))';
  const { env } = emptyPlaces("own");
  const { stdout } = node(["--input-type=module", "-e", print], { ...env, ORT_DISABLE_TELEMETRY: own });
  expect(JSON.parse(stdout)).toBe(told);
});

test("in a thread, whose environment the runtime does not see, it must be said before", () => {
  const { env, left } = emptyPlaces("thread");
  const alone = node([libraryUse, join(root, "thread/alone"), "thread"], env);
  expect(alone.stderr).toMatch(/thread[\s\S]*ORT_DISABLE_TELEMETRY/);
  expect(left()).toEqual([]);
  const told = node([libraryUse, join(root, "thread/told"), "thread"], {
    ...env,
    ORT_DISABLE_TELEMETRY: "1",
  });
  expect(JSON.parse(told.stdout)).toMatchObject({ width: 3 * 14 * 14 });
  expect(left()).toEqual([]);
});
