import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { programBuild } from "../core/build.ts";
import { buildsIn, buildsOf, mixedBuilds } from "./builds.ts";
import { RunFolder } from "./run-folder.ts";

const root = temporaryFolder();

test("a run's manifest says which builds had a part in it, the last one last", async () => {
  const folder = await RunFolder.open(`${root}/run`, { data: {} }, { force: false });
  expect(folder.takeOver(["older", programBuild()])).toEqual(["older"]);
  expect(folder.takeOver(["older"])).toEqual([]);
  await folder.finish("0");
  folder.close();
  expect(buildsOf(`${root}/run`)).toEqual(["older", programBuild()]);
  expect(buildsOf(root)).toBeUndefined();
});

test("runs of one build need no remark; others have one, also those that do not know theirs", () => {
  expect(mixedBuilds([["a"], ["a"]], "they")).toBeUndefined();
  expect(mixedBuilds([buildsIn({}), buildsIn({})], "they")).toBeUndefined();
  expect(mixedBuilds([["a"], ["b"], ["a"]], "they")).toMatch(/^they were made .* \(2 by a, 1 by b\)/);
  expect(mixedBuilds([["a"], buildsIn({})], "they")).toMatch(/1 by a, 1 by not recorded/);
  expect(mixedBuilds([["a", "b"]], "it")).toMatch(/1 by a then b/);
});
