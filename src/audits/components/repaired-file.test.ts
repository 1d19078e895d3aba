/** What the audit hands back as a file is the network that it has told of. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { auditedThings } from "../../contracts/audited-things.ts";
import { randomStream } from "../../core/random.ts";
import { input } from "../../engine/expressions.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { State } from "../../engine/state.ts";
import { initialise } from "../../engine/training/parameters.ts";
import { exportNetwork } from "../../models/export.ts";
import { models } from "../../models/index.ts";
import { Network } from "../../models/model.ts";
import { openModel } from "../../training/asked/open-model.ts";
import { answerOf } from "../ask.ts";
import { componentsAudit } from "./audit.ts";

const folder = temporaryFolder();

test("a bare runtime gets the accuracy that is told, and other classes' logits as before", async () => {
  const { dataset } = await auditedThings("model", folder);
  const { classNames, images } = dataset;
  const image = images.shape!;
  const network = new Network(models.get("small-cnn"), {
    classes: 2,
    mode: "evaluate",
    options: { width: 4 },
  });
  network.logits(input("images", [1, image.height, image.width, image.channels], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(0, key).at(0));
  const options = { width: 4 };
  const bytes = exportNetwork(models.get("small-cnn"), state, { classNames, image, options });
  const path = join(folder, "small.onnx");
  writeFileSync(path, bytes);
  const model = await openModel({ model: path });
  const question = { remove: ["light:1"], components: 2, shown: 2 };
  const { answer, files } = await answerOf(componentsAudit, question, { model, dataset });
  const repaired = files()["repaired.onnx"]!;
  expect(answer.repair!.removed).toEqual(["light:1"]);
  const rows = [...dataset.labels.keys()].filter((i) => dataset.splits.values[i] === 2);
  const pixels = new Uint8Array(rows.length * image.height * image.width * 3);
  for (const [n, i] of rows.entries())
    pixels.set((await images.pixels(i)).data, n * image.height * image.width * 3);
  const said = async (file: Uint8Array) => {
    const opened = await OnnxModel.open("repaired", { output: "logits" }, file);
    const logits = await opened.run(pixels, [rows.length, image.height, image.width, 3]);
    await opened.close();
    return logits;
  };
  const [before, after] = [await said(bytes), await said(repaired)];
  const right = (logits: Float32Array) =>
    rows.filter((i, n) => Number(logits[2 * n + 1]! > logits[2 * n]!) === dataset.labels[i]).length /
    rows.length;
  expect(right(before)).toBeCloseTo(answer.repair!.accuracy.before, 10);
  expect(right(after)).toBeCloseTo(answer.repair!.accuracy.after, 10);
  expect(rows.every((_, n) => Math.abs(after[2 * n]! - before[2 * n]!) < 1e-6)).toBe(true);
  expect(rows.some((_, n) => Math.abs(after[2 * n + 1]! - before[2 * n + 1]!) > 1e-4)).toBe(true);
});
