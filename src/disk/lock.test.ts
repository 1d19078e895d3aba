import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { CuelabError } from "../core/errors.ts";
import { lockFolder } from "./lock.ts";

test("a lock that cannot be written is an error in words", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const refused = lockFolder(file);
  await expect(refused).rejects.toThrow(CuelabError);
  await expect(refused).rejects.toThrow(/a part of the path is a file/);
});
