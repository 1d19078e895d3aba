/** The page of `data check`: the answer on top, and images of the cue that goes with the class. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./helpers/files.ts";
import { ranHere } from "./helpers/in-process.ts";

test("a page with the answer, a figure of the cues and their images; none is replaced unasked", async () => {
  const root = temporaryFolder();
  const [data, page] = [join(root, "D"), join(root, "page.html")];
  await ranHere([..."data make colored-mnist --set trainPerEnvironment=60 -q --out".split(" "), data]);
  const check = ["data", "check", data, "-q", "--report", page];
  expect(await ranHere(check)).toMatchObject({ code: 0 });
  const html = readFileSync(page, "utf8");
  expect(html).toMatch(/<div class="finding"><p>All \d+ images can be read; color goes with the class most/);
  // A sentence may begin with a cue, whose name stays as it is.
  expect(html).toMatch(/<p>color: of /);
  expect(html).toMatch(/What color (red|green) looks like/);
  expect(html.match(/<img src="data:image\/png/g)?.length).toBeGreaterThan(6);
  expect(html).toContain("train/0000");
  expect((await ranHere(check)).stderr).toMatch(/--force/);
});
