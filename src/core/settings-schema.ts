/** A schema of settings as plain data: which keys it has at which place, and what each takes, in words. */

import { z } from "zod";

/** The part of JSON Schema that settings use. */
export interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: (string | number)[];
  const?: string | number | boolean;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export function toJsonSchema(schema: z.ZodObject): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

export function leaves(schema: JsonSchema, prefix = ""): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const key = prefix + name;
    if (property.type === "object" && property.properties) Object.assign(found, leaves(property, `${key}.`));
    else Object.assign(found, { [key]: property }, leaves(byName(property) ?? {}, `${key}.`));
  }
  return found;
}

/** Keys without the single names of a setting that stands for several: those are found with it. */
export function ownKeys(known: Record<string, JsonSchema>): string[] {
  const named = new Set(
    Object.entries(known).flatMap(([key, leaf]) => (namesOf(leaf) ?? []).map((name) => `${key}.${name}`)),
  );
  return Object.keys(known).filter((key) => !named.has(key));
}

/** The form by name of a setting that may also be one value for all names. */
function byName({ anyOf }: JsonSchema): JsonSchema | undefined {
  return anyOf?.find(({ type, properties }) => type === "object" && properties !== undefined);
}

/** The form of one value for all names. */
export function forAllOf(schema: JsonSchema): JsonSchema {
  return { anyOf: schema.anyOf!.filter((option) => option !== byName(schema)) };
}

export function namesOf(schema: JsonSchema): string[] | undefined {
  const named = byName(schema)?.properties;
  return named && Object.keys(named);
}

export function typeInWords(schema: JsonSchema): string {
  if (namesOf(schema)) return `${typeInWords(forAllOf(schema))}, for all or by name`;
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

/** Keys of the object at a path, by the forms that it may have. */
export function keysAt(schema: JsonSchema, path: readonly PropertyKey[]): string[] {
  const forms = (one: JsonSchema): JsonSchema[] => one.anyOf?.flatMap(forms) ?? [one];
  let found = forms(schema);
  for (const step of path) {
    found = found.flatMap((form) => {
      const { additionalProperties: rest, items, properties } = form;
      const inner =
        typeof step === "number"
          ? items
          : (properties?.[String(step)] ?? (typeof rest === "object" ? rest : undefined));
      return inner === undefined ? [] : forms(inner);
    });
  }
  return [...new Set(found.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** Every key with all that it is inside of, objects and what is in them: `optimiser`, `optimiser.rate`. */
export function allKeys(schema: JsonSchema, prefix = ""): string[] {
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap((form) => allKeys(form, prefix)))];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    prefix + name,
    ...allKeys(property, `${prefix}${name}.`),
  ]);
}
