/** `cuelab simulate`: the theory of accuracy on the line, sampled and by formula. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Section, Table } from "../../core/section.ts";
import { fillFolder } from "../../disk/fill-folder.ts";
import { answerFiles } from "../../reports/answer-files.ts";
import { asCsv } from "../../reports/as-csv.ts";
import { asText } from "../../reports/as-text.ts";
import { paperWorld, type World } from "../../theory/domain.ts";
import { families } from "../../theory/families.ts";
import { figureThreeDomains } from "../../theory/figure-three.ts";
import { scaledIdentity, type Vector } from "../../theory/matrix.ts";
import { sharesTable, shiftsTable } from "../../theory/number-tables.ts";
import { reflectionExample } from "../../theory/reflection.ts";
import { namedDomains, type Setting, settings } from "../../theory/settings.ts";
import { wellSpecifiedShare } from "../../theory/share.ts";
import { shiftKinds } from "../../theory/shifts.ts";
import { showReflection, showShare, showSimulation } from "../../theory/show.ts";
import { type SimulationReport, simulate } from "../../theory/simulate.ts";
import { type MatrixText, matrixOf, matrixOption, vectorOption } from "../matrix-option.ts";
import { addOutputOptions, choice, collect, number, type OutputOptions, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";

interface WorldOptions extends OutputOptions {
  muDg: Vector;
  muSpu: Vector;
  sigmaDg: MatrixText;
  sigmaSpu: MatrixText;
  labelNoise?: number;
  out?: string;
  force?: boolean;
}

interface FamilyOptions {
  samples: number;
  ridge: number;
  family: string;
  classifiers: number;
  threshold: number;
  seed: number;
}

interface ShiftsOptions extends WorldOptions, FamilyOptions {
  shift: { text: string; matrix: MatrixText }[];
  trainShift: { text: string; matrix: MatrixText }[];
  shifts: number;
  draw?: string;
  size?: number;
  testSamples: number;
  delta: number;
  kappa?: number;
  lipschitz?: number;
}

interface SimulateLineOptions extends WorldOptions, FamilyOptions {
  a: Vector;
  testSamples: number;
  delta: number;
}

interface ShareCommandOptions extends WorldOptions, FamilyOptions {
  shifts: number;
  draw: string;
  size?: number;
  slope: number;
  epsilon: Vector;
  delta: number;
}

interface ReflectionCommandOptions extends WorldOptions {
  alpha: Vector;
  slope: number;
  delta: number;
}

export function addSimulate(program: Command, session: Session): void {
  const command = program
    .command("simulate")
    .description("the theory of accuracy on the line: when does a shift reveal that a cue is used?")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab simulate gaussian --out S                  figure 2a: 50 random shifts, both classifiers on each
  $ cuelab simulate gaussian --shift -1 --shift '0,1;1,0'      shifts of your own
  $ cuelab simulate line --out S                      figure 3: ID against OOD accuracy of 50 classifiers
  $ cuelab simulate share                             theorem 3: how many shifts are well-specified, by ε
  $ cuelab simulate reflection                        the example of appendix A.7`,
    );
  for (const setting of settings.entries) addSetting(command, setting, session);
  addLine(command, session);
  addShare(command, session);
  addReflection(command, session);
}

function addSetting(simulateCommand: Command, setting: Setting, session: Session): void {
  const drawn = setting.name !== "interpolation";
  const command = simulateCommand
    .command(setting.name)
    .description(`${setting.figure}: ${setting.title}`)
    .addOption(
      collect("--shift <M>", "a test domain of your own, such as -1 for −I or '0,1;1,0'; may be given again")
        .argParser(namedMatrix)
        .conflicts(["shifts", "draw"]),
    )
    .addOption(
      collect("--train-shift <M>", "train on this shift, or on an even mixture where given again").argParser(
        namedMatrix,
      ),
    )
    .addOption(new Option("--shifts <n>", "test domains").argParser(wholeNumber(1, 1e6)).default(50));
  if (drawn) command.addOption(drawOption("definite"));
  command.addOption(sizeOption());
  addWorld(command, { noise: true });
  addFamily(command);
  addTests(command);
  command
    .option("--kappa <x>", "κ of theorem 1 (default: what the domain has)", notNegative)
    .option("--lipschitz <x>", "L of theorem 1 (default: what the shift has)", notNegative);
  addOutput(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab simulate ${setting.name} --out S
  $ cuelab simulate ${setting.name} --mu-spu 2,0 --sigma-spu '1,0.5;0.5,1' --test-samples 100000
  $ cuelab simulate ${setting.name} --label-noise 0.25 --family sizes --seed 1 --json`,
    )
    .action((options: ShiftsOptions) => runSetting(setting, options, session));
}

async function runSetting(setting: Setting, options: ShiftsOptions, session: Session): Promise<void> {
  const world = worldOf(options);
  const dimensions = world.meanSpurious.length;
  const draw = options.draw ?? "definite";
  const size = options.size ?? shiftKinds.get(draw).size.default;
  const own = { world, count: options.shifts, draw, size, seed: options.seed };
  const training =
    options.trainShift.length === 0
      ? setting.training(own)
      : options.trainShift.map(({ matrix }) => ({
          weight: 1 / options.trainShift.length,
          shift: matrixOf(matrix, dimensions),
        }));
  const tests =
    options.shift.length === 0
      ? setting.tests(own, training)
      : namedDomains(
          options.shift.map(({ text, matrix }) => ({
            name: typeof matrix === "number" ? `${matrix}·I` : text,
            shift: matrixOf(matrix, dimensions),
          })),
        );
  const report = simulate({ ...options, world, training, tests });
  const title = `${setting.figure}: ${setting.title}`;
  await finish(options, session, {
    json: { setting: setting.name, world, ...report },
    sections: showSimulation(report, { title, alignment: true, panels: extremes(report) }),
    numbers: shiftsTable(report),
  });
}

/** The most reversed shift, the one with the least to say, and the most aligned. */
function extremes({ shifts }: SimulationReport) {
  const sorted = [...shifts].sort((a, b) => a.theoremOne.reversal - b.theoremOne.reversal);
  const middle = [...shifts].sort(
    (a, b) => Math.abs(a.theoremOne.reversal) - Math.abs(b.theoremOne.reversal),
  )[0]!;
  return [...new Set([sorted[0]!, middle, sorted.at(-1)!])].map((shift) => ({
    title: `w·Mμ = ${shift.theoremOne.reversal.toFixed(2)}`,
    shift,
  }));
}

function addLine(simulateCommand: Command, session: Session): void {
  const command = simulateCommand
    .command("line")
    .description("figure 3: ID against OOD accuracy over a family, for a random shift and for multiples of I")
    .addOption(
      new Option("--a <numbers>", "factors of a·I; the first and its negative are drawn")
        .argParser(vectorOption)
        .default([0.5, -0.5, 1, 0.75, 0.25, 0, -0.25, -0.75, -1], "0.5,-0.5,1,0.75,0.25,0,-0.25,-0.75,-1"),
    );
  addWorld(command, { noise: true });
  addFamily(command);
  addTests(command);
  addOutput(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab simulate line --out S
  $ cuelab simulate line --label-noise 0.25 --a 1,-1
  $ cuelab simulate line --family random --classifiers 500 --json`,
    )
    .action((options: SimulateLineOptions) => runLine(options, session));
}

async function runLine(options: SimulateLineOptions, session: Session): Promise<void> {
  const world = worldOf(options);
  const training = [{ weight: 1, shift: scaledIdentity(world.meanSpurious.length) }];
  const tests = figureThreeDomains(world, options.a, options.seed);
  const report = simulate({ ...options, world, training, tests });
  const panels = report.shifts.slice(0, 3).map((shift) => ({ title: shift.name, shift }));
  await finish(options, session, {
    json: { setting: "line", world, ...report },
    sections: showSimulation(report, {
      title: "figure 3: the line of a family of classifiers",
      alignment: false,
      panels,
    }),
    numbers: shiftsTable(report),
  });
}

function addShare(simulateCommand: Command, session: Session): void {
  const command = simulateCommand
    .command("share")
    .description("theorem 3: the share of well-specified shifts among random ones, by closeness to the line")
    .addOption(new Option("--shifts <n>", "shifts to draw").argParser(wholeNumber(1, 1e7)).default(10_000))
    .addOption(drawOption("normal").default("normal"))
    .addOption(sizeOption())
    .option("--slope <a>", "of the line through the origin of the probits", number, 1)
    .addOption(
      new Option("--epsilon <numbers>", "distances to the line")
        .argParser(vectorOption)
        .default([0, 0.01, 0.03, 0.1, 0.3, 1, 3], "0,0.01,0.03,0.1,0.3,1,3"),
    )
    .option("--delta <x>", "δ of theorem 1", probability, 0.5);
  addWorld(command, { noise: false });
  addFamily(command);
  addOutput(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab simulate share --out S
  $ cuelab simulate share --slope 0.5
  $ cuelab simulate share --shifts 100000 --family reliance --json`,
    )
    .action((options: ShareCommandOptions) => runShare(options, session));
}

async function runShare(options: ShareCommandOptions, session: Session): Promise<void> {
  const { slope, delta, threshold, draw } = options;
  const world = worldOf(options);
  const size = options.size ?? shiftKinds.get(draw).size.default;
  const report = wellSpecifiedShare({
    ...options,
    world,
    size,
    count: options.shifts,
    epsilons: options.epsilon,
  });
  await finish(options, session, {
    json: { setting: "share", world, slope, delta, draw, size, ...report },
    sections: showShare(report, { slope, delta, threshold }),
    numbers: sharesTable(report),
  });
}

function addReflection(simulateCommand: Command, session: Session): void {
  const command = simulateCommand
    .command("reflection")
    .description("appendix A.7: a reflection that is meant to be well-specified and on the line")
    .addOption(
      new Option("--alpha <numbers>", "factors of the reflection")
        .argParser(vectorOption)
        .default([0.1, 0.25, 0.5, 1, 1.5, 2], "0.1,0.25,0.5,1,1.5,2"),
    )
    .option("--slope <a>", "a of the line", number, 2)
    .option("--delta <x>", "δ of equation 36", probability, 0.5);
  addWorld(command, { noise: false });
  addOutput(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab simulate reflection
  $ cuelab simulate reflection --mu-spu 3,1 --slope 1.5 --delta 0.05 --json`,
    )
    .action((options: ReflectionCommandOptions) => runReflection(options, session));
}

async function runReflection(options: ReflectionCommandOptions, session: Session): Promise<void> {
  const world = worldOf(options);
  const { slope, delta, alpha } = options;
  const report = reflectionExample({ world, slope, delta, alphas: alpha });
  await finish(options, session, {
    json: { setting: "reflection", world, slope, delta, ...report },
    sections: showReflection(report, { slope, delta }),
  });
}

function addWorld(command: Command, { noise }: { noise: boolean }): void {
  command
    .addOption(meanOption("--mu-dg <numbers>", "mean of the domain-general features of class +1"))
    .addOption(spreadOption("--sigma-dg <matrix>", "their covariance; a number s for s·I"))
    .addOption(meanOption("--mu-spu <numbers>", "mean of the spurious features of class +1, before a shift"))
    .addOption(spreadOption("--sigma-spu <matrix>", "their covariance"));
  if (!noise) return;
  command.option(
    "--label-noise <p>",
    "how often the domain-general features follow the other class (the published code had 0.25)",
    number,
    0,
  );
}

function addFamily(command: Command): void {
  command
    .addOption(new Option("--samples <n>", "rows to train on").argParser(wholeNumber(4, 1e7)).default(1000))
    .option("--ridge <x>", "λ of the logistic regressions: adds ½λΣw² to the summed loss", notNegative, 1)
    .addOption(
      choice(
        "--family <name>",
        "what varies among the classifiers of which R is taken",
        families.names,
      ).default("domains"),
    )
    .addOption(new Option("--classifiers <n>", "how many").argParser(wholeNumber(3, 1e5)).default(50))
    .option("--threshold <r>", "R below it: well-specified", number, 0.3)
    .addOption(
      new Option("--seed <n>", "same seed, same numbers")
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(0),
    );
}

function addTests(command: Command): void {
  command
    .addOption(
      new Option("--test-samples <n>", "rows of each domain to try classifiers on")
        .argParser(wholeNumber(1, 1e8))
        .default(1000),
    )
    .option("--delta <x>", "δ of theorem 1", probability, 0.05);
}

function addOutput(command: Command): Command {
  return addOutputOptions(
    command
      .option(
        "--out <folder>",
        "also write a page, Markdown, simulation.json, tables (CSV, LaTeX) and figures (SVG, PNG) there",
      )
      .option("--force", "replace other files of the same names there"),
  );
}

interface Simulated {
  json: object;
  sections: readonly Section[];
  /** Every number, for programs. */
  numbers?: Table;
}

async function finish(
  { out, force = false, json, quiet }: WorldOptions,
  { console }: Session,
  { json: answer, sections, numbers }: Simulated,
): Promise<void> {
  if (out !== undefined) {
    const title = sections[0]?.heading ?? "";
    const lead = "The theory of accuracy on the line, sampled and by formula. After Salaudeen et al. 2025.";
    const files = await answerFiles({ name: "simulation", title, lead, sections, answer });
    const table = numbers ? [[`${numbers.name}.csv`, asCsv(numbers)] as const] : [];
    await fillFolder(out, { by: "simulate", force }, async (write) => {
      for (const [name, content] of [...files, ...table]) await write(name, content);
    });
    if (!quiet) console.note(`wrote ${files.size + table.length} files to ${out}`);
  }
  if (json) console.json(answer);
  else console.print(asText(sections, { bold: (text) => console.style("bold", text) }));
}

function worldOf({ muDg, muSpu, sigmaDg, sigmaSpu, labelNoise = 0 }: WorldOptions): World {
  return {
    meanGeneral: muDg,
    covarianceGeneral: matrixOf(sigmaDg, muDg.length),
    meanSpurious: muSpu,
    covarianceSpurious: matrixOf(sigmaSpu, muSpu.length),
    labelNoise,
  };
}

function meanOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(vectorOption).default(paperWorld.meanGeneral, "1,1");
}

function spreadOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(matrixOption).default(1, "1");
}

function drawOption(usual: string): Option {
  const kinds = shiftKinds.entries.map(({ name, description }) => `${name}: ${description}`).join("; ");
  return choice("--draw <kind>", `how shifts are drawn (default: ${usual}). ${kinds}`, shiftKinds.names);
}

function sizeOption(): Option {
  const meanings = shiftKinds.entries.map(
    ({ name, size }) => `${name}: ${size.meaning} (default: ${size.default})`,
  );
  return new Option("--size <x>", `size of drawn shifts. ${meanings.join("; ")}`).argParser(number);
}

function namedMatrix(text: string, before: { text: string; matrix: MatrixText }[]) {
  return [...before, { text, matrix: matrixOption(text) }];
}

function notNegative(text: string): number {
  const value = number(text);
  if (value >= 0) return value;
  throw new InvalidArgumentError("Expected a number of 0 or more.");
}

function probability(text: string): number {
  const value = number(text);
  if (value > 0 && value < 1) return value;
  throw new InvalidArgumentError("Expected a number between 0 and 1.");
}
