import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: one file a core; tests that start the program itself use processes of their own.
    maxWorkers: 2,
    // Some tests call the runtime themselves.
    env: { ORT_DISABLE_TELEMETRY: "1" },
    projects: [
      // Unit tests leave nothing behind in modules, and share them: loading them anew for each file was a third of their cost.
      { extends: true, test: { name: "src", include: ["src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "test", include: ["test/**/*.test.ts"] } },
    ],
  },
});
