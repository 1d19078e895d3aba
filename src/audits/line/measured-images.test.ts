/** Images behind accuracies: shared by ID and OOD, too few, and groups that are too many or come out alike. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { openAccuracies } from "../../predictions/accuracies/open-accuracies.ts";
import { auditLine } from "./audit-line.ts";

const root = temporaryFolder();

function file(name: string, content: string): string {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
  return join(root, name);
}

/** 40 images of train, 40 of val and 6 of test, all of class 1; model m is right on the first 20 + m, or m, of them. */
const sizes = { train: 40, val: 40, test: 6 };
const rows = Object.entries(sizes).flatMap(([split, count]) =>
  Array.from({ length: count }, (_, i) => `${split},1,${i},${i % 2 === 0 ? "a b" : "a_b"}\n`),
);
const labels = file("labels.csv", `split,y,number,place\n0,0,0,a b\n${rows.join("")}`);
for (let model = 0; model < 5; model++)
  for (const [split, count] of Object.entries(sizes)) {
    const right = split === "test" ? model : 20 + model;
    const lines = Array.from({ length: count + Number(split === "train") }, (_, i) => (i < right ? 1 : 0));
    file(`models/toy_split:${split}_seed:${model}_epoch:best_pred.csv`, `${lines.join("\n")}\n`);
  }
const tables = [join(root, "models")];

describe("images that are ID and OOD", () => {
  test.each([
    [["train"], ["train+test"], "train as ID and train+test as OOD, which both hold train"],
    [["train+val"], ["val"], "train+val as ID and val as OOD, which both hold val"],
    [["train", "val"], ["val+test"], "val as ID and val+test as OOD"],
  ])("%j and %j are refused, with groups or without", async (id, ood, said) => {
    const refusal = expect.objectContaining({ kind: "usage", message: expect.stringContaining(said) });
    await expect(auditLine({ tables, labels, id, ood })).rejects.toEqual(refusal);
    await expect(auditLine({ tables, labels, id, ood, groups: ["place"] })).rejects.toEqual(refusal);
  });

  test("nor is there anything to fit where all of OOD is ID", async () => {
    const same = { tables, labels, id: ["train"], ood: ["train"] };
    await expect(auditLine(same)).rejects.toThrow(/--ood needs other columns/);
    await expect(auditLine({ ...same, groups: ["place"] })).rejects.toThrow(/--ood needs other environments/);
    const apart = await auditLine({ tables, labels, id: ["train", "val"], ood: ["val"] });
    expect(apart.splits.map(({ name }) => name)).toEqual(["val on train"]);
  });
});

test("environments and groups of few images are named", async () => {
  const few = async (ood: string[], groups?: string[]) => {
    const { remarks } = await auditLine({ tables, labels, id: ["train"], ood, groups });
    return remarks.filter((remark) => remark.includes("fewer than 30 images"));
  };
  expect(await few(["val"])).toEqual([]);
  expect(await few(["test"])).toEqual([expect.stringMatching(/: test \(6\)$/)]);
  expect((await few(["val"], ["place"]))[0]).toMatch(/: val place=a_b \(20\); val place=a_b~2 \(20\)$/);
});

test("groups whose names come out alike keep their own numbers", async () => {
  const table = await openAccuracies(tables, { labels, groups: ["place"] });
  const names = ["val place=a_b", "val place=a_b~2"];
  const { numbers } = await table.read({ numbers: names, texts: [] });
  // Model 1 has the first 21 images right: 11 of the 20 at even places, "a b", and 10 of the others.
  expect(names.map((name) => numbers.get(name)![1])).toEqual([11 / 20, 10 / 20]);
});

test("a column that tells images apart makes no groups, and remarks name a few", async () => {
  const many = Array.from({ length: 600 }, (_, i) => `test,${i % 2},${i}.jpg,${i % 20}\n`);
  const wide = file("many.csv", `split,y,img_filename,few\nval,0,0.jpg,0\n${many.join("")}`);
  const models = [0, 1, 2].flatMap((seed) => [
    file(`many/toy_split:test_seed:${seed}_epoch:0_pred.csv`, "1\n".repeat(600)),
    file(`many/toy_split:val_seed:${seed}_epoch:0_pred.csv`, "0\n"),
  ]);
  const asked = { tables: models, labels: wide, id: ["val"], ood: ["test"] };
  await expect(auditLine({ ...asked, groups: ["img_filename"] })).rejects.toThrow(
    /more than 512 groups[\s\S]*--groups, columns of few values[\s\S]*img_filename/,
  );
  const { remarks } = await auditLine({ ...asked, groups: ["few"] });
  expect(remarks).toContain(
    `no images in val, so no fits: ${[1, 2, 3, 4, 5, 6, 7, 8].map((i) => `few=${i}`).join("; ")}; and 11 more`,
  );
});
