/** The command tree: nouns, then verbs. */

import { Command } from "commander";
import { shownLines } from "../core/shown-text.ts";
import { version } from "../core/version.ts";
import type { Console } from "./console.ts";
import { addEverywhere } from "./everywhere.ts";
import { limitOptions } from "./limit-options.ts";
import { pluginOption } from "./plugin-option.ts";

export interface Session {
  console: Console;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** For commands that end well but did not find all well. */
  finishWith: (exitCode: number) => void;
}

type AddCommand = (program: Command, session: Session) => void;

/**
 * In the order of the help page. Loading all that these import takes longer than most commands do, so each is loaded
 * when it is called by name, and all of them for everything else.
 */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  data: async () => (await import("./commands/data.ts")).addData,
  methods: async () => (await import("./commands/methods.ts")).addMethods,
  train: async () => (await import("./commands/train.ts")).addTrain,
  predict: async () => (await import("./commands/predict.ts")).addPredict,
  eval: async () => (await import("./commands/eval.ts")).addEval,
  audit: async () => (await import("./commands/audit.ts")).addAudit,
  line: async () => (await import("./commands/line.ts")).addLine,
  pool: async () => (await import("./commands/pool.ts")).addPool,
  simulate: async () => (await import("./commands/simulate.ts")).addSimulate,
  sweep: async () => (await import("./commands/sweep.ts")).addSweep,
  study: async () => (await import("./commands/study.ts")).addStudy,
  runs: async () => (await import("./commands/runs.ts")).addRuns,
  verify: async () => (await import("./commands/verify.ts")).addVerify,
  report: async () => (await import("./commands/report.ts")).addReport,
  plugin: async () => (await import("./commands/plugin.ts")).addPluginCommand,
  weights: async () => (await import("./commands/weights.ts")).addWeights,
  features: async () => (await import("./commands/features.ts")).addFeatures,
  repair: async () => (await import("./commands/repair.ts")).addRepair,
  embed: async () => (await import("./commands/embed.ts")).addEmbed,
  demo: async () => (await import("./commands/demo.ts")).addDemo,
  completion: async () => (await import("./commands/completion.ts")).addCompletion,
};

/** The program with the command that `args` call, or with every one. */
export async function createProgram(session: Session, args: readonly string[]): Promise<Command> {
  const program = new Command("cuelab")
    .description("A lab for shortcut learning in vision models.")
    .version(version, "-v, --version")
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(shownLines(text)) })
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for the options and examples)")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab demo                                   see what it does, in three minutes
  $ cuelab data list                              datasets that can be made
  $ cuelab data make colored-mnist --out D        make one
  $ cuelab data check path/to/my/images           look over your own
  $ cuelab train --data colored-mnist --model mnist-convnet --epochs 2 --out R
  $ cuelab eval R                                 bias metrics of a run, or of your own predictions
  $ cuelab line accuracies.csv --id a --ood b     can this benchmark reveal shortcuts at all?

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 some runs failed, 130 interrupted.`,
    );
  const [called = ""] = args;
  if (called === "--version" || called === "-v") return program;
  for (const name of Object.hasOwn(commands, called) ? [called] : Object.keys(commands)) {
    const add = await commands[name]!();
    add(program, session);
  }
  addEverywhere(program, [pluginOption, ...limitOptions]);
  return program;
}
