/**
 * What training gives: every method on three networks, and every option of a run on one. Thirty steps, standard kernels,
 * one thread. Graphs are the same on any machine; weights, history and logits are bits of this kind of processor.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { csvColumns, onnxGraph, parquetColumns, safetensors } from "../digest.mjs";

const methods = [
  "erm",
  "group-upweighting",
  "group-dro",
  "rubi",
  "lnl",
  "irm-v1",
  "lff",
  "spectral-decoupling",
];

const networks = {
  mlp: "--model mlp --model-set width=16",
  "small-cnn": "--model small-cnn --model-set width=4",
  resnet18: "--model resnet18 --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1",
};

/** One option, or some that belong together, with ERM: the network, and what it is given. */
const options = {
  freeze: ["resnet18", "--freeze conv1,bn1,layer1"],
  average: ["resnet18", "--ema 0.9"],
  clip: ["small-cnn", "--clip 0.1"],
  "cosine with warm-up": ["small-cnn", "--schedule cosine --warm-up 5"],
  "steps of the rate": ["small-cnn", "--schedule step --milestones 2,3"],
  "sgd with nesterov": ["small-cnn", "--optimiser sgd --lr 0.05 --weight-decay 0.01 --nesterov"],
  adamw: ["small-cnn", "--optimiser adamw --weight-decay 0.1"],
  dropout: ["mlp", "--model-set dropout=0.3"],
  patience: ["mlp", "--select val-loss --patience 1 --lr 0.05"],
  "worst group kept": ["mlp", "--select val-worst-group --select-groups color"],
  "measured steps": ["small-cnn", "--measure 1,10,30"],
  "held-out environment": ["mlp", "--hold-out 0.1 --measure 30"],
  // All but the watermark, for which these images are too small.
  "changed images": ["small-cnn", "--augment crop,flip,jitter,grey,erase,cutmix"],
  mixup: ["small-cnn", "--augment mixup"],
};

const data = "--data colored-mnist --set trainPerEnvironment=60 --set size=14";
const length = "--steps 30 --batch-size 16 --seed 1 --quiet";

const cases = [
  ...methods.flatMap((method) =>
    Object.keys(networks).map((network) => [`${method} ${network}`, network, `--method ${method}`]),
  ),
  ...Object.entries(options).map(([name, words]) => [name, ...words]),
];

/** In `npm test`: the plainest method, one with a twin and a second pass, and an option that meets the data. */
const few = ["erm small-cnn", "lff mlp", "group-dro resnet18", "held-out environment"];

export async function training({ checkout, folder, short }) {
  const chosen = cases.filter(([name]) => !short || few.includes(name));
  const made = await Promise.all(chosen.map((one) => trained(checkout, folder, one)));
  return {
    portable: Object.fromEntries(made.map(({ name, portable }) => [name, portable])),
    bits: Object.fromEntries(made.map(({ name, bits }) => [name, bits])),
  };
}

async function trained(checkout, folder, [name, network, words], threads = 1) {
  const out = `${name.replaceAll(" ", "-")}-${threads}`;
  const emitted = join(folder, `${out}.graphs`);
  const command = `train ${data} ${networks[network]} ${words} ${length} --threads ${threads} --out ${out}`;
  await checkout.cuelabStandard(command, { cwd: folder, emitted });
  const file = (name) => join(folder, out, name);
  const { metadata, tensors } = safetensors(file("weights.safetensors"));
  const { accuracy, epoch } = JSON.parse(readFileSync(file("results.json"), "utf8"));
  const checkpoints = file("checkpoints.csv");
  return {
    name,
    portable: {
      // The evaluated network first, then each pass.
      graphs: readFileSync(emitted, "utf8").trimEnd().split("\n"),
      metadata,
      files: JSON.parse(readFileSync(file("manifest.json"), "utf8")).cuelabRun,
    },
    bits: {
      epoch,
      weights: tensors,
      model: onnxGraph(file("model.onnx")),
      history: csvColumns(file("history.csv")),
      ...(existsSync(checkpoints) ? { checkpoints: csvColumns(checkpoints) } : {}),
      predictions: await parquetColumns(file("predictions.parquet")),
      accuracy,
    },
  };
}

/** Whether two threads give the bits of one: weights and logits of each network, compared within this checkout. */
export async function threads({ checkout, folder }) {
  const bits = {};
  for (const network of Object.keys(networks)) {
    const [one, two] = await Promise.all(
      [1, 2].map((count) =>
        trained(checkout, folder, [`threads ${network}`, network, "--method erm"], count),
      ),
    );
    const same = (part) => JSON.stringify(one.bits[part]) === JSON.stringify(two.bits[part]);
    bits[network] = { weights: same("weights"), predictions: same("predictions"), history: same("history") };
  }
  return { portable: {}, bits };
}
