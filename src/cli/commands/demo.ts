/** `cuelab demo`: a first look, from nothing to three trained networks, their shortcuts, and a page about them. */

import { join } from "node:path";
import type { Command } from "commander";
import { quoted } from "../../core/shell-words.ts";
import { percentText } from "../../core/words.ts";
import { checkFillable, fillFolder } from "../../disk/fill-folder.ts";
import { contactSheetName } from "../../formats/card/contact-sheet.ts";
import { demoPage } from "../../reports/demo/page.ts";
import { textTable } from "../../reports/text-table.ts";
import { variables } from "../../studies/biased-mnist/variables.ts";
import { demoFiles, demoFilling, makeDemo } from "../../studies/demo/make-demo.ts";
import type { DemoRun } from "../../studies/demo/measure.ts";
import { demoDefaults } from "../../studies/demo/plan.ts";
import { points } from "../../studies/summaries.ts";
import { addOutputOptions, addWorkers, choice, type OutputOptions, wholeNumber } from "../options.ts";
import { PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";

interface DemoOptions extends OutputOptions {
  out: string;
  explicit: string;
  images: number;
  epochs: number;
  workers: number;
  force?: boolean;
}

export function addDemo(program: Command, session: Session): void {
  const command = program
    .command("demo")
    .description("train three networks on images full of shortcuts, and see which shortcuts they take")
    .option("--out <folder>", "where to put everything", "cuelab-demo")
    .option("--force", "replace the page and the sweep file where they were changed since, or are others'")
    .addOption(
      choice("--explicit <cue>", "the one cue that a method is told", variables).default(
        demoDefaults.explicit,
      ),
    )
    .option("--images <n>", "training images", wholeNumber(100, 50_000), demoDefaults.images)
    .option("--epochs <n>", "passes over them", wholeNumber(1, 1000), demoDefaults.epochs);
  addOutputOptions(addWorkers(command))
    .addHelpText(
      "after",
      `
Makes a small Biased MNIST, trains a standard model, a method that is told one cue, and one that is told none, two
at a time, and writes a page about them: report.html. Run it again after an interruption: it goes on where it was.

Examples:
  $ cuelab demo
  $ cuelab demo --explicit texture
  $ cuelab demo --images 2000 --epochs 2 --out quick --json`,
    )
    .action((options: DemoOptions) => demo(options, session));
}

async function demo(options: DemoOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const { out, force = false, workers, quiet, json, explicit } = options;
  const filling = await checkFillable(out, Object.values(demoFiles), demoFilling(out, force));
  const images = console.follow(quiet);
  let begun = false;
  let progress: PoolProgress | undefined;
  let made: Awaited<ReturnType<typeof makeDemo>>;
  try {
    made = await makeDemo({
      ...options,
      force,
      signal,
      onImages: (done, total) => {
        if (!begun) images.begin("making the dataset", total);
        begun = true;
        images.update(done);
        if (done === total) images.finish();
      },
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
  const { dataset, folder, manifest, runs, findings, chance } = made;
  const report = join(out, demoFiles.page);
  const next = nextCommands(options, runs, join(out, demoFiles.sweep));
  const page = await demoPage({
    dataset,
    hash: manifest.hash,
    runs,
    findings,
    chance,
    choice: options,
    next,
  });
  await fillFolder(out, filling, (write) => write(demoFiles.page, page));
  const sheet = join(folder, contactSheetName);
  if (json) {
    const data = { folder, count: manifest.count, splits: manifest.splits, hash: manifest.hash, sheet };
    console.json({ out, report, data, explicit, chance, runs, findings });
    return;
  }
  console.print(`${resultTable(runs)}

gap: accuracy where the cue goes with the class, less that where it does not, in points (95% interval over test images)

${findings.map((finding) => wrapped(finding)).join("\n\n")}

report     ${report}
data       ${folder} (${manifest.count.toLocaleString("en")} images; ${sheet})

next
${next.map(([command]) => `  ${command}`).join("\n")}`);
}

function resultTable(runs: readonly DemoRun[]): string {
  const told = runs.flatMap((run) => run.told);
  const [first] = runs as [DemoRun];
  return textTable(
    ["", ...runs.map(({ label }) => label)],
    [
      [
        "accuracy",
        ...runs.map(({ accuracy: { value, low, high } }) =>
          [value, low, high].map((share) => percentText(share)),
        ),
      ],
      ...Object.keys(first.cues).map((cue) => [
        `gap ${cue}${told.includes(cue) ? " (told)" : ""}`,
        ...runs.map(({ cues }) =>
          [cues[cue]!.mmd.value, cues[cue]!.mmd.low, cues[cue]!.mmd.high].map(points),
        ),
      ]),
    ].map(([name, ...cells]) => [
      name as string,
      ...cells.map(([value, low, high]) => `${value!.padStart(5)} (${low} to ${high})`),
    ]),
  );
}

/** As one types them in a clone of this repository. */
function nextCommands(
  { out, images, epochs }: DemoOptions,
  runs: readonly DemoRun[],
  sweep: string,
): [string, string][] {
  const [first] = runs as [DemoRun];
  const folder = quoted(join(out, "runs"));
  const size = [
    images === demoDefaults.images ? "" : ` --images ${images}`,
    epochs === demoDefaults.epochs ? "" : ` --epochs ${epochs}`,
  ].join("");
  const other = variables.find((cue) => !runs.some(({ told }) => told.includes(cue)));
  return [
    [
      `npx cuelab eval ${quoted(join(out, "runs", first.id))}`,
      "Every bias metric of one run, with its groups:",
    ],
    [`npx cuelab runs compare ${folder}`, "The runs side by side, also as LaTeX (runs export):"],
    [
      `npx cuelab demo --out ${quoted(out)}${size} --explicit ${other}`,
      "Tell the method another cue; only its run is made, the others are there:",
    ],
    [
      `npx cuelab sweep run ${quoted(sweep)} --out ${folder}`,
      "The three runs as a file; copy it, and add methods, seeds or a search:",
    ],
    [
      "npx cuelab data make biased-mnist --set count.train=5000 --set pBias.texture=0.9 --out my-data",
      "Make a variant of your own:",
    ],
    [
      "npx cuelab train --data my-data --model biased-mnist-cnn --method rubi --explicit texture --out my-run",
      "And train on it:",
    ],
    ["npx cuelab study run biased-mnist --preset quick", "The paper's whole experiment, in small:"],
  ];
}

/** Sentences in lines that fit a terminal. */
function wrapped(text: string, width = 100): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
