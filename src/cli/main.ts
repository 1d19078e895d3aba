#!/usr/bin/env node
/** The `cuelab` command: runs the program and turns what happened into an exit code. */

import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2));
