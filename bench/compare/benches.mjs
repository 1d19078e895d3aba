/**
 * What is compared: commands of the program, each in a fresh process. `prepare` makes once, with the old checkout, what
 * both are given; `times` repeats a command that is too short to be timed alone.
 */

import { join } from "node:path";
import { writeCsvTable, writeParquetTable } from "./tables.mjs";

const coloredMnist = "colored-mnist --set trainPerEnvironment=200";
const biasedMnist = "biased-mnist --set count.train=800 --set count.val=50 --set count.test=50";
const cues = ["digit_color", "position", "texture", "background", "distractor", "shape", "texture_color"];

/** What a command is given on the command line; {shared} is where `prepare` has written. */
const command = (line, options = {}) => ({ words: line.split(" "), ...options });
const train = (line) => command(`train --data ${line} --out out --quiet`);
const make = (line) => command(`data make ${line} --format npz --out out --quiet`);

/** Ten classes, seven cues of ten values; groups of the class and one cue. */
function evaluate(rows, kind) {
  const write = { csv: writeCsvTable, parquet: writeParquetTable }[kind];
  const questions = `--cues ${cues.join()} --groups class,${cues[0]}`;
  return command(`eval {shared}/${rows}.${kind} ${questions} --json --quiet`, {
    slow: true,
    prepare: (_checkout, shared) => write(join(shared, `${rows}.${kind}`), rows, cues),
  });
}

export const benches = {
  version: command("--version", { times: 5 }),
  help: command("--help", { times: 5 }),
  "data-list": command("data list", { times: 5 }),
  // Nearly all of it is what comes before and after training: two processes, the data, compiling, writing.
  "run-start": train(`${coloredMnist} --model mlp --steps 1`),
  "engine-a": train(`${coloredMnist} --model mnist-convnet --steps 12 --batch-size 64`),
  "engine-b": train(`${biasedMnist} --model small-cnn --steps 6 --batch-size 128`),
  "last-layer": command("features train {shared}/features --epochs 100 --out out --quiet", {
    prepare: (checkout, shared) => {
      const network = "--model mlp --model-set width=512";
      const data = "colored-mnist --set trainPerEnvironment=4000";
      const line = `features extract --data ${data} ${network} --out features --quiet`;
      return checkout.run(line.split(" "), shared);
    },
  }),
  pool: command(`pool run ${coloredMnist} --hold-out 0.9 --classifiers 16 --steps 200 --out out --quiet`),
  "make-colored-mnist": make("colored-mnist --set trainPerEnvironment=8000"),
  "make-biased-mnist": make("biased-mnist --set count.train=3000 --set count.val=100 --set count.test=100"),
  "make-urban-cars": make(
    "urban-cars --set size=64 --set count.train=160 --set count.val=24 --set count.test=24",
  ),
  study: command("study run biased-mnist --preset smoke --parts strength --out out --quiet"),
  "eval-csv-4m": evaluate(4_000_000, "csv"),
  "eval-parquet-4m": evaluate(4_000_000, "parquet"),
  "eval-csv-10m": evaluate(10_000_000, "csv"),
  "eval-parquet-10m": evaluate(10_000_000, "parquet"),
};
