/**
 * How often an audit of a model finds a shortcut that nobody planted, and how often it finds one that somebody did.
 *
 *   npm run bench:model-audits -- --out A                   60 control networks, 20 of each planted strength: half an hour of one core
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
import { wilsonInterval } from "../src/core/statistics/index.ts";
import { OnnxModel } from "../src/engine/onnx-model.ts";
import { type Taken, takenBy, trainedOn } from "./shortcut-network.ts";
import { drawShortcutWorld, type Planted } from "./shortcut-world.ts";

const nothing: Planted = { watermark: 0, background: 0.25 };

/** Seeds of no two kinds are equal; those below 1,000 were for choosing margins and recipes. */
const kinds: Record<string, { planted: Planted; networks: number; firstSeed: number }> = {
  control: { planted: nothing, networks: 60, firstSeed: 1000 },
  "watermark 10%": { planted: { ...nothing, watermark: 0.1 }, networks: 20, firstSeed: 2000 },
  "watermark 30%": { planted: { ...nothing, watermark: 0.3 }, networks: 20, firstSeed: 2100 },
  "watermark 60%": { planted: { ...nothing, watermark: 0.6 }, networks: 20, firstSeed: 2300 },
  "watermark 90%": { planted: { ...nothing, watermark: 0.9 }, networks: 20, firstSeed: 2200 },
  "background 40%": { planted: { ...nothing, background: 0.4 }, networks: 20, firstSeed: 3000 },
  "background 60%": { planted: { ...nothing, background: 0.6 }, networks: 20, firstSeed: 3100 },
  "background 90%": { planted: { ...nothing, background: 0.9 }, networks: 20, firstSeed: 3200 },
};

/** All about cues that such images allow; damage, which is called fragile and never reliance, is left out. */
const interventions = everyIntervention.entries
  .filter(({ damages, needs }) => damages !== true && !needs.includes("stylised"))
  .map(({ name }) => name);

/** Which nothing but chance can make say reliance where nothing was planted: change and control are then drawn from the same images. */
const nulls = ["background-exchanged", "object-moved on another's"];

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    only: { type: "string", multiple: true },
    networks: { type: "string" },
    first: { type: "string" },
  },
});
/** Right on so few, where guessing is right on a quarter, it has learned nothing, and would be silent about everything. */
const learned = 0.4;

const folder = values.out ?? "model-audits";
const file = join(folder, "audits.jsonl");

interface Audited {
  kind: string;
  seed: number;
  /** Of the processor, for drawing, training and the audit. */
  seconds: number;
  taken: Taken;
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
  const wanted = Number(values.networks ?? networks);
  // One that has learned nothing is made up for by another.
  for (let seed = first, count = 0; count < wanted; seed++) {
    let audited = known().find((one) => one.kind === kind && one.seed === seed);
    if (audited === undefined) {
      audited = await auditOne(kind, seed, planted);
      appendFileSync(file, `${JSON.stringify(audited)}\n`);
      const right = (100 * audited.accuracy).toFixed(1);
      process.stderr.write(`${kind}, seed ${seed}: ${right}% right, ${audited.seconds.toFixed(0)} s\n`);
    }
    if (audited.accuracy >= learned) count++;
  }
}
report();

function known(): Audited[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Audited);
}

async function auditOne(kind: string, seed: number, planted: Planted): Promise<Audited> {
  const start = process.cpuUsage();
  const { train, test } = await drawShortcutWorld(seed, planted);
  const onnx = await trainedOn(train, seed);
  const session = await OnnxModel.open("network", { output: "logits", threads: 1 }, onnx);
  const taken = await takenBy(session, test);
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
    for (const { intervention: name, variant, verdict } of answer.variants) {
      const intervention = variant.includes("on another's") ? `${name} on another's` : name;
      const before = verdicts[intervention];
      if (before === undefined || rank(verdict) > rank(before)) verdicts[intervention] = verdict;
    }
    return {
      kind,
      seed,
      seconds: secondsSince(start),
      taken,
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

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function rank(verdict: string): number {
  return ["none", "cannot be told", "reliance"].indexOf(verdict);
}

/** Of networks of each kind: how many rely on what. */
function report(): void {
  const all = known();
  for (const kind of Object.keys(kinds)) {
    const made = all.filter((one) => one.kind === kind);
    const own = made.filter(({ accuracy }) => accuracy >= learned);
    if (own.length === 0) continue;
    const accuracy = own.reduce((sum, one) => sum + one.accuracy, 0) / own.length;
    const seconds = own.reduce((sum, one) => sum + one.seconds, 0) / own.length;
    const mean = (of: (taken: Taken) => number) =>
      ((100 * own.reduce((sum, { taken }) => sum + of(taken), 0)) / own.length).toFixed(1);
    console.log(
      `\n${kind}: ${own.length} networks (${made.length - own.length} more had learned nothing), ${(100 * accuracy).toFixed(1)}% right, ${seconds.toFixed(1)} s of the processor each; the mark turns ` +
        `${mean(({ mark }) => mark)}% more of the others to its class, the own scene is worth ${mean(({ scene }) => scene)} points`,
    );
    line("a class that marks speak for", own, (one) => one.marked);
    line("  and it is the first", own, (one) => (one.first === "cow" ? one.marked : "another"));
    for (const intervention of Object.keys(own[0]!.verdicts))
      line(intervention, own, (one) => one.verdicts[intervention]!);
    line("marks, or a null by construction", own, ({ marked, verdicts }) =>
      [marked, ...nulls.map((name) => verdicts[name])].includes("reliance") ? "reliance" : "",
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
