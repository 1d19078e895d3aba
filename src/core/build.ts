/**
 * Which code is running: the digest that the build has written beside it. Equal versions may be different builds, as for
 * everybody who changes the program.
 */

import { readFileSync } from "node:fs";

/** Of sources that nobody has built, such as in tests. */
const unbuilt = "unbuilt";

let known: string | undefined;

/** Read when it is first asked for: most commands never do. */
export function programBuild(): string {
  known ??= import.meta.url.endsWith(".ts") ? unbuilt : readBuild(new URL("./build.json", import.meta.url));
  return known;
}

function readBuild(place: URL): string {
  try {
    const { build } = JSON.parse(readFileSync(place, "utf8")) as { build?: unknown };
    return typeof build === "string" ? build : unbuilt;
  } catch {
    // Half a build is none; nothing but remarks depends on it.
    return unbuilt;
  }
}
