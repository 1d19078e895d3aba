/** `--limit` and `--follow-links` on every command: how far people trust what they read. */

import { type LimitName, limits, parseLimit, setLimits } from "../core/limits.ts";
import { takeOut } from "./everywhere.ts";

const [flag, links] = ["--limit", "--follow-links"];
const usual = Object.entries(limits).map(([name, { most }]) => `${name}=${most}`);

export const limitOptions = [
  {
    flags: `${flag} <name=number>`,
    about: `allow inputs to be larger (or less so) than usual: ${usual.join(", ")}; 700M or 8GB will do; may be given again`,
  },
  { flags: links, about: "follow links to folders among images" },
];

/** For all that reads from now on, in threads and processes too; the words that are left. */
export function useLimits(args: readonly string[]): string[] {
  const { values, rest } = takeOut(args, flag);
  const said: Partial<Record<LimitName, number>> = Object.assign(
    {},
    ...values.map((text = "") => parseLimit(text)),
  );
  const end = rest.indexOf("--");
  const before = end < 0 ? rest : rest.slice(0, end);
  const followLinks = before[0] !== "__complete" && before.includes(links);
  if (values.length > 0 || followLinks) setLimits({ ...said, ...(followLinks && { followLinks }) });
  return followLinks ? [...before.filter((word) => word !== links), ...rest.slice(before.length)] : rest;
}
