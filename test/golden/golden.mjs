/**
 * Records what a built checkout gives, and compares another with it.
 *
 *   npm run golden -- check                          this checkout with test/golden/record
 *   npm run golden -- check --checkout DIR           another built one
 *   npm run golden -- check --only training,pool     some sections
 *   npm run golden -- record --only eval --checkout DIR   writes record/ anew
 *
 * Differences that are listed in intended.json are counted, all others named; then the exit code is 1.
 */

import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { Checkout } from "./checkout.mjs";
import { tell } from "./compare.mjs";
import { checkSection, recordSection } from "./record.mjs";
import { sections } from "./sections/index.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: "string", default: new URL("../..", import.meta.url).pathname },
    only: { type: "string" },
    most: { type: "string", default: "20" },
  },
});
const [action] = positionals;
const names = values.only?.split(",") ?? Object.keys(sections);
const unknown = names.filter((name) => !(name in sections));
if (!["record", "check"].includes(action) || unknown.length > 0) {
  console.error(
    `usage: golden record|check [--checkout DIR] [--only ${Object.keys(sections).join()}] [--most 20]`,
  );
  process.exit(2);
}
const checkout = new Checkout(values.checkout);
if (action === "record") {
  const commit = execFileSync("git", ["-C", checkout.folder, "rev-parse", "HEAD"], {
    encoding: "utf8",
  }).trim();
  for (const name of names) {
    const bytes = await recordSection(name, checkout, commit);
    console.log(`${name}: ${bytes} bytes`);
  }
} else {
  let failed = 0;
  for (const name of names) failed += report(name, await checkSection(name, checkout));
  console.log(
    failed === 0 ? "golden: nothing differs but what was meant to" : `golden: ${failed} differences`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

function report(name, { others, used, skipped, compared, seconds }) {
  const meant = [...used].filter(([, count]) => count > 0);
  console.log(`${name}: ${compared} values compared in ${seconds.toFixed(0)} s, ${others.length} differ`);
  if (skipped !== undefined) console.log(`  bits not compared: ${skipped}`);
  for (const [{ reason }, count] of meant) console.log(`  ${count} as intended: ${reason}`);
  for (const difference of others.slice(0, Number(values.most))) console.log(`  ${tell(difference)}`);
  if (others.length > Number(values.most)) console.log(`  … and ${others.length - Number(values.most)} more`);
  return others.length;
}
