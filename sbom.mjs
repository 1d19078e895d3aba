/**
 * `npm run sbom`: what an installation brings, as CycloneDX. npm's own `--omit dev` leaves out what tools need, too, such as zod; so the
 * whole list is asked for, and tools are taken out by the lock file. `--check` prints nothing and fails where a package, its licence or its
 * digest is missing.
 */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`),
);

const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
const { stdout, stderr, status } = spawnSync("npm", words, { encoding: "utf8", maxBuffer: 1 << 28 });
if (status !== 0) throw new Error(stderr);
const all = JSON.parse(stdout);
const components = all.components.filter(({ name, version }) => installed.has(`${name}@${version}`));
const kept = new Set(components.map((component) => component["bom-ref"]));
kept.add(all.metadata.component["bom-ref"]);
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));

if (process.argv.includes("--check")) {
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const problems = [
    ...[...installed].filter((each) => !listed.has(each)).map((each) => `the SBOM lacks ${each}`),
    ...components.filter(({ licenses }) => !licenses?.length).map(({ name }) => `${name} has no licence`),
    ...components.filter(({ hashes }) => !hashes?.length).map(({ name }) => `${name} has no digest`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${listed.size} packages in the SBOM, each with its licence and digest`);
} else process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
