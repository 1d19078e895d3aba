/** The command tree: nouns, then verbs. */

import { Command } from "commander";
import { version } from "../core/version.ts";
import { addCompletion } from "./commands/completion.ts";
import { addData } from "./commands/data.ts";
import { addDemo } from "./commands/demo.ts";
import { addEmbed } from "./commands/embed.ts";
import { addEval } from "./commands/eval.ts";
import { addFeatures } from "./commands/features.ts";
import { addLine } from "./commands/line.ts";
import { addPool } from "./commands/pool.ts";
import { addRuns } from "./commands/runs.ts";
import { addSimulate } from "./commands/simulate.ts";
import { addStudy } from "./commands/study.ts";
import { addSweep } from "./commands/sweep.ts";
import { addTrain } from "./commands/train.ts";
import { addWeights } from "./commands/weights.ts";
import type { Console } from "./console.ts";

export interface Session {
  console: Console;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** For commands that end well but did not find all well. */
  finishWith: (exitCode: number) => void;
}

export function createProgram(session: Session): Command {
  const program = new Command("cuelab")
    .description("A lab for shortcut learning in vision models.")
    .version(version)
    .exitOverride()
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
  addData(program, session);
  addTrain(program, session);
  addEval(program, session);
  addLine(program, session);
  addPool(program, session);
  addSweep(program, session);
  addStudy(program, session);
  addRuns(program, session);
  addWeights(program, session);
  addFeatures(program, session);
  addEmbed(program, session);
  addSimulate(program, session);
  addDemo(program, session);
  addCompletion(program, session);
  return program;
}
