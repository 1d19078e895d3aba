/** Settings with a schema: typed from `key=value` text, described for help pages, refused by name when wrong. */

import { z } from "zod";
import { CuelabError } from "./errors.ts";
import { settingsProblem, unknownAssignment, valueAt } from "./settings-problems.ts";
import {
  forAllOf,
  type JsonSchema,
  leaves,
  namesOf,
  ownKeys,
  toJsonSchema,
  typeInWords,
} from "./settings-schema.ts";

export interface SettingDescription {
  key: string;
  /** In words a reader knows: `number from 0 to 1`, `list of numbers`, `one of: 2, 3`. */
  type: string;
  default: unknown;
  /** Present where it must be given. */
  required?: true;
  description: string;
  /** Where one value stands for several: their names, each of which may be set alone, as `key.name`. */
  names?: string[];
}

/**
 * A number for all names at once (`p=0.7`), for one of them (`p.colour=0.9`), or for all with exceptions (both, in
 * any order). Comes out as one number a name.
 */
export function allOrEach<Name extends string>(
  names: readonly Name[],
  value: z.ZodNumber,
  fallback: number,
): z.ZodType<Record<Name, number>> {
  const each = (number: number) =>
    Object.fromEntries(names.map((name) => [name, number])) as Record<Name, number>;
  const byName = z.strictObject(Object.fromEntries(names.map((name) => [name, value.default(fallback)])));
  return z
    .union([value, byName])
    .transform((given) => (typeof given === "number" ? each(given) : (given as Record<Name, number>)))
    .prefault(fallback);
}

/** Each setting, nested ones as `outer.inner`. */
export function describeSettings(schema: z.ZodObject): SettingDescription[] {
  const json = toJsonSchema(schema);
  const known = leaves(json);
  return ownKeys(known).map((key) => {
    const leaf = known[key]!;
    const names = namesOf(leaf);
    return {
      key,
      type: typeInWords(leaf),
      default: leaf.default,
      description: leaf.description ?? "",
      ...(json.required?.includes(key) ? { required: true as const } : {}),
      ...(names === undefined ? {} : { names }),
    };
  });
}

/**
 * Reads `key=value` texts, each value by the type its key has in the schema. Of two for the same key the later one
 * wins; one for a single name wins over one for all names, wherever it stands.
 */
export function parseAssignments(
  schema: z.ZodObject,
  assignments: readonly string[],
): Record<string, unknown> {
  const known = leaves(toJsonSchema(schema));
  const settings: Record<string, unknown> = {};
  const forAll = new Map<string, unknown>();
  for (const assignment of assignments) {
    const equals = assignment.indexOf("=");
    if (equals < 1) {
      throw new CuelabError({
        kind: "usage",
        what: `cannot read the setting "${assignment}"`,
        expected: "key=value",
        todo: `known keys: ${ownKeys(known).join(", ")}`,
      });
    }
    const key = assignment.slice(0, equals);
    const leaf = known[key];
    if (leaf === undefined) throw unknownAssignment(schema, key);
    const value = readValue(assignment.slice(equals + 1), leaf, key);
    if (namesOf(leaf) === undefined) assignNested(settings, key.split("."), value);
    else forAll.set(key, value);
  }
  for (const [key, value] of forAll) {
    const path = key.split(".");
    const exceptions = valueAt(settings, path);
    const all = namesOf(known[key]!)!.map((name) => [name, value] as const);
    const merged = exceptions === undefined ? value : { ...Object.fromEntries(all), ...exceptions };
    assignNested(settings, path, merged);
  }
  return settings;
}

/** Fills in defaults and refuses values outside the schema, naming the setting. */
export function resolveSettings<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
): z.output<Schema> {
  const result = schema.strict().safeParse(given);
  if (result.success) return result.data as z.output<Schema>;
  throw settingsProblem(schema, given, result.error.issues);
}

function readValue(text: string, schema: JsonSchema, key: string): unknown {
  const value = tryRead(text, schema);
  if (value !== undefined) return value;
  throw new CuelabError({
    kind: "usage",
    what: `setting "${key}" cannot be "${text}"`,
    expected: typeInWords(schema),
    got: `"${text}"`,
  });
}

function tryRead(text: string, schema: JsonSchema): unknown {
  if (namesOf(schema)) return tryRead(text, forAllOf(schema));
  if (schema.anyOf) {
    for (const option of schema.anyOf) {
      const value = tryRead(text, option);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  if (schema.enum) return schema.enum.find((option) => String(option) === text);
  if (schema.const !== undefined) return String(schema.const) === text ? schema.const : undefined;
  switch (schema.type) {
    case "number":
    case "integer":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "array": {
      const parts =
        text === "" ? [] : text.split(",").map((part) => tryRead(part.trim(), schema.items ?? {}));
      return parts.includes(undefined) ? undefined : parts;
    }
    default:
      return text;
  }
}

function assignNested(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let inner = target;
  for (const name of path.slice(0, -1)) {
    inner[name] ??= {};
    inner = inner[name] as Record<string, unknown>;
  }
  inner[path.at(-1)!] = value;
}
