/** What `eval` and `line` say of tables that people bring: plain text in, numbers out, the same on any machine. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";

const cues = ["place", "shade"];

/** Numbers without a pattern, the same everywhere. */
function sequence(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Classes a to c, of which a cue tells seven in ten in training and a third in test. */
function predictions(seed, rows = 400) {
  const random = sequence(seed);
  const labels = sequence(1);
  const lines = Array.from({ length: rows }, (_, id) => {
    const split = id % 2 === 0 ? "train" : "test";
    const label = labels(3);
    const agrees = () => labels(10) < (split === "train" ? 7 : 3);
    const values = cues.map(() => (agrees() ? label : labels(3)));
    const predicted = random(10) < 6 ? label : random(10) < 7 ? values[0] : random(3);
    const flags = [labels(2), labels(2)];
    return [
      id,
      split,
      "abc"[label],
      "abc"[predicted],
      ...values.map((value) => `v${value}`),
      ...flags,
    ].join();
  });
  return `id,split,y_true,y_pred,${cues.join()},wet,old\n${lines.join("\n")}\n`;
}

function accuracies() {
  const random = sequence(5);
  const lines = Array.from({ length: 60 }, (_, run) => {
    const base = 0.3 + 0.6 * (random(1000) / 1000);
    const near = (slope) => (0.2 + slope * base + random(100) / 1000).toFixed(4);
    return [run, ["cnn", "mlp"][random(2)], near(0.5), near(0.6), near(0.4), near(-0.1)].join();
  });
  return `run,arch,env0_acc,env1_acc,env2_acc,env3_acc\n${lines.join("\n")}\n`;
}

const counts =
  "class,place,shade,count\n" +
  ["a", "b", "c"]
    .flatMap((c, i) => [0, 1, 2].map((p) => `${c},v${p},v${(p + i) % 3},${i === p ? 60 : 10}`))
    .join("\n");

const evals = {
  plain: "a.csv --groups class,place",
  "cues named": "a.csv --cues place,shade",
  "with training counts": "a.csv --cues place,shade --train-counts counts.csv",
  "majority declared": "a.csv --cues place --majority place:a=v0 --majority place:b=v1 --majority place:c=v2",
  "of the training split": "a.csv --cues place --split train",
  overlapping: "a.csv --overlapping wet,old",
  "head and tail": "a.csv --groups class --head-tail place --beta 0,0.2,1",
  "three seeds beside a baseline": "a.csv b.csv c.csv --cues place --baseline d.csv",
};

const lines = {
  plain: "accuracies.csv --id env0_acc --ood env2_acc",
  "several, by architecture": "accuracies.csv --id env0_acc,env1_acc --ood env2_acc,env3_acc --by arch",
  bootstrap: "accuracies.csv --id env0_acc --ood env3_acc --interval bootstrap --resamples 200",
  clusters: "accuracies.csv --id env0_acc --ood env2_acc --cluster run --converge",
  predictions: "a.csv b.csv c.csv d.csv --id train --ood test --groups class --group-pairs",
};

export async function tables({ checkout, folder }) {
  for (const [name, seed] of Object.entries({ a: 11, b: 12, c: 13, d: 14 }))
    writeFileSync(join(folder, `${name}.csv`), predictions(seed));
  writeFileSync(join(folder, "accuracies.csv"), accuracies());
  writeFileSync(join(folder, "counts.csv"), counts);
  const said = (line) => checkout.cuelab(`${line} --quiet`, { cwd: folder });
  const json = async (line) => JSON.parse(await said(`${line} --json`));
  const text = async (line) => (await said(line)).trimEnd().split("\n");
  const asked = async (command, questions, ask) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(questions).map(async ([name, line]) => [name, await ask(`${command} ${line}`)]),
      ),
    );
  return {
    portable: {
      eval: await asked("eval", evals, json),
      line: await asked("line", lines, json),
      "eval as text": await asked("eval", { "with training counts": evals["with training counts"] }, text),
      "line as text": await asked("line", { plain: lines.plain }, text),
    },
    bits: {},
  };
}
