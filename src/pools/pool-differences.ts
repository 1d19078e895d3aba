/** In which settings two pools differ, by what their pool.json say. */

type Leaves = ReadonlyMap<string, string>;

/** What follows from the rest, or where files lie. */
const noSettings = ["id", "cuelabPool", "environments", "attribute", "data.path", "data.places"];

/** Such as `seed: 4 there, 5 asked for`. */
export function differences(there: object, asked: object): string[] {
  const [before, now] = [leavesOf(there), leavesOf(asked)];
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}: ${before.get(name) ?? "none"} there, ${now.get(name) ?? "none"} asked for`);
}

/** Values by dotted names; lists are values. */
function leavesOf(value: object, prefix = ""): Leaves {
  return new Map(
    Object.entries(value).flatMap(([key, part]: [string, unknown]): [string, string][] => {
      const name = `${prefix}${key}`;
      if (noSettings.includes(name)) return [];
      if (Array.isArray(part)) return [[name, part.map(textOf).join(",")]];
      if (part !== null && typeof part === "object") return [...leavesOf(part, `${name}.`)];
      return [[name, textOf(part)]];
    }),
  );
}

/** Of extractors the digest, wherever they lie. */
function textOf(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "string") return value;
  const { name, digest } = value as { name?: string; digest?: string };
  return digest === undefined ? JSON.stringify(value) : `${name} ${digest.slice(0, 12)}`;
}
