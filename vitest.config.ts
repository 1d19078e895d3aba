import { defineConfig } from "vitest/config";
import { builtBeside } from "./test/helpers/built-beside.ts";
import { LongFirst } from "./test/helpers/long-first.ts";

export default defineConfig({
  plugins: [builtBeside],
  test: {
    include: ["{src,test}/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: one file a core; tests that start the program itself use processes of their own.
    maxWorkers: 2,
    // Tests leave nothing behind in modules, and share them: loading them anew for each file was a third of unit tests' cost.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Some tests call the runtime themselves.
    env: { ORT_DISABLE_TELEMETRY: "1" },
  },
});
