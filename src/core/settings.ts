/** Settings with a schema: typed from `key=value` text, described for help pages, refused by name when wrong. */

import { z } from "zod";
import { CuelabError } from "./errors.ts";
import { nearest } from "./nearest.ts";

export interface SettingDescription {
  key: string;
  /** In words a reader knows: `number from 0 to 1`, `list of numbers`, `one of: 2, 3`. */
  type: string;
  default: unknown;
  description: string;
}

/** The part of JSON Schema that settings use. */
interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: (string | number)[];
  const?: string | number | boolean;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** Each setting, nested ones as `outer.inner`. */
export function describeSettings(schema: z.ZodObject): SettingDescription[] {
  return Object.entries(leaves(toJsonSchema(schema))).map(([key, leaf]) => ({
    key,
    type: typeInWords(leaf),
    default: leaf.default,
    description: leaf.description ?? "",
  }));
}

/** Reads `key=value` texts, each value by the type its key has in the schema; later ones win. */
export function parseAssignments(
  schema: z.ZodObject,
  assignments: readonly string[],
): Record<string, unknown> {
  const known = leaves(toJsonSchema(schema));
  const settings: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const equals = assignment.indexOf("=");
    if (equals < 1) {
      throw new CuelabError({
        kind: "usage",
        what: `cannot read the setting "${assignment}"`,
        expected: "key=value",
        todo: `known keys: ${Object.keys(known).join(", ")}`,
      });
    }
    const key = assignment.slice(0, equals);
    const leaf = known[key];
    if (leaf === undefined) throw unknownKey(key, Object.keys(known));
    assignNested(settings, key.split("."), readValue(assignment.slice(equals + 1), leaf, key));
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
  const issue = result.error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    throw unknownKey([...issue.path, issue.keys[0]!].join("."), Object.keys(leaves(toJsonSchema(schema))));
  }
  const key = issue.path.join(".");
  const known = leaves(toJsonSchema(schema));
  // The issue may be about one item of a list: its key is then the list's.
  const leaf = known[key] ?? known[issue.path.slice(0, -1).join(".")]?.items;
  throw new CuelabError({
    kind: "usage",
    what: `setting "${key}" cannot be ${show(valueAt(given, issue.path))}`,
    expected: leaf === undefined ? issue.message : typeInWords(leaf),
    got: issue.message,
  });
}

function unknownKey(key: string, known: readonly string[]): CuelabError {
  const close = nearest(key, known);
  return new CuelabError({
    kind: "usage",
    what: `unknown setting "${key}"`,
    expected: `one of: ${known.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function toJsonSchema(schema: z.ZodObject): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

function leaves(schema: JsonSchema, prefix = ""): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const key = prefix + name;
    if (property.type === "object" && property.properties) Object.assign(found, leaves(property, `${key}.`));
    else found[key] = property;
  }
  return found;
}

function typeInWords(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeInWords).join(" or ");
  if (schema.enum) return `one of: ${schema.enum.join(", ")}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === "array") return `list of: ${schema.items ? typeInWords(schema.items) : "values"}`;
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "string") return "text";
  if (schema.type === "integer" || schema.type === "number") {
    const noun = schema.type === "integer" ? "whole number" : "number";
    const bounds = [
      schema.minimum === undefined || schema.minimum === Number.MIN_SAFE_INTEGER
        ? ""
        : ` from ${schema.minimum}`,
      schema.exclusiveMinimum === undefined ? "" : ` above ${schema.exclusiveMinimum}`,
      schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER
        ? ""
        : ` to ${schema.maximum}`,
      schema.exclusiveMaximum === undefined ? "" : ` below ${schema.exclusiveMaximum}`,
    ];
    return noun + bounds.join("");
  }
  return schema.type ?? "value";
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

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const name of path) inner = (inner as Record<PropertyKey, unknown> | undefined)?.[name];
  return inner;
}

function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
