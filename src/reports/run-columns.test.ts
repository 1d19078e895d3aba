/** Which columns a list of runs has, and what is said to those who name others. */

import { test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { runTable } from "./run-columns.ts";

test("other programs' words for columns are answered with ours", () => {
  const sorted = (sort: string) => () => runTable([], { sort });
  expectError(sorted("date"), "usage", 'no column "date"', 'did you mean "started"?');
  expectError(sorted("duration"), "usage", 'did you mean "took"?');
  expectError(sorted("stat"), "usage", 'did you mean "state"?');
});
