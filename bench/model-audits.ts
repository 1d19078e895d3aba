/**
 * How often an audit of a model finds a shortcut that nobody planted, and how often it finds one that somebody did.
 *
 *   npm run bench:model-audits -- --out A                   60 control networks, 20 of each planted strength: two hours of one core
 *   npm run bench:model-audits -- --out A --only control --networks 5
 *
 * Every network is trained on drawings of its own (`shortcut-world.ts`) and audited with everything that its images allow. A line of
 * A/audits.jsonl is one network: what is there is not made again, and several may work on disjoint parts by --only.
 */

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { auditModel } from "../src/audits/model/audit-model.ts";
import { interventions as everyIntervention } from "../src/audits/model/interventions/index.ts";
import { modelQuestion } from "../src/audits/model/question.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { wilsonInterval } from "../src/core/statistics/index.ts";
import { OnnxModel } from "../src/engine/onnx-model.ts";
import { exportNetwork } from "../src/models/export.ts";
import { models } from "../src/models/index.ts";
import { drawShortcutWorld, type Planted } from "./shortcut-world.ts";
import { trainSmall } from "./train-small.ts";

const nothing: Planted = { watermark: 0, background: 0.25 };

/** Seeds of no two kinds are equal; those below 1,000 were for choosing margins and recipes. */
const kinds: Record<string, { planted: Planted; networks: number; firstSeed: number }> = {
  control: { planted: nothing, networks: 60, firstSeed: 1000 },
  "watermark 10%": { planted: { ...nothing, watermark: 0.1 }, networks: 20, firstSeed: 2000 },
  "watermark 30%": { planted: { ...nothing, watermark: 0.3 }, networks: 20, firstSeed: 2100 },
  "watermark 90%": { planted: { ...nothing, watermark: 0.9 }, networks: 20, firstSeed: 2200 },
  "background 40%": { planted: { ...nothing, background: 0.4 }, networks: 20, firstSeed: 3000 },
  "background 60%": { planted: { ...nothing, background: 0.6 }, networks: 20, firstSeed: 3100 },
  "background 90%": { planted: { ...nothing, background: 0.9 }, networks: 20, firstSeed: 3200 },
};

/** All that such images allow, but JPEG, which takes as long as all others together. */
const interventions = everyIntervention.names.filter((name) => name !== "jpeg" && name !== "stylised");

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    only: { type: "string", multiple: true },
    networks: { type: "string" },
    first: { type: "string" },
  },
});
const folder = values.out ?? "model-audits";
const file = join(folder, "audits.jsonl");

interface Audited {
  kind: string;
  seed: number;
  seconds: number;
  accuracy: number;
  /** By intervention, the strongest of its variants: reliance before cannot be told before none. */
  verdicts: Record<string, string>;
  marked: string;
  first: string;
  variants: Record<string, [verdict: string, gap: number, lessControl: number]>;
}

mkdirSync(folder, { recursive: true });
for (const [kind, { planted, networks, firstSeed }] of Object.entries(kinds)) {
  if (values.only !== undefined && !values.only.includes(kind)) continue;
  const first = values.first === undefined ? firstSeed : Number(values.first);
  for (let i = 0; i < Number(values.networks ?? networks); i++) {
    const seed = first + i;
    if (known().some((one) => one.kind === kind && one.seed === seed)) continue;
    const audited = await auditOne(kind, seed, planted);
    appendFileSync(file, `${JSON.stringify(audited)}\n`);
    process.stderr.write(
      `${kind} ${i + 1}: ${(100 * audited.accuracy).toFixed(1)}% right, ${audited.seconds.toFixed(0)} s\n`,
    );
  }
}
report();

function known(): Audited[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Audited);
}

async function auditOne(kind: string, seed: number, planted: Planted): Promise<Audited> {
  const start = performance.now();
  const { train, test } = await drawShortcutWorld(seed, planted);
  const onnx = await trained(train, seed);
  const session = await OnnxModel.open("network", { output: "logits", threads: 1 }, onnx);
  const { height, width, channels } = test.images.shape!;
  try {
    const { classNames } = test;
    const answer = await auditModel(
      {
        name: kind,
        classNames,
        ask: (images, count) => session.run(images, [count, height, width, channels]),
      },
      test,
      modelQuestion.parse({ images: 300, seed, batch: 100, sizes: [0.3], interventions }),
    );
    const verdicts: Audited["verdicts"] = {};
    for (const { intervention, verdict } of answer.variants) {
      const before = verdicts[intervention];
      if (before === undefined || rank(verdict) > rank(before)) verdicts[intervention] = verdict;
    }
    return {
      kind,
      seed,
      seconds: (performance.now() - start) / 1000,
      accuracy: answer.accuracy!,
      verdicts,
      marked: answer.marked!.verdict,
      first: answer.marked!.classes[0]!.class,
      variants: Object.fromEntries(
        answer.variants.map(({ intervention, variant, verdict, gap, lessControl }) => [
          `${intervention}: ${variant}`,
          [verdict, gap!.value, lessControl!.value],
        ]),
      ),
    };
  } finally {
    await session.close();
  }
}

function rank(verdict: string): number {
  return ["none", "cannot be told", "reliance"].indexOf(verdict);
}

async function trained(train: Dataset, seed: number): Promise<Uint8Array> {
  const [name, options] = ["small-cnn", { width: 12 }];
  const { shape } = train.images;
  const pixels = { mean: [0.5, 0.5, 0.5], deviation: [0.25, 0.25, 0.25] };
  const { weights } = await trainSmall("shortcut-world", {
    spec: {
      data: { identity: "shortcut-world" },
      model: { name, options },
      method: { name: "erm" },
      optimiser: { rate: 0.003 },
      batchSize: 32,
      seed,
    },
    dataset: train,
    imagesAt: (places) => {
      const size = shape!.height * shape!.width * shape!.channels;
      const taken = new Uint8Array(places.length * size);
      for (let i = 0; i < places.length; i++) {
        const { data } = train.images.pixels(places[i]!) as { data: Uint8Array };
        taken.set(data, i * size);
      }
      return taken;
    },
    steps: 500,
    pixels,
  });
  return exportNetwork(models.get(name), weights, {
    classNames: train.classNames,
    image: shape!,
    options,
    pixels,
  });
}

/** Of networks of each kind: how many rely on what. */
function report(): void {
  const all = known();
  for (const kind of Object.keys(kinds)) {
    const own = all.filter((one) => one.kind === kind);
    if (own.length === 0) continue;
    const accuracy = own.reduce((sum, one) => sum + one.accuracy, 0) / own.length;
    const seconds = own.reduce((sum, one) => sum + one.seconds, 0) / own.length;
    console.log(
      `\n${kind}: ${own.length} networks, ${(100 * accuracy).toFixed(1)}% right, ${seconds.toFixed(1)} s each`,
    );
    line("a class that marks speak for", own, (one) => one.marked);
    line("  and it is the first", own, (one) => (one.first === "cow" ? one.marked : "another"));
    for (const intervention of Object.keys(own[0]!.verdicts))
      line(intervention, own, (one) => one.verdicts[intervention]!);
    line("any of marks, watermark, background-exchanged", own, (one) =>
      [one.marked, one.verdicts.watermark, one.verdicts["background-exchanged"]].includes("reliance")
        ? "reliance"
        : "",
    );
  }
}

function line(what: string, own: readonly Audited[], verdictOf: (one: Audited) => string): void {
  const count = (verdict: string) => own.filter((one) => verdictOf(one) === verdict).length;
  const found = count("reliance");
  const { low, high } = wilsonInterval(found, own.length);
  const per = (share: number) => (100 * share).toFixed(1);
  console.log(
    `${what.padEnd(46)} reliance ${found} of ${own.length} (${per(low)} to ${per(high)}%), none ${count("none")}, cannot be told ${count("cannot be told")}`,
  );
}
