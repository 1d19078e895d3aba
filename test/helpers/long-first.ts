/**
 * The order of test files: the longest first and those of src, which take moments, last, so that both workers are busy to the
 * end. By itself vitest knows how long a file takes only from runs before, which a fresh clone has not seen.
 */

import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take more than ten seconds, longest first, as measured. A file that is not there is only not first. */
const long = [
  "contracts/method-runs",
  "training",
  "contracts/datasets",
  "study",
  "plugins",
  "plugin-check",
  "signals",
  "contracts/changed-datasets",
  "nothing-leaves",
  "faults/faults",
  "fuzz/fuzz",
  "demo",
  "contracts/audits",
  "contracts/models",
].map((name) => `test/${name}.test.ts`);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(project.config.root, moduleId);
      const place = long.indexOf(path);
      return place >= 0 ? place : long.length + Number(path.startsWith("src"));
    };
    // Among others vitest's own order: what failed last time, then what took longest.
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
