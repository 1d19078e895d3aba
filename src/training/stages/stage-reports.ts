/** Numbers an image that stages report, such as inferred groups, as a table of the run. */

import type { Dataset } from "../../core/dataset.ts";
import { lookUp } from "../../core/look-up.ts";
import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import { indicesOf } from "../splits.ts";
import type { RunEnd } from "./run-stages.ts";

/** Columns id, split, label, and one a number under `stage.name`; images of other parts have none. */
export async function reportsTable(
  dataset: Dataset,
  reports: RunEnd["reports"],
  origin: PredictionsOrigin,
): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const parts = [...new Set(reports.map(({ part }) => part))];
  const rows = parts.flatMap((part) => Array.from(indicesOf(dataset, part), (index) => ({ part, index })));
  const first = new Map(parts.map((part) => [part, rows.findIndex((row) => row.part === part)]));
  const columns = reports.flatMap(({ stage, part, columns: reported }) =>
    Object.entries(reported).map(([name, values]) => ({
      name: `${stage}.${name}`,
      data: rows.map((row, i) => (row.part === part ? values[i - lookUp(first, part)]! : null)),
      type: "DOUBLE" as const,
      nullable: true,
    })),
  );
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "id", data: Int32Array.from(rows, ({ index }) => index), type: "INT32", nullable: false },
        { name: "split", data: rows.map(({ part }) => part), type: "STRING", nullable: false },
        {
          name: "label",
          data: Int32Array.from(rows, ({ index }) => dataset.labels[index]!),
          type: "INT32",
          nullable: false,
        },
        ...columns,
      ],
      kvMetadata: [{ key: "cuelab", value: JSON.stringify({ origin }) }],
    }),
  );
}
