import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { ClassBook, Codebook } from "./codebook.ts";
import { codedRows } from "./coded-rows.ts";
import { openPredictions } from "./open-predictions.ts";
import { labelledRoles, rolesOf } from "./roles.ts";

const root = temporaryFolder();

async function opened(text: string) {
  const path = join(root, "table.csv");
  writeFileSync(path, text);
  return openPredictions(path);
}

test("predictions for images that nobody has labelled are read without labels", async () => {
  const table = await opened("id,y_pred,place\n7,cat,sea\n8,dog,sea\n9,cat,land\n");
  const roles = rolesOf(table, {});
  expect(roles).toMatchObject({ label: undefined, prediction: "y_pred", attributes: ["place"] });
  const books = {
    splits: new Codebook("split"),
    classes: new ClassBook(),
    attributes: [new Codebook("place")],
  };
  for await (const { labels, predicted, attributes } of codedRows(table, roles, books, { notLargest: 0 })) {
    expect(labels).toBeUndefined();
    expect(predicted).toEqual(Int32Array.of(0, 1, 0));
    expect(attributes).toEqual([Int32Array.of(0, 0, 1)]);
  }
  expect(books.classes.names).toEqual(["cat", "dog"]);
  expect(() => labelledRoles(table, {})).toThrow(/no column "y_true"[\s\S]*--label-column/);
});
