/** Writes the figures of `line` into a folder, one name a split. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AuditedSplit } from "../audits/line/audit-line.ts";
import type { Scale } from "../audits/line/transform.ts";
import { CuelabError } from "../core/errors.ts";
import { writePicture } from "../formats/write-picture.ts";
import { writeWhole } from "../formats/write-whole.ts";
import { chartPng, drawChart } from "../reports/chart.ts";
import { lineFigures } from "../reports/line/line-figures.ts";

/** More pictures than this nobody looks at, and they take minutes. */
const mostSplits = 60;

/** How many figures were drawn. */
export async function writeLineFigures(
  folder: string,
  splits: readonly AuditedSplit[],
  scale: Scale,
  signal: AbortSignal,
): Promise<number> {
  if (splits.length > mostSplits) {
    throw new CuelabError({
      kind: "usage",
      what: `pictures of ${splits.length} splits are too many`,
      expected: `at most ${mostSplits}`,
      todo: "leave --by (and of pools --group-pairs) away, or name fewer columns",
    });
  }
  await mkdir(folder, { recursive: true });
  const width = String(splits.length).length;
  let drawn = 0;
  for (const [i, split] of splits.entries()) {
    const number = String(i + 1).padStart(width, "0");
    for (const [kind, spec] of Object.entries(lineFigures(split, scale))) {
      signal.throwIfAborted();
      const svg = await drawChart(spec);
      const path = join(folder, `${number}-${fileName(split.report.name)}-${kind}`);
      await writeWhole(`${path}.svg`, svg);
      await writePicture(`${path}.png`, await chartPng(svg));
      drawn++;
    }
  }
  return drawn;
}

function fileName(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80);
}
