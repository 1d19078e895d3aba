/** Groups counted by `eval` are those that DuckDB counts in the same file, of every kind. */

import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { evaluatePredictions } from "./evaluate-predictions.ts";

const folder = temporaryFolder();
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
const logits = ["logit_0", "logit_1", "logit_2"];

await duckdb.run("select setseed(0.25)");
await duckdb.run(`create table plain as
  select i as id, case when i % 3 = 0 then 'train' else 'test' end as split, y_true,
    case when random() < 0.6 then y_true else floor(random() * 3)::int end as y_pred,
    case when random() < 0.8 then 'c' || y_true end as color, random() < 0.5 as lit
  from (select i, floor(random() * 3)::int as y_true from range(20000) r(i))`);
await duckdb.run(`create table logits as select * exclude y_pred,
  ${logits.map((name, k) => `(random() + case when y_pred = ${k} then 0.5 else 0 end)::float as ${name}`).join()} from plain`);

const kinds = {
  csv: "header",
  "semicolons.csv": "header, delimiter ';'",
  "zstd.parquet": "format parquet, compression zstd, row_group_size 4096",
  "v2.parquet": "format parquet, parquet_version v2, compression snappy",
};

test.each(
  ["plain", "logits"].flatMap((table) => Object.entries(kinds).map(([ending, how]) => [table, ending, how])),
)("%s.%s", async (table, ending, how) => {
  const path = join(folder, `${table}.${ending}`);
  await duckdb.run(`copy ${table} to '${path}' (${how})`);
  const right =
    table === "plain"
      ? "y_true = y_pred"
      : `case y_true ${logits.map((name, k) => `when ${k} then ${name}`).join(" ")} end = greatest(${logits.join()})`;
  const counted = await duckdb.runAndReadAll(
    `select y_true, coalesce(color, '(none)'), lit, count(*)::int, sum((${right})::int)::int from ${table} where split = 'test' group by all`,
  );
  const report = await evaluatePredictions({ tables: [path] });
  const ours = report.groups
    .filter(({ n }) => n > 0)
    .map(({ class: label, values, n, accuracy }) =>
      [label, values.color, values.lit, n, Math.round(n * accuracy!)].join(),
    );
  expect(ours.toSorted()).toEqual(
    counted
      .getRows()
      .map((row) => row.join())
      .toSorted(),
  );
  if (table !== "logits") return;
  const sums = await duckdb.runAndReadAll(
    `select sum(1 / (${logits.map((name) => `exp(${name}::double - m)`).join(" + ")})) from (select *, greatest(${logits.join()})::double as m from logits) where split = 'test'`,
  );
  const confidence = report.calibration!.bins.reduce((sum, bin) => sum + bin.confidence, 0);
  // Sums of thirteen thousand in another order; CSV has floats with nine digits, which are the same floats' decimals.
  expect(confidence).toBeCloseTo(Number(sums.getRows()[0]![0]), 2);
});
