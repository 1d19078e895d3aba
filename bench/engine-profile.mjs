/**
 * Where a training step's time goes: `node bench/engine-profile.mjs <workload> [steps] [threads] [rows]`. Prints the
 * runtime's own profile, summed by operator and by node. Build first: `npm run build`.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { prepare } from "./engine-step.mjs";

const [name = "e", steps = "4", threads = "1", rows = "30"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cuelab-profile-"));
const create = ort.InferenceSession.create.bind(ort.InferenceSession);
ort.InferenceSession.create = async (model, options) => {
  const session = await create(model, {
    ...options,
    enableProfiling: true,
    profileFilePrefix: join(folder, "p"),
  });
  const release = session.release.bind(session);
  session.release = async () => {
    session.endProfiling();
    await release();
  };
  return session;
};

const { run, close } = await prepare(name, Number(threads));
for (let i = 0; i <= Number(steps); i++) await run(i);
await close();

/** The training graph's profile is the largest; the others are those of the start-up check. */
const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
rmSync(folder, { recursive: true });
const events = JSON.parse(files.sort((a, b) => b.length - a.length)[0]);
const nodes = new Map();
const operators = new Map();
// The first step also fills the runtime's memory: only later ones count.
const [{ ts: begun, dur: filling }, ...runs] = events.filter(({ name: label }) => label === "model_run");
const first = begun + filling;
const total = runs.reduce((sum, { dur }) => sum + dur / 1000, 0);
for (const { cat, name: label, dur, args, ts } of events) {
  if (cat !== "Node" || !label.endsWith("_kernel_time") || ts < first) continue;
  const shapes = (list) => list.map((item) => Object.values(item)[0].join("×")).join(" ");
  const key = `${args.op_name} ${shapes(args.input_type_shape)} → ${shapes(args.output_type_shape)}`;
  for (const [map, group] of [
    [nodes, key],
    [operators, args.op_name],
  ]) {
    const entry = map.get(group) ?? { time: 0, calls: 0 };
    entry.time += dur / 1000;
    entry.calls++;
    map.set(group, entry);
  }
}
const print = (map, count) => {
  for (const [key, { time, calls }] of [...map].sort((a, b) => b[1].time - a[1].time).slice(0, count)) {
    const share = ((100 * time) / total).toFixed(1).padStart(5);
    console.log(
      `${share}% ${(time / Number(steps)).toFixed(2).padStart(8)} ms ${calls / Number(steps)}× ${key}`,
    );
  }
};
console.log(
  `workload ${name}: ${(total / Number(steps)).toFixed(1)} ms a step; what a Scan does is in its own row and in those of its nodes`,
);
print(operators, 20);
console.log("");
print(nodes, Number(rows));
