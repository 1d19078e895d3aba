/** The mistakes that a page shows: of the worst group, the surest first, by the names of their files. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { decodePng } from "../../images/png.ts";
import { encodePredictions } from "../../runs/predictions.ts";
import { answerOf } from "../ask.ts";
import { predictionsAudit } from "./audit.ts";

const count = 8;
// Cows on sand are 4 to 7; 5, 6 and 7 are taken for camels, 6 with the largest logit.
const dataset: Dataset = {
  name: "d",
  classNames: ["cow", "camel"],
  labels: new Uint16Array(count),
  attributes: {
    place: { values: Uint16Array.from([0, 0, 0, 0, 1, 1, 1, 1]), valueNames: ["grass", "sand"], role: "cue" },
  },
  splits: { names: ["test"], values: new Uint8Array(count) },
  provenance: { title: "d" },
  images: {
    count,
    shape: { height: 2, width: 2, channels: 3 },
    pixels: async (index: number) => ({
      data: new Uint8Array(12).fill(index),
      height: 2,
      width: 2,
      channels: 3,
    }),
    describe: String,
    file: (index: number) => `IMG_${index} <b>.jpg`,
  },
} as unknown as Dataset;

const logits = Float32Array.from([1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 3, 0, 2]);
const table = join(temporaryFolder(), "predictions.parquet");

async function asked(imagesOfRun: () => Promise<Dataset | undefined>) {
  const predictions = { indices: Uint32Array.from({ length: count }, (_, i) => i), logits };
  const origin = { run: "r", format: 1, spec: { seed: 3, model: { name: "small-cnn" } } };
  writeFileSync(table, await encodePredictions(dataset, predictions, origin));
  return answerOf(predictionsAudit, { mistakes: 2 }, { tables: [table], imagesOfRun });
}

test("the worst group's surest mistakes are shown with their files", async () => {
  const answered = await asked(async () => dataset);
  const { mistakes } = answered.data() as { mistakes: object };
  expect(mistakes).toMatchObject({ group: "class cow, place sand", wrong: 3 });
  expect(mistakes).toHaveProperty("shown", [
    // 1/(1 + e⁻³) and 1/(1 + e⁻²).
    {
      id: 6,
      file: "IMG_6 <b>.jpg",
      class: "cow",
      predicted: "camel",
      confidence: expect.closeTo(0.952574, 6),
    },
    {
      id: 7,
      file: "IMG_7 <b>.jpg",
      class: "cow",
      predicted: "camel",
      confidence: expect.closeTo(0.880797, 6),
    },
  ]);
  const gallery = answered.sections().flatMap(({ galleries = [] }) => galleries)[0]!;
  expect(gallery.caption).toMatch(/^The 2 most confident of 3 mistakes/);
  expect(decodePng((await gallery.pictures[0]!.draw()).png)!.data[0]).toBe(6);
  const settings = answered.sections().at(-1)!.facts!;
  expect(settings).toContainEqual(["run", "r, seed 3"]);
  expect(settings).toContainEqual(["model.name", "small-cnn"]);
});

test("where the images are gone, everything else is said", async () => {
  const answered = await asked(async () => {
    throw new CuelabError({ kind: "input", what: "no dataset there" });
  });
  const section = answered.sections().find(({ name }) => name === "mistakes")!;
  expect(section.text).toContain("IMG_6 <b>.jpg: camel, 95%; IMG_7");
  expect(section.remarks).toEqual(["the images cannot be shown: no dataset there"]);
  expect((await asked(async () => undefined)).answer.mistakes).toBeUndefined();
});

test("in short: accuracy, the worst group, the cue that is leaned on", async () => {
  const sentences = (await asked(async () => undefined)).inShort();
  expect(sentences[0]).toMatch(/^It is right on 62\.5% \(95% over images: .* of 8 test images\.$/);
  expect(sentences[1]).toMatch(/^Worst is class cow, place sand: 25\.0% .* These are 4 images only\.$/);
});

test("where everything is right, no group is called the worst", async () => {
  const right = join(temporaryFolder(), "right.csv");
  writeFileSync(right, "y_true,y_pred,place\ncow,cow,sand\ncamel,camel,sand\ncow,cow,grass\n");
  const sentences = (await answerOf(predictionsAudit, { cues: ["place"] }, { tables: [right] })).inShort();
  expect(sentences[1]).toBe("No group is worse than another: all 3 are right throughout.");
  const single = join(temporaryFolder(), "single.csv");
  writeFileSync(single, "y_true,y_pred,place\ncow,cow,sand\ncamel,cow,sand\ncow,cow,grass\n");
  const [, worst] = (await answerOf(predictionsAudit, { cues: ["place"] }, { tables: [single] })).inShort();
  expect(worst).toMatch(/^Worst is class camel, place sand: 0\.0% .*\. This is one image only\.$/);
});
