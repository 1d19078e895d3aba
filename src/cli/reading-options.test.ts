/** Every command that opens a dataset of one's own takes the same options about reading it. */

import type { Command } from "commander";
import { expect, test } from "vitest";
import { programHere } from "../../test/helpers/in-process.ts";
import { dataWordsSchema } from "../training/data-book.ts";

const columns = ["image-column", "label-column", "split-column", "cue-columns", "layout"];
const reading = [...columns, "size", "fit", "split", "stratify", "split-by"];

/** Which open one, with what the options' names begin with. */
const readers: Record<string, string> = {
  "data check": "",
  "data preview": "",
  "data convert": "",
  "data watermark": "",
  "data stylise": "",
  "data bias": "",
  "data discover": "",
  train: "",
  predict: "",
  "features extract": "",
  "pool run": "",
  repair: "",
  // Their tables have columns and splits of their own.
  eval: "data-",
  "audit ask": "data-",
};

/** Which open none, or as a file says or a run has it. */
const others =
  "data list,data show,data make,methods,audit list,audit show,line,simulate,sweep,study,runs,report,plugin,weights,features train,embed,demo,verify,completion,__complete".split(
    ",",
  );

function leaves(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[path.join(" "), command]];
  return command.commands.flatMap((each) => leaves(each, [...path, each.name()]));
}

test("every command is known to read images or not", async () => {
  const names = leaves(await programHere()).map(([name]) => name);
  const unknown = names.filter(
    (name) =>
      !Object.hasOwn(readers, name) &&
      !others.some((other) => name === other || name.startsWith(`${other} `)),
  );
  expect(unknown).toEqual([]);
  expect(Object.keys(readers).filter((name) => !names.includes(name))).toEqual([]);
});

test("those that read images have all options about reading, and no others have --data", async () => {
  for (const [name, command] of leaves(await programHere())) {
    const flags = command.options.map(({ long }) => long);
    const prefix = readers[name];
    if (prefix === undefined) expect(flags, name).not.toContain("--data");
    else expect(flags, name).toEqual(expect.arrayContaining(reading.map((word) => `--${prefix}${word}`)));
  }
});

test("a sweep's data and the library's have words for all of them", () => {
  const words = Object.keys(dataWordsSchema.shape);
  expect(words).toEqual(expect.arrayContaining(["size", "fit", "split", "stratify", "splitBy", "columns"]));
  expect(Object.keys(dataWordsSchema.shape.columns.unwrap().shape)).toEqual([
    "image",
    "label",
    "split",
    "cues",
    "layout",
  ]);
});
