/** Every study keeps the contract of studies. */

import { describe, test } from "vitest";
import { studyChecks } from "../../src/contracts/studies.ts";
import { studies } from "../../src/studies/index.ts";

describe.each(studies.entries)("the study $name", (study) => {
  test.each(studyChecks(study))("$name", ({ run }) => run());
});
