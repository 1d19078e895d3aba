/** What is said of finished runs: `eval`, `runs`, `line`, `features`; and a pool's table. Bits of this kind of processor. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { csvColumns, digest, parquetColumns, safetensors } from "../digest.mjs";

const data = "colored-mnist --set trainPerEnvironment=60 --set size=14";
const length = "--steps 30 --batch-size 16 --threads 1 -q";
const made = {
  "runs/erm-0": "--model small-cnn --model-set width=4 --seed 0",
  "runs/erm-1": "--model small-cnn --model-set width=4 --seed 1",
  "runs/dro-0": "--model small-cnn --model-set width=4 --seed 0 --method group-dro",
  "held-out": "--model mlp --model-set width=8 --hold-out 0.1",
};

export async function runs({ checkout, folder }) {
  const at = { cwd: folder };
  const trained = Object.entries(made).map(([out, words]) =>
    checkout.cuelabStandard(`train --data ${data} ${words} ${length} --out ${out}`, at),
  );
  await Promise.all(trained);
  await checkout.cuelabStandard("features extract runs/erm-0 --threads 1 --out features -q", at);
  await checkout.cuelabStandard(
    "features train features --l2 0.001 --epochs 5 --threads 1 --out last -q",
    at,
  );
  const said = (line) => checkout.cuelab(`${line} --quiet`, at);
  const json = async (line) => JSON.parse(await said(`${line} --json`));
  const lines = async (line) => (await said(line)).trimEnd().split("\n");
  const exported = async (format) => [format, await lines(`runs export runs --format ${format}`)];
  return {
    portable: {},
    bits: {
      eval: await json("eval runs/erm-0"),
      "eval as text": await lines("eval runs/erm-0"),
      "eval of two seeds": await json("eval runs/erm-0 runs/erm-1"),
      "eval beside a baseline": await json("eval runs/dro-0 --baseline runs/erm-0"),
      "eval with a held-out environment": await json("eval held-out"),
      "runs list": await json("runs list runs"),
      "runs show": await json("runs show runs/dro-0"),
      "runs compare": await json("runs compare runs"),
      "runs export": Object.fromEntries(
        await Promise.all(["markdown", "csv", "json", "latex"].map(exported)),
      ),
      line: await json("line runs/erm-0 runs/erm-1 runs/dro-0 --id val --ood test"),
      features: {
        numbers: digest(readFileSync(join(folder, "features/features.npy"))),
        examples: await parquetColumns(join(folder, "features/examples.parquet")),
      },
      "last layer": {
        history: csvColumns(join(folder, "last/history.csv")),
        weights: safetensors(join(folder, "last/weights.safetensors")).tensors,
        predictions: await parquetColumns(join(folder, "last/predictions.parquet")),
      },
    },
  };
}

/** Cheap classifiers of every kind of feature, and a network beside them. */
export async function pool({ checkout, folder }) {
  const sizes = "--classifiers 24 --cnns 1 --steps 20 --checkpoints 1 --workers 1";
  const kinds = "--families logistic,mlp,cnn --networks small-cnn:width=4 --hold-out 0.9";
  const images = "--train-images 60 --test-images 30 --groups color";
  const line = `pool run ${data} ${sizes} ${kinds} ${images} --out pool --json -q`;
  const report = JSON.parse(await checkout.cuelabStandard(line, { cwd: folder }));
  return { portable: {}, bits: { table: csvColumns(join(folder, "pool/accuracies.csv")), report } };
}
