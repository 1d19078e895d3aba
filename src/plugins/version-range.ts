/** Whether the program is of a version that a plugin was written for. */

import { CuelabError } from "../core/errors.ts";

type Version = readonly [major: number, minor: number, patch: number];

/** `^0.1.0`, `~0.1.2`, `>=0.1`, `0.1.0`, `0.1`; several by spaces must all hold. */
export function fitsRange(range: string, version: string): boolean {
  const own = numbersOf(version)!;
  const parts = range.trim().split(/\s+/);
  return parts.every((part) => {
    const [, sign = "", text = ""] = /^(\^|~|>=|<=|>|<|=)?v?(.*)$/.exec(part) ?? [];
    const given = numbersOf(text);
    if (given === undefined) throw unreadable(range);
    const [major = 0, minor = 0, patch = 0] = given;
    const least: Version = [major, minor, patch];
    const order = compare(own, least);
    switch (sign) {
      case ">=":
        return order >= 0;
      case "<=":
        return order <= 0;
      case ">":
        return order > 0;
      case "<":
        return order < 0;
      case "^": {
        // Before 1.0 every minor version may change what plugins use.
        const fixed = major > 0 ? 1 : minor > 0 || given.length < 3 ? Math.min(2, given.length) : 3;
        return order >= 0 && sameUntil(own, least, fixed);
      }
      case "~":
        return order >= 0 && sameUntil(own, least, Math.min(2, given.length));
      default:
        return sameUntil(own, least, given.length);
    }
  });
}

/** `1.2`, `1.2.x` and `1.2.3-beta` → their numbers. */
function numbersOf(text: string): number[] | undefined {
  if (!/^\d+(\.(\d+|x|\*)){0,2}(-[\w.-]+)?$/.test(text)) return undefined;
  const parts = text.split("-")[0]!.split(".");
  const wild = parts.findIndex((part) => /[x*]/.test(part));
  return parts.slice(0, wild < 0 ? undefined : wild).map(Number);
}

function compare(a: readonly number[], b: Version): number {
  const i = b.findIndex((part, place) => part !== a[place]);
  return i < 0 ? 0 : a[i]! - b[i]!;
}

function sameUntil(a: readonly number[], b: Version, count: number): boolean {
  return b.slice(0, count).every((part, i) => part === a[i]);
}

function unreadable(range: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `no range of versions: "${range}"`,
    expected: "such as ^0.1.0, ~0.1.2, >=0.1 or 0.1",
  });
}
