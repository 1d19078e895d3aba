/** `data list` and `data show`: what can be made, and how each dataset is set. */

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { describeSettings, type SettingDescription } from "../../core/settings.ts";
import { type DatasetDefinition, datasets, findDataset, isDatasetName } from "../../datasets/index.ts";
import { formats } from "../../formats/index.ts";
import { readManifest } from "../../formats/manifest.ts";
import { textTable } from "../../reports/text-table.ts";
import { addOutputOptions, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

export function addList(data: Command, { console }: Session): void {
  addOutputOptions(data.command("list [name]"))
    .description(
      "datasets that can be made and formats they can be written in; or a dataset's named variants",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  $ cuelab data list\n  $ cuelab data list diagvib-study\n  $ cuelab data list --json",
    )
    .action((name: string | undefined, { json }: OutputOptions) => {
      if (name !== undefined) {
        const { variants } = datasets.get(name);
        const names = (variants?.names() ?? []).map((variant) => `${name}:${variant}`);
        if (json) console.json({ name, variants: names });
        else if (variants) console.print(names.join("\n"));
        else console.note(`${name} has no named variants; see: cuelab data show ${name}`);
        return;
      }
      if (json) {
        console.json({
          datasets: datasets.entries.map(summary),
          formats: formats.entries.map(({ name, description, encodings }) => ({
            name,
            description,
            encodings,
          })),
        });
        return;
      }
      console.print(
        textTable(
          ["dataset", "title", "after", "needs"],
          datasets.entries.map((definition) => {
            const { name, title, paper } = definition;
            return [name, title, paper, needs(definition).join(" ") || "–"];
          }),
        ),
      );
      console.print("");
      console.print(
        textTable(
          ["format", "what it is"],
          formats.entries.map(({ name, description }) => [name, description]),
        ),
      );
    });
}

export function addShow(data: Command, { console }: Session): void {
  addOutputOptions(data.command("show <name>"))
    .description("what a dataset is and which settings it has; or what a dataset on disk was made from")
    .addHelpText(
      "after",
      "\nExamples:\n  $ cuelab data show colored-mnist\n  $ cuelab data show path/to/a/dataset --json",
    )
    .action(async (name: string, { json }: OutputOptions) => {
      const manifest = !isDatasetName(name) && existsSync(name) ? await readManifest(name) : undefined;
      if (manifest) {
        console.json(manifest);
        return;
      }
      const { definition } = findDataset(name);
      if (json) console.json({ ...summary(definition), settings: describeSettings(definition.settings) });
      else console.print(page(definition, (text) => console.style("bold", text)));
    });
}

function summary(definition: DatasetDefinition) {
  const { name, title, description, paper, version } = definition;
  return { name, title, description, paper, version, needs: requiredOf(definition) };
}

/** Settings without which it cannot be made, such as where people keep their own copy. */
function requiredOf({ settings }: DatasetDefinition): string[] {
  return describeSettings(settings).flatMap(({ key, required }) => (required ? [key] : []));
}

/** The same as options with example values. */
function needs(definition: DatasetDefinition): string[] {
  const required = requiredOf(definition);
  return definition.examples
    .filter((example) => required.includes(example.split("=")[0]!))
    .map((example) => `--set ${example}`);
}

function page(definition: DatasetDefinition, bold: (text: string) => string): string {
  const described = describeSettings(definition.settings);
  const settings = described.map((setting) => [
    setting.key,
    setting.required
      ? "must be given"
      : setting.default === undefined
        ? "–"
        : [setting.default].flat().map(String).join(","),
    setting.type,
    setting.description,
  ]);
  const set = definition.examples.map((example) => `--set ${example}`).join(" ");
  const needed = needs(definition).map((option) => ` ${option}`);
  return [
    bold(`${definition.title} (${definition.name})`),
    wrap(definition.description, 96),
    `After ${definition.paper}.`,
    "",
    textTable(["setting", "default", "type", "meaning"], settings),
    ...byName(described),
    "",
    ...(definition.variants === undefined
      ? []
      : [
          `Named variants: ${definition.name}:${definition.variants.pattern}; list them: cuelab data list ${definition.name}`,
          "",
        ]),
    "Examples:",
    `  $ cuelab data make ${definition.name} --out D${needed.join("")}`,
    `  $ cuelab data make ${definition.name} --out D ${set}`,
    `  $ cuelab data preview ${definition.name} --out sheet.png${needed.join("")}`,
  ].join("\n");
}

/** Which names a setting for several has, once for all settings that share them. */
function byName(settings: readonly SettingDescription[]): string[] {
  const keysOf = new Map<string, string[]>();
  for (const { key, names } of settings) {
    if (names) keysOf.set(names.join(", "), [...(keysOf.get(names.join(", ")) ?? []), key]);
  }
  return [...keysOf].flatMap(([names, keys]) => [
    "",
    wrap(`By name: ${keys.join(", ")} each have ${names}.`, 96),
    `Set one with ${keys[0]}.${names.split(", ")[0]}=…; it wins over ${keys[0]}=… for all.`,
  ]);
}

function wrap(text: string, width: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1)!.length + word.length >= width) lines.push("");
    lines.push(`${lines.pop()!} ${word}`.trim());
  }
  return lines.join("\n");
}
