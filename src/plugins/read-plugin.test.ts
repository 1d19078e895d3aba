import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { readPlugin } from "./read-plugin.ts";

const root = mkdtempSync(join(tmpdir(), "cuelab-plugins-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

const digestOf = async (name: string) => (await readPlugin(name, root)).digest;

test("all that it imports of its own is read once, also in a circle, and stays in place without its types", async () => {
  write({
    "a/main.ts": `import type { Nothing } from "./types.ts";
import { b } from "./b.js";
import data from "./data.json" with { type: "json" };
export const a: number = b + data.x;
export const later = () => import("./later.mjs");
`,
    "a/b.ts": 'import { a } from "./main.ts";\nexport const b: number = 1, c = () => a;\n',
    "a/data.json": '{ "x": 1 }',
    "a/later.mjs": "export default 1;\n",
  });
  const { entry, modules } = await readPlugin("./a/main.ts", root);
  const address = (name: string) => pathToFileURL(join(root, "a", name)).href;
  expect(entry).toBe(address("main.ts"));
  expect(Object.keys(modules).sort()).toEqual(["b.ts", "data.json", "later.mjs", "main.ts"].map(address));
  expect(modules[entry]!.imports).toEqual({
    "./b.js": address("b.ts"),
    "./data.json": address("data.json"),
    "./later.mjs": address("later.mjs"),
  });
  expect(modules[entry]!.source.split("\n")[3]).toBe("export const a         = b + data.x;");
  expect(modules[address("data.json")]!.format).toBe("json");
});

test("the digest is of what the files hold: not of where they lie, but of every one that is imported", async () => {
  const first = await digestOf("./a/main.ts");
  renameSync(join(root, "a"), join(root, "elsewhere"));
  expect(await digestOf("./elsewhere/main.ts")).toBe(first);
  write({ "elsewhere/unused.ts": "export {};" });
  expect(await digestOf("./elsewhere/main.ts")).toBe(first);
  const seen = new Set([first]);
  for (const [name, text] of [
    ["later.mjs", "export default 2;\n"],
    ["data.json", '{ "x": 2 }'],
    ["b.ts", "export const b: number = 2;\n"],
  ] as const) {
    write({ [`elsewhere/${name}`]: text });
    seen.add(await digestOf("./elsewhere/main.ts"));
  }
  expect(seen.size).toBe(4);
});

test("packages count by name, version and integrity, and so does all that they depend on", async () => {
  const installed = (name: string, version: string, dependencies: Record<string, string> = {}) =>
    write({
      [`p/node_modules/${name}/package.json`]: JSON.stringify({ name, version, dependencies }),
      [`p/node_modules/${name}/index.js`]: `export default "${version}";`,
    });
  const locked = (integrity: Record<string, string>) => {
    const packages = Object.entries(integrity).map(([name, of]) => [
      `node_modules/${name}`,
      { integrity: of },
    ]);
    write({
      "p/node_modules/.package-lock.json": JSON.stringify({ packages: Object.fromEntries(packages) }),
    });
  };
  write({ "p/main.js": 'import used from "@me/used/deep.js";\nexport default used;\n' });
  installed("@me/used", "1.0.0", { inner: "^1", cuelab: "^0.1" });
  installed("inner", "1.0.0");
  locked({ "@me/used": "sha512-a", inner: "sha512-b" });
  const digests = [await digestOf("./p/main.js")];
  locked({ "@me/used": "sha512-a", inner: "sha512-c" });
  digests.push(await digestOf("./p/main.js"));
  installed("inner", "1.0.1");
  digests.push(await digestOf("./p/main.js"));
  // Nothing is recorded of it: its own files tell.
  locked({ "@me/used": "sha512-a" });
  digests.push(await digestOf("./p/main.js"));
  write({ "p/node_modules/inner/index.js": "export default 3;" });
  digests.push(await digestOf("./p/main.js"));
  expect(new Set(digests).size).toBe(5);
  locked({ "@me/used": "sha512-a", inner: "sha512-c" });
  const recorded = await digestOf("./p/main.js");
  write({ "p/node_modules/inner/readme.md": "more" });
  expect(await digestOf("./p/main.js")).toBe(recorded);
});

test("a package is a plugin by its name, where it is linked too", async () => {
  write({
    "q/plugin/package.json": JSON.stringify({
      name: "my-plugin",
      exports: { ".": { types: "./t.d.ts", import: "./main.ts" } },
    }),
    "q/plugin/main.ts": "export default {};\n",
  });
  mkdirSync(join(root, "q/use/node_modules"), { recursive: true });
  symlinkSync(join(root, "q/plugin"), join(root, "q/use/node_modules/my-plugin"));
  const { path, digest } = await readPlugin("my-plugin", join(root, "q/use"));
  expect(path).toBe(join(root, "q/plugin/main.ts"));
  expect(digest).toBe(await digestOf("./q/plugin/main.ts"));
  await expect(readPlugin("other-plugin", join(root, "q/use"))).rejects.toThrow(/no plugin "other-plugin"/);
});

test.each([
  ['import "./b";', 'write "./b.ts"'],
  ['import "/etc/x.js";', "a plugin may move"],
  ['import "#inner";', "a plugin may move"],
  ['import("./" + 1);', "computes what it imports"],
  ["export default {;", "no JavaScript module|no TypeScript"],
])("%s is refused", async (text, told) => {
  write({ "r/main.ts": `${text}\n`, "r/b.ts": "" });
  await expect(readPlugin("./r/main.ts", root)).rejects.toThrow(new RegExp(told));
});
