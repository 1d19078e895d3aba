/** `cuelab demo`: a first look, from nothing to three trained networks, two shortcuts, and a page about what curing did. */

import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { version } from "../../core/version.ts";
import { checkFillable, fillFolder } from "../../disk/fill-folder.ts";
import { asHtml } from "../../reports/as-html.ts";
import { asText } from "../../reports/as-text.ts";
import { demoFiles, demoFilling, makeDemo } from "../../studies/demo/make-demo.ts";
import { nextSection } from "../../studies/demo/next.ts";
import { type DemoChoice, type DemoCue, demoCues, demoDefaults } from "../../studies/demo/plan.ts";
import { gapSection, madeSection, moleSections, pictureSection } from "../../studies/demo/sections.ts";
import { addOutputOptions, addWorkers, list, type OutputOptions, wholeNumber } from "../options.ts";
import { PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";

interface DemoOptions extends OutputOptions, DemoChoice {
  out: string;
  workers: number;
  force?: boolean;
}

export function addDemo(program: Command, session: Session): void {
  const command = program
    .command("demo")
    .description("cure a network of one shortcut, and see what becomes of the other")
    .option("--out <folder>", "where to put everything", "cuelab-demo")
    .option("--force", "replace the page and the sweep file where they were changed since, or are others'")
    .addOption(
      new Option("--explicit <cues>", `what Group DRO is told: ${demoCues.join(", ")}, or both by a comma`)
        .argParser(cueList)
        .default(demoDefaults.explicit, demoDefaults.explicit.join(",")),
    )
    .option("--images <n>", "training images", wholeNumber(100, 50_000), demoDefaults.images)
    .option("--epochs <n>", "passes over them", wholeNumber(1, 1000), demoDefaults.epochs)
    .option(
      "--seed <n>",
      "of the draw of images and of the first weights",
      wholeNumber(0, 1_000_000),
      demoDefaults.seed,
    );
  addOutputOptions(addWorkers(command))
    .addHelpText(
      "after",
      `
Draws a small UrbanCars, in which background and object go with the car, trains a standard model, Group DRO that is told
one of the two, and Last Layer Ensemble that is told neither but their kinds, two at a time, and writes a page about what
became of both: report.html. Run it again after an interruption: it goes on where it was.

Examples:
  $ cuelab demo
  $ cuelab demo --explicit coObject
  $ cuelab demo --seed 1 --out cuelab-demo-1
  $ cuelab demo --images 1000 --epochs 2 --out quick --json`,
    )
    .action((options: DemoOptions) => demo(options, session));
}

/** In the dataset's order, since any other is the same run. */
function cueList(text: string, previous?: unknown): DemoCue[] {
  const given = list(text, previous);
  const strange = given.find((cue) => !demoCues.some((own) => own === cue));
  if (strange !== undefined)
    throw new InvalidArgumentError(`Allowed are ${demoCues.join(", ")}, or both by a comma.`);
  return demoCues.filter((cue) => given.includes(cue));
}

async function demo(options: DemoOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const { out, force = false, workers, quiet, json, explicit, seed } = options;
  const filling = await checkFillable(out, Object.values(demoFiles), demoFilling(force));
  let progress: PoolProgress | undefined;
  let made: Awaited<ReturnType<typeof makeDemo>>;
  try {
    made = await makeDemo({
      ...options,
      force,
      signal,
      onRuns: (runs, total) => {
        progress ??= new PoolProgress({ console, quiet, total, workers });
        progress.update(runs);
      },
    });
  } catch (cause) {
    if (signal.aborted) console.note("saved; the same command goes on from here");
    throw cause;
  } finally {
    progress?.clear();
  }
  if ("failed" in made) {
    for (const { label, error } of made.failed) console.problem(`${label}: ${error?.message ?? "unknown"}`);
    if (json) console.json({ failed: made.failed.map(({ id, label }) => ({ id, label })) });
    finishWith(4);
    return;
  }
  const { dataset, runs, findings } = made;
  const report = join(out, demoFiles.page);
  const next = nextSection(options, runs);
  const page = await asHtml({
    title: "Cured of one shortcut: what becomes of the other?",
    lead:
      "Three networks learned to tell urban cars from those of the country, in images in which the background and an object " +
      "beside the car nearly always tell, too. A network that goes by them is right for the wrong reason.",
    inShort: findings,
    sections: [
      pictureSection(dataset),
      gapSection(runs),
      ...moleSections(runs),
      madeSection(runs, options, version),
      next,
    ],
  });
  await fillFolder(out, filling, (write) => write(demoFiles.page, page));
  if (json) {
    console.json({ out, report, explicit, seed, runs, findings });
    return;
  }
  const gaps = gapSection(runs);
  const inShort = {
    name: "in-short",
    heading: "In short",
    text: findings.map((finding) => wrapped(finding)).join("\n\n"),
  };
  const where = { name: "where", heading: "", facts: [["page", report] as const] };
  console.print(
    asText([{ ...gaps, text: wrapped(gaps.text) }, inShort, where, next], {
      bold: (text) => console.style("bold", text),
    }),
  );
}

/** A sentence in lines that fit a terminal. */
function wrapped(text: string): string {
  const width = 100;
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
