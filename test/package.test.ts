/** What the package holds, as `npm pack` would take it; `npm run test:package` installs it and puts it to work. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { expect, test } from "vitest";
import { carriedPlatforms, noRuntime, runtimeVersion } from "../src/engine/native-runtime.ts";
import { carriedFonts } from "../src/images/font-files.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const about = JSON.parse(read("package.json"));
const [{ files }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as [{ files: { path: string }[] }];
const packed = new Set(files.map(({ path }) => path));

test("links of the README, and of the pages it leads to, work from the package", () => {
  const pages = ["README.md", ...[...packed].filter((path) => /^docs\/.*\.md$/.test(path))];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link))
      .map((link) => posix.join(dirname(page), link))
      .filter((path) => !packed.has(path))
      .map((path) => `${page} → ${path}`),
  );
  expect(pages.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

test("fonts come with their licences, in their place of packages that hold every weight", () => {
  expect(Object.keys(about.dependencies).filter((name) => name.startsWith("@fontsource/"))).toEqual([]);
  for (const name of Object.keys(carriedFonts)) {
    expect(packed).toContain(`dist/fonts/${name}/LICENSE`);
    expect(read(`dist/fonts/${name}/LICENSE`)).toMatch(/SIL OPEN FONT LICENSE/i);
    expect([...packed].filter((path) => path.startsWith(`dist/fonts/${name}/`)).length).toBeGreaterThan(5);
  }
});

test("the runtime is carried for each platform that is promised, with its licence and without scripts", () => {
  for (const platform of carriedPlatforms)
    expect(packed).toContain(
      `dist/runtime/bin/napi-v6/${platform.replace("-", "/")}/onnxruntime_binding.node`,
    );
  expect(packed).toContain("dist/runtime/LICENSE");
  const runtime = JSON.parse(read("dist/runtime/package.json"));
  expect(runtime).toMatchObject({ name: "onnxruntime-node", type: "commonjs", version: runtimeVersion() });
  expect(runtime).not.toHaveProperty("scripts");
  expect(about.dependencies["onnxruntime-common"]).toBe(runtimeVersion());
  expect(about.devDependencies["onnxruntime-node"]).toBe(runtimeVersion());
});

test("a platform without a runtime is told the way to one, if there is one", () => {
  expect(noRuntime("win32-x64").message).toContain(`try: npm install onnxruntime-node@${runtimeVersion()}`);
  expect(noRuntime("darwin-x64").message).toMatch(
    /try: onnxruntime-node .* has .*darwin-arm64.*: use such a machine/,
  );
});

test("a clone installs without a foreign host, with every npm", () => {
  // npm 11 and later ask `allowScripts`; earlier ones run a script only if the lock says that there is one. npm writes that
  // word anew whenever onnxruntime-node changes: take it out again.
  expect(about.allowScripts).toEqual({ "onnxruntime-node": false });
  expect(read("package-lock.json")).not.toContain("hasInstallScript");
  expect(existsSync(join(root, ".npmrc"))).toBe(false);
});
