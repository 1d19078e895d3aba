/** Large tables of predictions, for `eval`: the same bytes each time, as CSV and as Parquet with a logit for each class. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { fileWriter, ParquetWriter } from "hyparquet-writer";

const rowsAtOnce = 100_000;
const classes = 10;

/** Numbers below a limit, from a linear congruence: quick, and good enough for cells of a table. */
function sequence() {
  let state = 12345;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Label, prediction and cue values; cues agree with the label in 70 of 100 training rows, and in 10 of 100 others. */
function* rowsOf(count, cues) {
  const random = sequence();
  for (let id = 0; id < count; id++) {
    const training = id % 2 === 0;
    const label = random(classes);
    const values = cues.map(() => (random(100) < (training ? 70 : 10) ? label : random(classes)));
    yield {
      id,
      split: training ? "train" : "test",
      label,
      predicted: random(10) < 6 ? label : values[0],
      values,
    };
  }
}

export async function writeCsvTable(path, count, cues) {
  const file = createWriteStream(path);
  let lines = [`id,split,y_true,y_pred,${cues.join()}\n`];
  for (const { id, split, label, predicted, values } of rowsOf(count, cues)) {
    lines.push(`${id},${split},${label},${predicted},${values.join()}\n`);
    if (lines.length < rowsAtOnce) continue;
    if (!file.write(lines.join(""))) await once(file, "drain");
    lines = [];
  }
  file.end(lines.join(""));
  await once(file, "finish");
}

export async function writeParquetTable(path, count, cues) {
  const required = { repetition_type: "REQUIRED" };
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8", ...required };
  const logits = Array.from({ length: classes }, (_, k) => `logit_${k}`);
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "root", num_children: 3 + logits.length + cues.length },
      { name: "id", type: "INT32", ...required },
      { name: "split", ...text },
      { name: "y_true", type: "INT32", ...required },
      ...logits.map((name) => ({ name, type: "FLOAT", ...required })),
      ...cues.map((name) => ({ name, ...text })),
    ],
  });
  const random = sequence();
  let rows = [];
  const flush = async () => {
    const noise = () => random(1000) / 1000;
    await writer.write({
      columnData: [
        { name: "id", data: rows.map(({ id }) => id) },
        { name: "split", data: rows.map(({ split }) => split) },
        { name: "y_true", data: rows.map(({ label }) => label) },
        ...logits.map((name, k) => ({
          name,
          data: Float32Array.from(rows, ({ predicted }) => (predicted === k ? 2 : 0) + noise()),
        })),
        ...cues.map((name, c) => ({ name, data: rows.map(({ values }) => String(values[c])) })),
      ],
    });
    rows = [];
  };
  for (const row of rowsOf(count, cues)) {
    rows.push(row);
    if (rows.length === rowsAtOnce) await flush();
  }
  if (rows.length > 0) await flush();
  await writer.finish();
}
