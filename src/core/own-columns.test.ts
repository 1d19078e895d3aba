import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { openPredictionTable } from "../predictions/open-predictions.ts";
import { rolesOf } from "../predictions/roles.ts";
import { encodePredictions } from "../runs/predictions.ts";
import { textAt } from "../tables/table.ts";
import type { Attribute, Dataset } from "./dataset.ts";
import { checkColumnNames, takenNames } from "./own-columns.ts";

const root = temporaryFolder();

/** Written as a run writes them: two images, two classes. */
async function written(file: string, attributes: readonly string[]) {
  const attribute: Attribute = { values: Uint16Array.of(0, 1), valueNames: ["a", "b"], role: "cue" };
  const dataset = {
    labels: Uint16Array.of(0, 1),
    classNames: ["c", "d"],
    splits: { names: ["val"], values: Uint8Array.of(0, 0) },
    attributes: Object.fromEntries(attributes.map((name) => [name, attribute])),
    images: { file: (index: number) => `${["train", "val"][index]}/cat ${index}.png` },
    provenance: {},
  } as unknown as Dataset;
  const predictions = { indices: Uint32Array.of(0, 1), logits: Float32Array.of(1, 0, 0, 1) };
  writeFileSync(
    join(root, file),
    await encodePredictions(dataset, predictions, { run: "r", format: 5, spec: {} }),
  );
  return openPredictionTable(join(root, file));
}

test("readers take for attributes what is refused nowhere, and nothing else that is written", async () => {
  const names = ["label", "labels", "y", "target", "prediction", "pred", "logits", "place"];
  expect(takenNames(names, "predictions")).toEqual([]);
  const roles = rolesOf(await written("good.parquet", names), {});
  expect(roles).toMatchObject({ id: "id", split: "split", label: "y_true", prediction: "y_pred" });
  expect(roles.attributes).toEqual(names);
  const bare = await written("bare.parquet", []);
  expect(takenNames(bare.columns, "predictions")).toEqual(bare.columns);
});

test("an image's own file is told beside its number, and is no attribute", async () => {
  const table = await written("files.parquet", ["place"]);
  expect(rolesOf(table, {}).attributes).toEqual(["place"]);
  for await (const { columns } of table.batches([{ name: "source_file", as: "texts" }]))
    expect(textAt(columns[0]!, 1)).toBe("val/cat 1.png");
});

test.each(["prob_dark", "logit_9"])(
  "%s would not be read as an attribute, so it is refused",
  async (name) => {
    const table = await written(`${name}.parquet`, [name]);
    expect(rolesOf(table, {}).attributes).not.toContain(name);
    expect(takenNames([name], "predictions")).toEqual([name]);
  },
);

test.each([
  [
    "predictions",
    ["id", "source_file", "split", "y_true", "y_pred", "logit_0", "prob_x"],
    ["label", "class", "x", "source"],
  ],
  [
    "features",
    ["id", "split", "label", "source_file", "y_true", "y_pred", "logit_0"],
    ["class", "x", "features"],
  ],
  ["points", ["image", "part", "x", "y", "class"], ["label", "id", "logit_0"]],
] as const)("of %s", (table, taken, free) => {
  expect(takenNames([...free, ...taken], table)).toEqual([...taken]);
});

test("the error says what, where, and how to go on", () => {
  const check = (names: string[]) => () => checkColumnNames(names, "features", { where: "photos" });
  expectError(
    check(["sky", "label", "id"]),
    "input",
    'named "label"',
    "photos",
    "--cue-columns sky --to folder",
  );
  expectError(check(["label"]), "input", 'rename the column "label"');
  expect(check(["sky"])).not.toThrow();
});
