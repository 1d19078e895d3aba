/** What texts stand for a class: templates with a place for its name, or texts of its own. */

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { CuelabError } from "../../../core/errors.ts";
import { guarded } from "../../../disk/guarded.ts";
import { readPlain, readPlainText } from "../../../disk/plain-file.ts";

export interface Prompts {
  /** In words, for people. */
  said: string;
  /** Of one class, by all that it is called. */
  of(name: string, aliases: readonly string[]): string[];
}

export const usualTemplate = "a photo of a {}.";

const place = /\{\w*\}/g;

/** A text with {} in it, a file with one a line, or JSON: a list of them, or an object from classes to texts of their own. */
export async function readPrompts(given: string): Promise<Prompts> {
  if (hasPlace(given) && !existsSync(given)) return templates([given], `"${given}"`);
  if (extname(given).toLowerCase() === ".json") return ofJson(given);
  const lines = (await readPlainText(given))
    .split(/\r?\n/)
    .map(plain)
    .filter((line) => line !== "");
  return templates(lines, given);
}

/** `'a photo of a {}.',` is how a line of a list in Python looks. */
function plain(line: string): string {
  const text = line.trim();
  return /^(['"])(.*)\1,?$/.exec(text)?.[2] ?? text;
}

function hasPlace(text: string): boolean {
  return text.search(place) !== -1;
}

/** Underscores stand for spaces in names of folders. */
function filled(template: string, name: string): string {
  const words = name.replaceAll("_", " ");
  return template.replace(place, () => words);
}

function templates(list: readonly string[], where: string): Prompts {
  const without = list.find((template) => !hasPlace(template));
  if (list.length === 0 || without !== undefined)
    throw unread(where, without === undefined ? "none" : `"${without}", without a place`);
  const said = list.length === 1 ? `"${list[0]}"` : `mean of ${list.length} templates (${where})`;
  return { said, of: (name) => list.map((template) => filled(template, name)) };
}

async function ofJson(path: string): Promise<Prompts> {
  const json: unknown = await guarded(path, async () => JSON.parse(String(await readPlain(path))));
  if (isTexts(json)) return templates(json, path);
  if (json === null || typeof json !== "object" || Array.isArray(json)) throw unread(path, typeof json);
  const texts = new Map<string, string[]>();
  for (const [name, value] of Object.entries(json)) {
    const own: unknown = typeof value === "string" ? [value] : value;
    if (!isTexts(own) || own.length === 0) throw unread(path, `"${name}": ${JSON.stringify(value)}`);
    texts.set(name, own);
  }
  return {
    said: `texts of each class (${path})`,
    of(name, aliases) {
      const spaced = name.replaceAll("_", " ");
      const key = [name, spaced, ...aliases].find((each) => texts.has(each));
      if (key !== undefined) return texts.get(key)!.map((text) => filled(text, name));
      throw new CuelabError({
        kind: "input",
        what: `there are no texts for the class "${name}"`,
        where: path,
        expected: "a key for every class",
        got: [...texts.keys()].slice(0, 10).join(", "),
      });
    },
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string" && text.trim() !== "");
}

function unread(where: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "these are no prompts",
    where,
    expected:
      "templates with {} where a class's name belongs, one a line; or JSON: a list of them, or an object from classes to texts",
    got,
    todo: `such as --prompts "${usualTemplate}"`,
  });
}
