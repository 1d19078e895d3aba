/** Uses the library as people do, in a process of its own: `node library-use.mjs <folder> [thread]` extracts features. */

import { isMainThread, Worker } from "node:worker_threads";

const [out, where] = process.argv.slice(2);

if (where === "thread" && isMainThread) {
  new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
} else {
  const { extractFeatures, resolveSpec } = await import("cuelab");
  const settings = { trainPerEnvironment: 20, size: 14 };
  const data = { name: "colored-mnist", settings, identity: "of no matter here" };
  const spec = resolveSpec({ data, model: { name: "logistic-regression" } });
  console.log(JSON.stringify(await extractFeatures(spec, { out, force: false })));
}
