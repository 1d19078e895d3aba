/** A reference network's errors by group, from a table that people give: AlexNet's, for mDE and mCE. */

import { CuelabError } from "../../core/errors.ts";
import type { PredictionCounts } from "../../metrics/counts.ts";
import { type ReferenceErrors, relativeErrorsOf } from "../../metrics/relative-errors.ts";
import { csvRows } from "../../tables/csv-rows.ts";
import { numberCell } from "../../tables/number-cell.ts";

const expected =
  "columns of attributes, such as domain, then a column error: a share from 0 to 1, or per cent";

/** Whether it was in per cent, which is told. */
export async function readReferenceErrors(path: string): Promise<ReferenceErrors & { isPercent: boolean }> {
  let header: string[] = [];
  const found: { values: string[]; error: number; isPercent: boolean }[] = [];
  for await (const { line, cells } of csvRows(path, (names) => {
    header = names;
  })) {
    const place = placeOfError(header, path);
    const cell = numberCell(cells[place]!.trim());
    const values = cells.filter((_, i) => i !== place).map((value) => value.trim());
    if (cell === undefined || !(cell.value > 0)) throw unread(`${path}, line ${line}`, `"${cells[place]}"`);
    if (found.some((other) => other.values.join("\n") === values.join("\n")))
      throw unread(`${path}, line ${line}`, `${values.join(", ")} a second time`);
    found.push({ values, error: cell.value, isPercent: cell.percent });
  }
  if (found.length === 0) throw unread(path, "no rows");
  const isPercent = !found.some((row) => row.isPercent) && found.some(({ error }) => error > 1);
  const rows = found.map(({ values, error }) => ({ values, error: isPercent ? error / 100 : error }));
  const most = rows.find(({ error }) => error > 1);
  if (most !== undefined) throw unread(path, `an error of ${most.error} for ${most.values.join(", ")}`);
  const place = placeOfError(header, path);
  return { attributes: header.filter((_, i) => i !== place), rows, isPercent };
}

/** A mean over fewer groups would be another number under the same name. */
export function requireReferenceGroups(
  counts: PredictionCounts,
  reference: ReferenceErrors,
  where: string,
): void {
  const lacking = relativeErrorsOf(counts, reference).filter(({ parts }) =>
    parts.some(({ count }) => count === 0),
  );
  if (lacking.length > 0)
    throw new CuelabError({
      kind: "input",
      what: "there are no images of some groups that the reference has errors of",
      where,
      expected: `images of every combination of ${reference.attributes.join(" and ")} that it lists`,
      got: `none of ${lacking.map(({ of }) => of).join(", ")}`,
      todo: "leave their lines away, where a mean over the others is what you want",
    });
  const [first] = reference.attributes as [string];
  const known = new Set(reference.rows.map(({ values }) => values[0]!));
  const others = (counts.valueNames.get(first) ?? []).filter((name) => !known.has(name));
  const place = counts.margins.find(({ attributes }) => attributes.length === 1 && attributes[0] === first);
  const occupied = others.filter((name) => {
    const code = counts.valueNames.get(first)!.indexOf(name);
    return place?.cells.some(({ values, count }) => values[0] === code && count > 0) ?? false;
  });
  if (occupied.length > 0)
    throw new CuelabError({
      kind: "input",
      what: `the reference has no errors of some values of ${first}`,
      where,
      expected: `a line for each of: ${[...known, ...occupied].join(", ")}`,
      got: `none for ${occupied.join(", ")}`,
      todo: "add their lines, or evaluate without those images",
    });
}

function placeOfError(header: readonly string[], where: string): number {
  const place = header.findIndex((name) => /^(error|err|top1_error)$/i.test(name.trim()));
  if (place !== -1 && header.length >= 2) return place;
  throw unread(where, `columns ${header.join(", ")}`);
}

function unread(where: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "these are no errors of a reference network",
    where,
    expected,
    got,
  });
}
