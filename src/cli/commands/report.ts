/** `cuelab report protocol`: what the record of a sweep answers to a paper's recommendations. */

import type { Command } from "commander";
import { asText } from "../../reports/as-text.ts";
import { protocolReport, protocolSentence, showProtocol } from "../../reports/paper/protocol.ts";
import { type AnswerOptions, addAnswerOptions, checkReport, writePage } from "../answers.ts";
import type { Session } from "../program.ts";
import { usualRuns } from "../runs-query.ts";

interface ProtocolOptions extends AnswerOptions {
  runs: string;
}

export function addReport(program: Command, { console, signal }: Session): void {
  const report = program.command("report").description("what a sweep's record answers");
  addAnswerOptions(
    report
      .command("protocol <sweep>")
      .description("whether a sweep keeps the four recommendations of Shrestha et al. 2022, with numbers"),
  )
    .option("--runs <folder>", "where the sweep was run into", usualRuns)
    .option("--force", "replace a page that is there already")
    .addHelpText(
      "after",
      `
Each is answered yes, partly or no, from the sweep's record and its runs; nothing is run. What a record cannot tell, such as
whether a dataset is realistic, is said.

Examples:
  $ cuelab report protocol one-cue
  $ cuelab report protocol one-cue --runs results --report protocol.html`,
    )
    .action(async (sweep: string, options: ProtocolOptions) => {
      await checkReport(options);
      const found = await protocolReport(options.runs, sweep, signal);
      const sections = showProtocol(found);
      await writePage(
        () => ({
          title: `Protocol of ${sweep}`,
          lead: "The recommendations of Shrestha et al. 2022, section 7, answered from the record.",
          inShort: [protocolSentence(found)],
          sections,
        }),
        options,
        console,
      );
      if (options.json) console.json(found);
      else {
        const last = { name: "in-short", heading: "", text: protocolSentence(found) };
        console.print(asText([...sections, last], { bold: (text) => console.style("bold", text) }));
      }
    });
}
