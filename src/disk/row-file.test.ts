import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isPartial } from "./partial-name.ts";
import { RowFile } from "./row-file.ts";

const root = mkdtempSync(join(tmpdir(), "cuelab-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("rows come back in the order that is asked for, again where they are asked for again", async () => {
  const file = await RowFile.spool(root, "x", 2);
  await file.write(Float32Array.of(6, 7, 8, 9), 3);
  await file.write(Float32Array.of(0, 1, 2, 3, 4, 5), 0);
  const into = new Float32Array(14);
  await file.read(Uint32Array.of(4, 0, 1, 2, 2, 3, 0), into);
  expect([...into]).toEqual([8, 9, 0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 0, 1]);
  // Under a name that whoever opens the folder after a kill knows as half-made.
  expect(readdirSync(root).map(isPartial)).toEqual([true]);
  await file.close();
  expect(readdirSync(root)).toEqual([]);
});

test("a stored file is read from a byte on and stays; one that ends too early is an error", async () => {
  const path = join(root, "stored");
  writeFileSync(path, Buffer.concat([Buffer.from("head"), Buffer.from(Float32Array.of(1, 2, 3, 4).buffer)]));
  const file = await RowFile.open(path, 2, 4);
  const into = new Float32Array(2);
  await file.read(Uint32Array.of(1), into);
  expect([...into]).toEqual([3, 4]);
  truncateSync(path, 12);
  await expect(file.read(Uint32Array.of(1), into)).rejects.toThrow(/ends before the rows[\s\S]*row 1 of 2/);
  await file.close();
  expect(readdirSync(root)).toEqual(["stored"]);
});
