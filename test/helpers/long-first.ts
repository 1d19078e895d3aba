/**
 * The order of test files: the longest first and those of src, which take moments, last, so that both workers are busy to the
 * end. By itself vitest knows how long a file takes only from runs before, which a fresh clone has not seen.
 */

import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that take more than twenty seconds, longest first, as measured. A file that is not there is only not first. */
const long = [
  "contracts/method-runs",
  "training",
  "faults/faults",
  "plugins",
  "study",
  "signals",
  "nothing-half-made",
  "plugin-check",
  "contracts/changed-datasets",
  "contracts/models",
  "diagvib-study",
  "demo",
  "train-methods",
  "study-jobs",
  "contracts/formats",
  "contracts/datasets",
  "sweep",
  "command-line",
  "golden",
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
