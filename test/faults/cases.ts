/** A small case of every command that leaves files for later, with what may be seen while it is at work. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fourKinds } from "../helpers/four-kinds-study.ts";

export interface FaultCase {
  name: string;
  /** Writes what no command makes into the folder of inputs, `../inputs` for all commands. */
  write?: (inputs: string) => void;
  /** Commands that make its inputs, given there. */
  inputs?: readonly (readonly string[])[];
  /** Commands that make what is there before. */
  former?: readonly (readonly string[])[];
  words: readonly string[];
  /** The same command with another result, for two writers. */
  other?: readonly string[];
  /** What the command says where it was done already. */
  refusal?: RegExp;
  /** Files that are written anew while the work goes on, by their paths. */
  grows?: RegExp;
  /** Files that tell what the work has cost, and so are never the same twice. */
  clocked?: RegExp;
  /** Which marks of finished things stay as they are when the command is repeated; all, where nothing is said. */
  isKept?: (mark: string) => boolean;
  /** Whether several processes may work at one place together. */
  shared?: boolean;
  /** Whether what is there at a change is not the same each time: several processes work, progress is saved now and then, or parts of a stream are written as they come. */
  varies?: boolean;
}

const words = (text: string) => text.split(" ");
const tiny = "colored-mnist --set trainPerEnvironment=4 --set size=14";
const small = "--data colored-mnist --set trainPerEnvironment=20 --set size=14 --threads 1";
/** Enough for a network to take the colour for the class. */
const shortcut = "--data colored-mnist --set trainPerEnvironment=600 --set size=14 --threads 1";
const linear = `${small} --model logistic-regression --batch-size 10`;
const already = /already/;
/** What a run goes on from, and what tells of it, until it is finished. */
const progress = "(checkpoint\\.safetensors|history\\.csv|checkpoints\\.csv|stages(/.*)?)$";

const make = (format: string, seed = 0) =>
  words(`data make ${tiny} --seed ${seed} --format ${format} --workers 1 --out D -q`);
/** Never by the clock, which is another one on a slow machine. */
const unhurried = "--checkpoint-seconds 1000000";
const train = (more: string) => words(`train ${linear} ${more} ${unhurried} --out R -q`);

const pool = (seed: number) =>
  words(
    `pool run colored-mnist --set trainPerEnvironment=60 --set size=14 --classifiers 8 --families logistic --features pixels --steps 4 --checkpoints 2 --first-step 2 --hold-out 0.9 --workers 2 --seed ${seed} --out P -q`,
  );

const sweepFile = `name: s
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 20, size: 14 } }
  model: { name: logistic-regression }
  epochs: 1
  batchSize: 10
runs: [{ label: plain }, { label: told, method: { name: group-dro, explicit: [color] } }]
seeds: [0]
`;

/** One seed and two classifiers: the same kinds of places, and half as many. */
const study = fourKinds
  .replace("seeds: [0, 1], cues", "seeds: [0], cues")
  .replace("classifiers: 8", "classifiers: 2");

const predictions = "id,label,prediction,cue\n1,0,0,1\n2,1,1,0\n3,0,1,0\n4,1,0,1\n";
const accuracies = "model,a,b\nx,0.5,0.4\ny,0.6,0.5\nz,0.7,0.55\nw,0.8,0.7\n";

export const faultCases: readonly FaultCase[] = [
  ...["folder", "npz", "parquet", "webdataset"].map(
    (format): FaultCase => ({
      name: `data make --format ${format}`,
      words: make(format),
      other: make(format, 1),
      refusal: already,
      varies: format === "npz" || format === "webdataset",
    }),
  ),
  {
    name: "data make --force",
    former: [make("folder", 1)],
    words: [...make("folder"), "--force"],
    // What is there before, or from a first time, is to be replaced.
    isKept: () => false,
  },
  {
    name: "data convert",
    inputs: [make("folder")],
    words: words("data convert ../inputs/D --to webdataset --workers 1 --out C -q"),
    refusal: already,
  },
  {
    name: "data watermark",
    // Large enough for letters.
    inputs: [words("data make colored-mnist --set trainPerEnvironment=2 --workers 1 --out D -q")],
    words: words("data watermark ../inputs/D --format npz --workers 1 --out W -q"),
    refusal: already,
  },
  { name: "train", words: train("--epochs 2"), grows: new RegExp(progress), varies: true },
  {
    name: "train --method jtt",
    varies: true,
    words: train("--epochs 2 --method jtt --method-set upweight=3"),
    grows: new RegExp(progress),
  },
  {
    name: "train --method dfr",
    varies: true,
    words: train("--epochs 1 --method dfr --method-set strengths=1,0.1 --method-set refits=2"),
    grows: new RegExp(progress),
  },
  {
    name: "features extract",
    inputs: [words(`train ${small} --model mlp --epochs 1 --out R -q`)],
    words: words("features extract ../inputs/R --threads 1 --out F -q"),
    refusal: already,
  },
  {
    name: "predict",
    inputs: [train("--epochs 1")],
    words: words(`predict ../inputs/R ${small} --out p.parquet -q`),
    other: words(`predict ../inputs/R ${small} --data-seed 1 --out p.parquet -q`),
    refusal: already,
    grows: /\.predicting$/,
  },
  {
    name: "repair",
    inputs: [words(`train ${shortcut} --model logistic-regression --batch-size 50 --epochs 4 --out R -q`)],
    words: words(
      `repair ../inputs/R ${shortcut} --groups color --method-set strengths=0.1 --out fixed.onnx -q`,
    ),
    refusal: already,
  },
  {
    name: "pool run",
    varies: true,
    words: pool(0),
    other: pool(1),
    // Its table and its mark are written each time; what they are made of is not.
    isKept: () => false,
  },
  {
    name: "sweep run",
    varies: true,
    write: (inputs) => writeFileSync(join(inputs, "s.yaml"), sweepFile),
    words: words(`sweep run ../inputs/s.yaml ${unhurried} --out S -q`),
    grows: new RegExp(`${progress}|^S/[^/]*$`),
    shared: true,
  },
  {
    name: "study run",
    varies: true,
    write: (inputs) => writeFileSync(join(inputs, "four.mjs"), study),
    words: words(`study run four --preset smoke --plugin ../inputs/four.mjs ${unhurried} --out T -q`),
    // A report tells of what there is, and of what failed.
    grows: new RegExp(`${progress}|^T/(report|study|tables|figures)|cuelab-made|^T/plan\\.json$|sweep[^/]*$`),
    // The report tells what all of it has cost; its tables and figures do not.
    clocked: /time\.json$|^T\/(report\.(html|md)|study\.json|\.cuelab-made\.json)$/,
    isKept: (mark) => !mark.includes("/pools/"),
  },
  {
    name: "data discover --out",
    inputs: [words(`data make ${tiny} --workers 1 --out D -q`)],
    words: words("data discover ../inputs/D --workers 1 --out A -q"),
    grows: /cuelab-made\.json$/,
  },
  {
    name: "runs note",
    former: [train("--epochs 1")],
    words: words("runs note R seen -q"),
  },
  {
    name: "weights export",
    inputs: [train("--epochs 1")],
    words: words("weights export ../inputs/R --out w.safetensors -q"),
    refusal: already,
  },
  {
    name: "features train",
    varies: true,
    inputs: [
      words(`train ${small} --model mlp --epochs 1 --out R -q`),
      words("features extract R --threads 1 --out F -q"),
    ],
    words: words(`features train ../inputs/F --epochs 1 --threads 1 ${unhurried} --out L -q`),
    grows: new RegExp(progress),
  },
  {
    name: "embed",
    inputs: [
      words(`train ${small} --model mlp --epochs 1 --out R -q`),
      words("features extract R --threads 1 --out F -q"),
    ],
    words: words("embed ../inputs/F --neighbours 5 --out E -q"),
    grows: /cuelab-made\.json$/,
  },
  {
    name: "runs tensorboard",
    inputs: [train("--epochs 1")],
    words: words("runs tensorboard ../inputs --out T -q"),
    refusal: already,
  },
  {
    name: "runs export --out",
    inputs: [train("--epochs 1")],
    words: words("runs export ../inputs --format csv --out t.csv -q"),
    refusal: already,
  },
  {
    name: "report protocol --report",
    write: (inputs) => writeFileSync(join(inputs, "s.yaml"), sweepFile),
    inputs: [words("sweep run s.yaml --out S -q")],
    words: words("report protocol s --runs ../inputs/S --report p.html -q"),
    refusal: already,
  },
  { name: "plugin new", words: words("plugin new method mine --out mine.mjs -q"), refusal: already },
  {
    name: "data preview",
    inputs: [words(`data make ${tiny} --workers 1 --out D -q`)],
    words: words("data preview ../inputs/D --out sheet.png -q"),
    refusal: already,
  },
  {
    name: "simulate --out",
    words: words("simulate mixture --out G -q"),
    grows: /cuelab-made\.json$/,
  },
  {
    name: "audit --out",
    write: (inputs) => writeFileSync(join(inputs, "t.csv"), predictions),
    words: words("audit predictions ../inputs/t.csv --out A -q"),
    grows: /cuelab-made\.json$/,
  },
  {
    name: "line --plots",
    write: (inputs) => writeFileSync(join(inputs, "a.csv"), accuracies),
    words: words("line ../inputs/a.csv --id a --ood b --plots L -q"),
    grows: /cuelab-made\.json$/,
  },
];
