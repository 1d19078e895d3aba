/** Every audit keeps the contract of audits. */

import { describe, expect, test } from "vitest";
import { audits } from "../../src/audits/index.ts";
import { auditChecks } from "../../src/contracts/audits.ts";
import { temporaryFolder } from "../helpers/files.ts";

const folder = temporaryFolder();

/** Two neighbours are enough among so few images, and some images for a model. */
const sets: Record<string, readonly string[]> = {
  embedding: ["neighbours=3", "components=3"],
  model: ["images=24", "flips=99"],
};

describe.each(audits.entries.map((audit) => [audit.name, audit] as const))("%s", (name, audit) => {
  const set = sets[name] ?? [];
  test.each(auditChecks(audit, { folder, set }).map((check) => [check.name, check.run] as const))(
    "%s",
    async (_, run) => {
      await run();
    },
  );
});

test("an audit whose answer is no plain data, or whose names are alike, would be noticed", async () => {
  const [audit] = audits.entries;
  const broken = {
    ...audit!,
    data: () => ({ value: Number.NaN }),
    show: () => [
      { name: "a", heading: "" },
      { name: "a", heading: "" },
    ],
  };
  const problems = await Promise.all(
    auditChecks(broken, { folder }).map(async ({ run }) => {
      try {
        await run();
        return undefined;
      } catch (cause) {
        return (cause as Error).message;
      }
    }),
  );
  expect(problems.join("\n")).toMatch(/NaN, which JSON would write as null[\s\S]*two sections have one name/);
});
