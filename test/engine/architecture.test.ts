/** Who may import whom, as far as the engine and the networks go. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
}

/** Imports of values; types vanish when compiled. */
function importsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gms,
  );
  return Array.from(statements, ([, target]) =>
    target!.startsWith(".") ? normalize(join(dirname(file), target!)) : target!,
  );
}

const engine = filesUnder("src/engine");

test("one file imports onnxruntime", () => {
  expect(
    [...engine, ...filesUnder("src/models")].filter((file) => importsOf(file).includes("onnxruntime-node")),
  ).toEqual(["src/engine/runtime.ts"]);
});

test.each([
  ["src/engine", ["src/engine/", "src/core/"]],
  ["src/models", ["src/models/", "src/engine/", "src/core/"]],
])("%s imports only %s", (folder, allowed) => {
  for (const file of filesUnder(folder)) {
    const inside = importsOf(file).filter((target) => target.startsWith("src/"));
    for (const target of inside)
      expect(
        allowed.some((prefix) => target.startsWith(prefix)),
        `${file} imports ${target}`,
      ).toBe(true);
  }
});

test("expressions and networks never reach the runtime", () => {
  const reached = new Set(["src/engine/expressions.ts", "src/models/index.ts"]);
  for (const file of reached)
    for (const target of importsOf(file)) if (target.startsWith("src/")) reached.add(target);
  expect([...reached]).not.toContain("src/engine/runtime.ts");
  expect([...reached]).toContain("src/engine/ops/convolution.ts");
});
