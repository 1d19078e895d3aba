/** `cuelab train --method …` as people type it: what is told to a method, presets, and going on after a kill. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunSpec } from "../src/training/run-spec.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { cuelabHere, ranHere } from "./helpers/in-process.ts";

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
  const again = await ranHere(run("cues", ...args, "color,digit", "--method-set", "stepSize=0.01"));
  expect(again.stdout).toMatch(/^finished before/);
  const other = await ranHere(run("cues", ...args, "color"));
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
  [["--method", "dfr", "--method-set", "on=val", "--select", "val-loss"], /either learnt from or chosen by/],
  [["--method", "last-layer-ensemble", "--method-set", "views=halo"], /unknown view "halo"/],
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

test("killed in its second stage, a method goes on there and ends with the bytes of an undisturbed run", async () => {
  const options =
    "--method jtt --method-set upweight=20 --epochs 3 --batch-size 16 --checkpoint-seconds 0.02";
  await cuelabJson(run("twice", ...tiny, ...options.split(" ")));
  const [checkpoint, stages] = ["checkpoint.safetensors", "stages"].map((name) => join(root, "cut", name));
  const killed = await cuelab(run("cut", ...tiny, ...options.split(" ")), {
    started: (child) => {
      let seen = 0;
      const watch = setInterval(() => {
        const { mtimeMs = 0 } = statSync(checkpoint!, { throwIfNoEntry: false }) ?? {};
        if (statSync(stages!, { throwIfNoEntry: false }) === undefined) seen = mtimeMs;
        // The first is of the end of the first stage, the second of its place in the list, later ones of the second.
        else if (mtimeMs > seen + 40) child.kill("SIGKILL");
      }, 5);
      child.on("close", () => clearInterval(watch));
    },
  });
  expect(killed.signal).toBe("SIGKILL");
  const resumed = await cuelab(run("cut", ...tiny, ...options.split(" ")));
  expect(resumed.stderr).not.toMatch(/identify, epoch 1/);
  expect(fingerprint(join(root, "cut"))).toEqual(fingerprint(join(root, "twice")));
});

test("the ensemble of last layers trains on UrbanCars' views, and names the pictures that other data lack", async () => {
  const small =
    "count.train=80 count.val=16 count.test=16 backgrounds.train=4 backgrounds.val=2 backgrounds.test=2";
  const settings = ["size=64", ...small.split(" ")].flatMap((setting) => ["--set", setting]);
  const cars = ["train", "--data", "urban-cars", ...settings, "--threads", "1", ...tiny];
  const options = ["--method", "last-layer-ensemble", "--preset", "urban-cars", "--epochs", "2"];
  const { accuracy } = await cuelabJson<{ accuracy: { slice: string }[] }>([
    ...cars,
    ...options,
    "--out",
    join(root, "ensemble"),
  ]);
  expect(accuracy.map(({ slice }) => slice)).toContain("test");
  expect(specOf("ensemble")).toMatchObject({
    method: { settings: { views: [{ view: "background-swap", version: 1 }, { view: "co-object-swap" }] } },
    augment: [{ view: "flip" }],
    select: { by: "val-worst-group", groups: ["background", "coObject"] },
  });
  const without = await cuelab(run("maskless", ...tiny, "--method", "last-layer-ensemble"));
  expect(without.stderr).toMatch(
    /"background-swap" needs the side image "mask", which the dataset does not have/,
  );
  expect(without.code).toBe(3);
});

test("methods are listed with what they are told, and shown with settings, ranges and presets", async () => {
  const { methods } = JSON.parse(await cuelabHere("methods", "list", "--json")) as {
    methods: { name: string; supervision: unknown }[];
  };
  expect(methods.find(({ name }) => name === "subg")!.supervision).toEqual({ groups: ["train"] });
  expect(await cuelabHere("methods", "list")).toMatch(/^dfr .*cues on training; as its settings say$/m);
  const page = await cuelabHere("methods", "show", "jtt");
  expect(page).toMatch(/^upweight +100 +whole number from 2 +5 \| 20 \| 50 \| 100 +λ_up/m);
  expect(page).toMatch(
    /^urban-cars +epochs=1 upweight=100 +sgd 0.001, weight decay 0.0001, 300 epochs of 128/m,
  );
  await expect(cuelabHere("methods", "show", "jt")).rejects.toThrow(/did you mean "jtt"/);
});
