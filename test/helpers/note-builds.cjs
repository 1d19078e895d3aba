/** Loaded before the program in each of its processes and threads: notes every dataset that is built there. */

const { subscribe } = require("node:diagnostics_channel");
const { appendFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

subscribe("cuelab:dataset-built", (built) => {
  const process_ = process.argv[1].endsWith("main.js") ? "parent" : isMainThread ? "child" : "thread";
  appendFileSync(
    process.env.CUELAB_TEST_BUILDS,
    `${JSON.stringify({ process: process_, dataset: JSON.stringify(built) })}\n`,
  );
});
