/** How much one input may ask of this machine: a file of a few bytes can stand for gigabytes. People allow more by `--limit`. */

import { CuelabError } from "./errors.ts";

/** Of one image; of one compressed file, array or page; of one folder or archive; of the name of a class, a value or a column. */
export const limits = {
  pixels: { most: 100_000_000, unit: "pixels" },
  unpacked: { most: 1_000_000_000, unit: "unpacked bytes" },
  entries: { most: 10_000_000, unit: "entries" },
  name: { most: 1_000, unit: "letters" },
} as const;

export type LimitName = keyof typeof limits;

/**
 * Where what was said stays: threads and child processes begin with a copy of the environment, so whoever opens a file has it
 * without being told.
 */
const variables = { limits: "CUELAB_LIMITS", links: "CUELAB_FOLLOW_LINKS" } as const;

/** So much that no writer packs better: what grows less is large, but no trap. */
const usualGrowth = 10;

/** Something asks for more than is allowed; whoever opened it says where. */
export class LimitExceeded extends Error {}

export function limitOf(name: LimitName): number {
  return given()[name] ?? limits[name].most;
}

/** Throws where more is needed than is allowed, and says what to type. */
export function requireLimit(name: LimitName, needed: number, got = needed.toLocaleString("en")): void {
  const most = limitOf(name);
  if (needed > most) throw tooMuch(name, needed, most, got);
}

/** The most bytes that so many packed ones may become. */
export function mostUnpacked(packed: number): number {
  return Math.max(limitOf("unpacked"), usualGrowth * packed);
}

/** Throws where packed bytes say, or show, that they become more than they may. */
export function requireUnpacked(size: number, packed: number): void {
  if (size <= mostUnpacked(packed)) return;
  throw tooMuch("unpacked", size, mostUnpacked(packed), size.toLocaleString("en"));
}

/** Bytes that went on unpacking beyond the most that they may become. */
export function unpackedBeyond(packed: number): LimitExceeded {
  const most = mostUnpacked(packed);
  return tooMuch("unpacked", 2 * most, most, `more than ${most.toLocaleString("en")}`);
}

/** Says of which input it is that a limit is exceeded. */
export function limited<Result>(what: string, where: string, check: () => Result): Result {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof LimitExceeded)) throw cause;
    throw new CuelabError({ kind: "input", what, where, got: cause.message, cause });
  }
}

/** For this thread, and for threads and processes that it starts from now on. Nothing said leaves what is usual. */
export function setLimits(said: Partial<Record<LimitName, number>> & { followLinks?: boolean }): void {
  const { followLinks, ...numbers } = said;
  for (const [name, most] of Object.entries(numbers)) {
    if (!Object.hasOwn(limits, name)) throw unknownLimit(name);
    if (!(Number.isSafeInteger(most) && most > 0)) throw noNumber(`${name}=${most}`);
  }
  const all = { ...given(), ...numbers };
  process.env[variables.limits] = Object.entries(all)
    .map(([name, most]) => `${name}=${most}`)
    .join(",");
  if (followLinks !== undefined) process.env[variables.links] = followLinks ? "1" : "";
}

/** Back to what is usual. */
export function resetLimits(): void {
  for (const variable of Object.values(variables)) delete process.env[variable];
}

/** Whether links to folders are followed. */
export function followsLinks(): boolean {
  return process.env[variables.links] === "1";
}

/** `pixels=700M`: a name and a number, perhaps of thousands (k), millions (M) or milliards (G), with or without a B for bytes. */
export function parseLimit(text: string): Partial<Record<LimitName, number>> {
  const [, name = "", digits, unit = ""] = /^([^=]*)=([\d_.]+)\s*([kmgt]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) throw noNumber(text);
  if (!Object.hasOwn(limits, name)) throw unknownLimit(name);
  const most = Math.round(
    Number(digits.replaceAll("_", "")) * 1000 ** " kmgt".indexOf(unit.toLowerCase() || " "),
  );
  if (!(Number.isSafeInteger(most) && most > 0)) throw noNumber(text);
  return { [name]: most };
}

function given(): Partial<Record<LimitName, number>> {
  const text = process.env[variables.limits];
  return text ? Object.assign({}, ...text.split(",").map(parseLimit)) : {};
}

function tooMuch(name: LimitName, needed: number, most: number, got: string): LimitExceeded {
  return new LimitExceeded(
    `${got} ${limits[name].unit}, where at most ${most.toLocaleString("en")} are taken; if you trust it: --limit ${name}=${needed}`,
  );
}

function unknownLimit(name: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `there is no limit "${name}"`,
    expected: `one of: ${Object.keys(limits).join(", ")}`,
  });
}

function noNumber(text: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "--limit needs a name and a number above 0",
    expected: "such as --limit pixels=700M or --limit unpacked=8GB",
    got: text,
  });
}
