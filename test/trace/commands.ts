/** Every command of the program once, as small as it goes, in an order in which each finds what it reads. */

export interface TracedCommand {
  /** As the command tree has it. */
  command: string;
  /** What it is done with, where a command has more than one case. */
  with?: string;
  /** Beyond the command, in a folder where nothing else is. */
  words: string;
  /** A file that it reads from standard input. */
  input?: string;
  /** Whether the short form does it: it makes what others read, or has processes and threads of its own. */
  short?: boolean;
  /** Where it does not end well. */
  exitCode?: number;
  /** Where it takes minutes: it is asked to end after so long, by a signal. */
  endAfterSeconds?: number;
}

const small = "colored-mnist --set trainPerEnvironment=40 --set size=14";
const sweep = `name: s
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 40, size: 14 } }
  model: { name: logistic-regression }
  epochs: 1
search:
  stages: [{ grid: { optimiser.rate: [0.001, 0.01] } }]
  select: { by: val-accuracy }
seeds: 2
`;

/** What people would have written themselves. */
export const givenFiles: Readonly<Record<string, string>> = {
  "s.yaml": sweep,
  "t.csv": "id,label,prediction,cue\n1,0,0,1\n2,1,1,0\n3,0,1,0\n4,1,0,1\n",
  "a.csv": "model,a,b\nx,0.5,0.4\ny,0.6,0.5\nz,0.7,0.55\nw,0.8,0.7\n",
};

export const tracedCommands: readonly TracedCommand[] = [
  { command: "data list", words: "" },
  { command: "data show", words: "colored-mnist" },
  { command: "data make", words: `${small} --out D`, short: true },
  { command: "data preview", words: "D --out sheet.png" },
  { command: "data check", words: "D --report check.html", short: true },
  { command: "data convert", words: "D --to npz --out N" },
  { command: "data discover", words: "D" },
  {
    command: "data bias",
    words:
      "hard-spurious --set classes=cow,van --set size=32 --set photographs.side=64 --set inpaint=tiled --set count.train.easy=4 --set count.train.medium=1 --set count.train.hard=1 --report bias.html",
  },
  { command: "data watermark", words: "colored-mnist --set trainPerEnvironment=40 --out W" },
  // Nobody may hand on its weights, so it ends where they are not found.
  {
    command: "data stylise",
    words: "D --styles D --encoder none.safetensors --decoder none.safetensors --out Y",
    exitCode: 3,
  },
  { command: "methods list", words: "" },
  { command: "methods show", words: "erm" },
  {
    command: "train",
    words:
      "--data D --model mlp --model-set width=8 --epochs 2 --select val-loss --also-select val-accuracy --out runs/R",
    short: true,
  },
  { command: "predict", words: "runs/R --data D --out p.parquet" },
  { command: "predict", with: "an ONNX file", words: "runs/R/model.onnx --data D --out q.parquet" },
  { command: "eval", words: "- --cues cue", input: "t.csv", short: true },
  { command: "audit list", words: "" },
  { command: "audit show", words: "predictions" },
  { command: "audit ask", words: "predictions runs/R" },
  { command: "audit ask", with: "discover", words: "discover D" },
  { command: "audit ask", with: "line", words: "line a.csv --set id=a --set ood=b" },
  {
    command: "audit ask",
    with: "model",
    words: "model runs/R --data D --set images=6 --set interventions=border --set flips=99 --out AM",
  },
  {
    command: "audit ask",
    with: "looks",
    words: "looks runs/R --data D --set images=2 --set shown=2 --out AL",
  },
  {
    command: "audit ask",
    with: "components",
    words: "components runs/R/model.onnx --data D --set components=1 --set shown=2 --out AC",
  },
  { command: "line", words: "a.csv --id a --ood b" },
  {
    command: "pool run",
    words: `${small} --features pixels-2 --hold-out 0.9 --classifiers 4 --steps 4 --checkpoints 1 --workers 2 --out P`,
    short: true,
  },
  { command: "simulate gaussian", words: "--out G" },
  { command: "simulate mixture", words: "" },
  { command: "simulate interpolation", words: "" },
  { command: "simulate line", words: "" },
  { command: "simulate share", words: "" },
  { command: "simulate reflection", words: "" },
  { command: "sweep run", words: "s.yaml --workers 2 --out runs" },
  { command: "study list", words: "" },
  { command: "study show", words: "biased-mnist" },
  { command: "study run", words: "biased-mnist --preset smoke --out S" },
  { command: "study report", words: "biased-mnist --preset smoke --out S" },
  { command: "runs list", words: "runs" },
  { command: "runs show", words: "runs/R" },
  { command: "runs note", words: "runs/R seen" },
  { command: "runs tensorboard", words: "runs --out T" },
  { command: "runs choose", words: "runs/R --select val-accuracy" },
  { command: "runs compare", words: "runs" },
  { command: "runs export", words: "runs --format csv" },
  { command: "verify", words: "D runs P" },
  { command: "report protocol", words: "s --runs runs" },
  { command: "plugin new", words: "method mine --out mine.ts" },
  { command: "plugin check", words: "mine.ts" },
  { command: "weights show", words: "runs/R/weights.safetensors" },
  { command: "weights export", words: "runs/R --out w.safetensors" },
  { command: "features extract", words: "runs/R --out F", short: true },
  { command: "features train", words: "F --out L" },
  { command: "embed", words: "F --out E" },
  { command: "audit ask", with: "embedding", words: "embedding F" },
  { command: "audit ask", with: "knows", words: "knows F" },
  { command: "audit ask", with: "heads", words: "heads F" },
  // Fitted to so few images a layer improves nothing, and is not handed back.
  { command: "repair", words: "runs/R --data D --groups color --out fixed.onnx", exitCode: 1 },
  { command: "audit ask", with: "pool", words: "pool P" },
  { command: "demo", words: "--out demo", endAfterSeconds: 20 },
  { command: "completion", words: "bash" },
  { command: "__complete", words: "-- data" },
];
