/** `methods list` and `methods show`: what each method is, what it is told, how it is set and what papers set it to. */

import type { Command } from "commander";
import { describeSettings, resolveSettings } from "../../core/settings.ts";
import {
  type Method,
  methods,
  optimiserSearch,
  type Preset,
  supervisionInWords,
  supervisionOf,
} from "../../methods/index.ts";
import { type PrintedName, printedNames, toldUnder } from "../../methods/printed-names.ts";
import { textTable } from "../../reports/text-table.ts";
import type { ViewUse } from "../../views/view.ts";
import { addOutputOptions, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

export function addMethods(program: Command, session: Session): void {
  const command = program
    .command("methods")
    .description("list the methods, and show how each is set")
    .addHelpText("after", "\nExamples:\n  $ cuelab methods list\n  $ cuelab methods show jtt");
  addList(command, session);
  addShow(command, session);
}

function addList(command: Command, { console }: Session): void {
  addOutputOptions(command.command("list"))
    .description("what methods there are, and what each is told beside training images and their classes")
    .addHelpText("after", "\nExamples:\n  $ cuelab methods list\n  $ cuelab methods list --json")
    .action(({ json, quiet }: OutputOptions) => {
      if (json) {
        const names = printedNames.map((each) => ({ ...each, supervision: toldUnder(each) }));
        console.json({ methods: methods.entries.map(summary), names });
        return;
      }
      console.print(
        textTable(
          ["method", "title", "after", "told"],
          methods.entries.map((method) => [method.name, method.title, method.paper, toldInWords(method)]),
        ),
      );
      console.print(
        `\n${textTable(
          ["in papers", "method", "augment", "told", "of"],
          printedNames.map((each) => [
            each.name,
            each.method,
            changesInWords(each) || "–",
            supervisionInWords(toldUnder(each)),
            each.papers.join("; "),
          ]),
        )}`,
      );
      if (!quiet)
        console.note(
          "what stands under augment are views, changes of images: 'cuelab train --augment mixup'; docs/views.md",
        );
    });
}

/** Names of views: those of a choice with an "or". */
function changesInWords({ augment = [], settings = {} }: PrintedName): string {
  const inWordsOf = (use: string | ViewUse): string => {
    if (typeof use === "string") return use;
    const choices = use.with?.of as readonly (string | ViewUse)[] | undefined;
    return choices?.map(inWordsOf).join(" or ") ?? use.view;
  };
  return [...augment, ...((settings.views ?? []) as readonly (string | ViewUse)[])].map(inWordsOf).join(", ");
}

function addShow(command: Command, { console }: Session): void {
  addOutputOptions(command.command("show <name>"))
    .description("a method's settings, the values to search and those that papers used")
    .addHelpText(
      "after",
      "\nExamples:\n  $ cuelab methods show group-dro\n  $ cuelab methods show dfr --json",
    )
    .action((name: string, { json }: OutputOptions) => {
      const method = methods.get(name);
      if (json) {
        const settings = describeSettings(method.settings).map((setting) => ({
          ...setting,
          ...(method.search[setting.key] && { search: method.search[setting.key] }),
        }));
        console.json({ ...summary(method), settings, presets: method.presets, optimiserSearch });
      } else console.print(page(method, (text) => console.style("bold", text)));
    });
}

function summary(method: Method) {
  const { name, version, title, paper, presets } = method;
  return {
    name,
    version,
    title,
    paper,
    supervision: toldBy(method),
    supervisionDependsOnSettings: typeof method.supervision === "function",
    presets: Object.keys(presets),
  };
}

/** With the settings that it has unless told otherwise. */
function toldBy(method: Method) {
  return supervisionOf(method, resolveSettings(method.settings, {}));
}

function toldInWords(method: Method): string {
  const words = supervisionInWords(toldBy(method));
  return typeof method.supervision === "function" ? `${words}; as its settings say` : words;
}

function page(method: Method, bold: (text: string) => string): string {
  const { name, title, paper, search, presets } = method;
  const settings = describeSettings(method.settings).map(({ key, default: value, type, description }) => [
    key,
    inWords(value),
    type,
    search[key] === undefined ? "–" : search[key].map(inWords).join(" | "),
    description,
  ]);
  const cues = toldBy(method).groups === undefined ? "" : " --explicit color";
  const [preset] = Object.keys(presets);
  return [
    bold(`${title} (${name})`),
    `After ${paper}.`,
    `Told beside training images and their classes: ${toldInWords(method)}.`,
    "",
    settings.length === 0
      ? "It has no settings of its own."
      : textTable(["setting", "default", "type", "searched", "meaning"], settings),
    "",
    `Searched for all: rates ${optimiserSearch.rate.join(", ")}; weight decays ${optimiserSearch.weightDecay.join(", ")}.`,
    "",
    textTable(["preset", "settings", "trained with", "source"], Object.entries(presets).map(presetRow)),
    "",
    "Examples:",
    `  $ cuelab train --data D --model small-cnn --method ${name}${cues} --out R`,
    ...(preset === undefined
      ? []
      : [`  $ cuelab train --data D --model small-cnn --method ${name} --preset ${preset}${cues} --out R`]),
  ].join("\n");
}

function presetRow([name, preset]: [string, Preset]): string[] {
  const { settings, optimiser, epochs, batchSize, augment = [], select, source } = preset;
  const own = Object.entries(settings).map(([key, value]) => `${key}=${inWords(value)}`);
  const chosen = select && `select ${select.by}${select.groups ? `:${select.groups.join(",")}` : ""}`;
  const trained = [
    `${optimiser.name} ${optimiser.rate}`,
    `weight decay ${optimiser.weightDecay}`,
    `${epochs} epochs of ${batchSize}`,
    ...augment.map(({ view }) => view),
    ...(chosen === undefined ? [] : [chosen]),
  ];
  return [name, own.join(" ") || "–", trained.join(", "), source];
}

/** A value as it would be typed. */
function inWords(value: unknown): string {
  if (value === undefined) return "–";
  if (Array.isArray(value)) return value.map(inWords).join(",");
  if (isView(value)) return value.view;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isView(value: unknown): value is ViewUse {
  return typeof value === "object" && value !== null && "view" in value;
}
