/**
 * What an installation brings, by the lock file alone: every version exact, every file with its digest, every licence one that we
 * allow, no script that must run. `npm run licences` fails where it is not so, or where THIRD_PARTY.md tells otherwise;
 * `npm run licences -- --write` writes the list there anew.
 */

import { readFileSync, writeFileSync } from "node:fs";

/** Of what people install; LGPL is libvips', linked dynamically, and BSL is Boost's. */
const allowed = [
  "MIT",
  "Apache-2.0",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "Unlicense",
  "CC0-1.0",
  "BSL-1.0",
  "OFL-1.1",
  "LGPL-3.0-or-later",
];
/** Of tools that build and test, and go nowhere. */
const allowedTools = [...allowed, "MPL-2.0"];

const page = "THIRD_PARTY.md";
const heading = "## Every package that an installation brings";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const problems = [];

for (const kind of ["dependencies", "devDependencies", "peerDependencies"])
  for (const [name, version] of Object.entries(manifest[kind])) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) problems.push(`${name}: ${version} is no exact version`);
    if (packages[""][kind]?.[name] !== version)
      problems.push(`${name}: the lock file asks for another version`);
  }

const listed = new Map();
for (const [path, about] of Object.entries(packages)) {
  if (path === "") continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (about.integrity === undefined) problems.push(`${path} has no digest`);
  if (about.hasInstallScript && manifest.allowScripts?.[name] !== false)
    problems.push(`${path} has an install script`);
  const parts = (about.license ?? "none").replaceAll(/[()]/g, "").split(/ (AND|OR) /);
  const names = parts.filter((part) => part !== "AND" && part !== "OR");
  const list = about.dev ? allowedTools : allowed;
  const fits = parts.includes("OR")
    ? names.some((each) => list.includes(each))
    : names.every((each) => list.includes(each));
  if (!fits) problems.push(`${path}: its licence, ${about.license}, is none that we allow`);
  if (!about.dev) listed.set(`${name} ${about.version}`, { name, ...about });
}

const rows = [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
const words = [
  heading,
  "Made by `npm run licences -- --write` from the lock file; those for other machines included. `npm run sbom` writes the same as CycloneDX.",
  [
    "| Package | Version | Licence |",
    "| --- | --- | --- |",
    ...rows.map(({ name, version, license }) => `| \`${name}\` | ${version} | ${license} |`),
  ].join("\n"),
].join("\n\n");
const before = readFileSync(page, "utf8");
const [own] = before.split(heading);
const text = `${own.trimEnd()}\n\n${words}\n`;
if (process.argv.includes("--write")) writeFileSync(page, text);
else if (text !== before) problems.push(`${page} is out of date: npm run licences -- --write`);

for (const problem of problems) console.error(problem);
if (problems.length === 0)
  console.log(
    `${Object.keys(packages).length - 1} packages, ${rows.length} of them installed with cuelab: all as allowed`,
  );
process.exitCode = problems.length === 0 ? 0 : 1;
