/** What is wrong with settings, by name: the one way from a schema's issues to an error that people read. */

import type { z } from "zod";
import { CuelabError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { ourWords, plain } from "./other-words.ts";
import { allKeys, keysAt, leaves, namesOf, ownKeys, toJsonSchema, typeInWords } from "./settings-schema.ts";

type Issue = z.core.$ZodIssue;

export function settingsProblem(schema: z.ZodObject, given: unknown, issues: readonly Issue[]): CuelabError {
  const all = issues.flatMap((issue) => closestForm(issue));
  // A misspelt key is also a missing one, and its name says more.
  const unknown = all.find((issue) => issue.code === "unrecognized_keys");
  if (unknown !== undefined) return unknownKey(schema, unknown.path, unknown.keys[0]!);
  const issue = all[0]!;
  const key = issue.path.join(".");
  const known = leaves(toJsonSchema(schema));
  // The issue may be about one item of a list: its key is then the list's.
  const leaf = known[key] ?? known[issue.path.slice(0, -1).join(".")]?.items;
  const value = valueAt(given, issue.path);
  if (value === undefined && leaf !== undefined) {
    const { description } = leaf;
    return new CuelabError({
      kind: "usage",
      what: `setting "${key}" must be given`,
      expected: [typeInWords(leaf), ...(description === undefined ? [] : [description])].join(": "),
    });
  }
  const meant = typeof value === "string" ? nearest(value, (leaf?.enum ?? []).map(String)) : undefined;
  return new CuelabError({
    kind: "usage",
    what: `setting "${key}" cannot be ${show(value)}`,
    expected: leaf === undefined ? issue.message : typeInWords(leaf),
    ...(saidByType(issue) ? {} : { got: issue.message }),
    ...(meant === undefined ? {} : { todo: `did you mean "${meant}"?` }),
  });
}

/** Is all that the schema says in `typeInWords`, too, and there in words? Lengths of lists and texts are not, nor are reasons. */
function saidByType(issue: Issue): boolean {
  if (issue.code === "too_big" || issue.code === "too_small") {
    const isZods = issue.message.startsWith("Too ");
    return isZods && (issue.origin === "number" || issue.origin === "int");
  }
  return ["invalid_union", "invalid_type", "invalid_value"].includes(issue.code);
}

/** What was given may have one of several forms: the issues of the one that it comes closest to. */
function closestForm(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const unknownKeys = (issues: readonly Issue[]) =>
    issues.reduce((sum, one) => sum + (one.code === "unrecognized_keys" ? one.keys.length : 0), 0);
  const forms = issue.errors.map((issues) => issues.flatMap(closestForm));
  const ofObjects = forms.filter((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  // No form has keys: the union's own words are about all of its forms.
  if (ofObjects.length === 0) return [issue];
  const [closest] = ofObjects.sort((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length);
  return closest!.map((one) => ({ ...one, path: [...issue.path, ...one.path] }));
}

/** An unknown key of `key=value`: all that can be assigned is listed. */
export function unknownAssignment(schema: z.ZodObject, key: string): CuelabError {
  const json = toJsonSchema(schema);
  const known = leaves(json);
  const [outer] = key.split(".");
  const names = known[outer!] === undefined ? undefined : namesOf(known[outer!]!);
  const candidates = names?.map((name) => `${outer}.${name}`) ?? ownKeys(known);
  const path = key.split(".");
  return unknown(key, candidates, meantKey(path.slice(0, -1), path.at(-1)!, Object.keys(known)));
}

function unknownKey(schema: z.ZodObject, path: readonly PropertyKey[], key: string): CuelabError {
  const json = toJsonSchema(schema);
  const inside = path.map(String);
  const full = (name: string) => [...inside, name].join(".");
  const siblings = keysAt(json, path).map(full);
  return unknown(full(key), siblings, meantKey(inside, key, [...siblings, ...allKeys(json)]));
}

function unknown(key: string, known: readonly string[], meant: string | undefined): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `unknown setting "${key}"`,
    expected: known.length === 0 ? "no settings" : `one of: ${known.join(", ")}`,
    ...(meant === undefined ? {} : { todo: `did you mean "${meant}"?` }),
  });
}

/** The same letters in another spelling, another program's word, or a typing mistake; here first, then elsewhere. */
function meantKey(inside: readonly string[], key: string, known: readonly string[]): string | undefined {
  const prefix = inside.map((name) => `${name}.`).join("");
  const here = known.filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."));
  const spelled = (names: readonly string[]) =>
    names.find((name) => plain(name.split(".").at(-1)!) === plain(key));
  const word = ourWords(key)
    .flatMap((ours) => [prefix + ours, ours])
    .find((ours) => known.includes(ours));
  const same = spelled(here) ?? word ?? spelled(known);
  if (same !== undefined) return same;
  const misspelt = nearest(
    key,
    here.map((name) => name.slice(prefix.length)),
  );
  return misspelt === undefined ? nearest(prefix + key, known) : prefix + misspelt;
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const name of path) inner = (inner as Record<PropertyKey, unknown> | undefined)?.[name];
  return inner;
}

function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
