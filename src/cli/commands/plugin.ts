/** `cuelab plugin`: a file to begin with, and whether what a plugin brings keeps what it must. */

import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Argument, type Command } from "commander";
import type { PluginCheckResult } from "../../contracts/plugins.ts";
import { CuelabError } from "../../core/errors.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { templates } from "../../plugins/templates/index.ts";
import { addOutputOptions, collect, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

export function addPluginCommand(program: Command, session: Session): void {
  const plugin = program
    .command("plugin")
    .description(
      "methods, datasets, networks, metrics, views and audits of your own, in a file outside of cuelab",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab plugin new method mine --out mine.ts
  $ cuelab plugin check mine.ts
  $ cuelab train --plugin mine.ts --method mine --data colored-mnist --model mlp --out R`,
    );
  addNew(plugin, session);
  addCheck(plugin, session);
}

interface NewOptions extends OutputOptions {
  out: string;
  force?: boolean;
}

function addNew(plugin: Command, { console }: Session): void {
  const command = plugin
    .command("new")
    .description("write a file to begin with, which works and passes 'plugin check' as it is")
    .addArgument(new Argument("<kind>", "what it brings").choices(Object.keys(templates)))
    .argument("<name>", "what it is called, such as my-method")
    .requiredOption("--out <file>", "where to write it: TypeScript (.ts) or plain JavaScript (.js, .mjs)")
    .option("--force", "replace the file if it is there");
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab plugin new method my-method --out my-method.ts
  $ cuelab plugin new dataset bars --out bars.js`,
    )
    .action(async (kind: string, name: string, { out, force = false, json }: NewOptions) => {
      const template = templates[kind];
      if (template === undefined || !/^[a-z\d]+(-[a-z\d]+)*$/.test(name) || !/\.m?[jt]s$/.test(out))
        throw unfit(name, out);
      await writeWhole(out, template.text(name), { overwrite: force });
      const next = [`plugin check ${out}`, ...template.next(name, out)].map((words) => `cuelab ${words}`);
      if (json) console.json({ kind, name, out: resolve(out), next });
      else console.print(`wrote ${out}; next:\n${next.map((words) => `  $ ${words}`).join("\n")}`);
    });
}

interface CheckPluginOptions extends OutputOptions {
  set: string[];
}

function addCheck(plugin: Command, session: Session): void {
  const command = plugin
    .command("check <plugin>")
    .description("put all that a plugin brings to the contracts that cuelab's own must keep")
    .addOption(
      collect(
        "--set <key=value>",
        "a setting of its dataset or method that must be given; may be given again",
      ),
    );
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
Methods are trained in small, several times, which takes some ten seconds each; the rest takes a few. The exit code is 3
where something is not kept.

Examples:
  $ cuelab plugin check mine.ts
  $ cuelab plugin check photos.ts --set folder=path/to/photos --json`,
    )
    .action((place: string, options: CheckPluginOptions) => check(place, options, session));
}

async function check(
  place: string,
  { set, json }: CheckPluginOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  // Every help page of the whole program would otherwise load all this.
  const [{ loadPlugin }, { checkEntries }] = await Promise.all([
    import("../../plugins/load-plugins.ts"),
    import("../../contracts/plugins.ts"),
  ]);
  const plugin = await loadPlugin(place, process.cwd());
  const { path, digest } = plugin.code!;
  const results: PluginCheckResult[] = [];
  if (!json) console.print(`${path}\n${digest}`);
  let heading = "";
  let before: string | undefined;
  const onResult = (result: PluginCheckResult) => {
    results.push(result);
    if (json) return;
    const title = `${result.kind}: ${result.entry}`;
    if (title !== heading) console.print(`\n${console.style("bold", title)}`);
    heading = title;
    const told = result.problem === undefined ? undefined : ownFrames(result.problem, path);
    console.print(
      lineOf({ ...result, ...(told && { problem: told === before ? "the same" : told }) }, console),
    );
    before = told;
  };
  await checkEntries(plugin, { set, signal, onResult });
  const broken = results.filter(({ problem }) => problem !== undefined).length;
  if (json) console.json({ path, digest, brings: plugin.brings, checks: results });
  else if (results.length === 0) console.print("\nit brings nothing");
  else console.print(broken === 0 ? "\nall is kept" : `\n${broken} of ${results.length} not kept`);
  if (broken > 0) finishWith(3);
}

function lineOf({ name, problem }: PluginCheckResult, console: Session["console"]): string {
  if (problem === undefined) return `  ${console.style("green", "✓")} ${name}`;
  const told = problem.split("\n").map((line) => `      ${line}`);
  return [`  ${console.style("red", "✗")} ${name}`, ...told].join("\n");
}

/** A mistake in the plugin's code, without the program's own frames below it. */
function ownFrames(problem: string, path: string): string {
  const folder = pathToFileURL(dirname(path)).href;
  const lines = problem.split("\n");
  const last = lines.findLastIndex((line) => /^\s+at /.test(line) && line.includes(folder));
  return last === -1 ? problem : lines.slice(0, last + 1).join("\n");
}

function unfit(name: string, out: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "no plugin can be begun like this",
    expected: "a name of small letters, digits and hyphens, and a file that ends in .ts, .mts, .js or .mjs",
    got: `${name}, ${out}`,
  });
}
