/** `cuelab train --method …` as people type it: what is told to a method, presets, and going on after a kill. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunSpec } from "../src/protocol/run-spec.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const data = "--data colored-mnist --set trainPerEnvironment=120 --set size=14 --threads 1".split(" ");
const tiny = ["--model", "mlp", "--model-set", "width=8"];
const run = (out: string, ...more: string[]) => ["train", ...data, "--out", join(root, out), ...more];
const specOf = (out: string) => JSON.parse(readFileSync(join(root, out, "spec.json"), "utf8")) as RunSpec;

test("explicit cues are part of the run, whatever their order, and so is every setting of the method", async () => {
  const args = [...tiny, "--method", "group-dro", "--epochs", "1", "--explicit"];
  const first = await cuelab(run("cues", ...args, "digit,color"));
  expect(first.stderr).toMatch(/\d+ groups of class × color × digit in training, the smallest of \d+/);
  expect(first.code).toBe(0);
  expect(specOf("cues").method).toEqual({
    name: "group-dro",
    settings: { stepSize: 0.01 },
    explicit: ["color", "digit"],
  });
  const again = await cuelab(run("cues", ...args, "color,digit", "--method-set", "stepSize=0.01"));
  expect(again.stdout).toMatch(/^finished before/);
  const other = await cuelab(run("cues", ...args, "color"));
  expect(other.stderr).toMatch(/another run is there already/);
});

test("a preset gives what the paper used, and options win over it", async () => {
  const preset = ["--preset", "biased-mnist", "--epochs", "1", "--batch-size", "32"];
  await cuelabJson(run("preset", ...tiny, "--method", "irm-v1", ...preset));
  expect(specOf("preset")).toMatchObject({
    method: { settings: { penaltyWeight: 0.01, environments: 16 }, explicit: ["color"] },
    optimiser: { name: "adam", rate: 1e-3, weightDecay: 1e-5 },
    epochs: 1,
    batchSize: 32,
  });
});

test.each([
  [["--method", "lff", "--explicit", "color"], /"lff" uses no labels of cues/],
  [["--method", "rubi", "--explicit", "hue"], /no attribute "hue"[\s\S]*cues: color/],
  [["--method", "rubi", "--preset", "waterbirds"], /no preset "waterbirds"[\s\S]*biased-mnist, celeba/],
  [["--method", "irm-v1", "--batch-size", "33"], /two halves[\s\S]*even number[\s\S]*33 images/],
  [["--method", "spectral-decoupling", "--method-set", "decay=1,2,3"], /"decay" does not fit the classes/],
  [["--method", "lnl", "--method-set", "gradientScale=0.1"], /"gradientScale" cannot be/],
])("%s is refused", async (more, message) => {
  const outcome = await cuelab(run("refused", ...tiny, ...more));
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(2);
});

test("two networks and a loss for each image: killed midway, it ends with the bytes of an undisturbed run", async () => {
  // Its running statistics are state too.
  const options =
    "--model biased-mnist-cnn --method lff --epochs 2 --batch-size 16 --checkpoint-seconds 0.02";
  await cuelabJson(run("calm", ...options.split(" ")));
  const checkpoint = join(root, "killed", "checkpoint.safetensors");
  const killed = await cuelab(run("killed", ...options.split(" ")), {
    started: (child) => {
      const watch = setInterval(() => {
        if (statSync(checkpoint, { throwIfNoEntry: false }) !== undefined) child.kill("SIGKILL");
      }, 5);
      child.on("close", () => clearInterval(watch));
    },
  });
  expect(killed.signal).toBe("SIGKILL");
  await cuelabJson(run("killed", ...options.split(" ")));
  expect(fingerprint(join(root, "killed"))).toEqual(fingerprint(join(root, "calm")));
});
