import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: one file a core; tests that start the program itself use processes of their own.
    maxWorkers: 2,
    // Some tests call the runtime themselves.
    env: { ORT_DISABLE_TELEMETRY: "1" },
  },
});
