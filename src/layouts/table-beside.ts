/** A table that lies beside people's images under a name of its own: taken where it fits, named where it does not. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import type { ColumnMapping } from "./column-mapping.ts";
import { fitsImages } from "./user-folder.ts";

export function isTableName(name: string): boolean {
  return /\.(csv|tsv)$/i.test(name);
}

export type TableBeside = { name: string; fits: true } | { name: string; fits: false; remark: string };

/** Undefined where there is none. Whoever names columns means the only table there is. */
export async function tableBeside(
  root: string,
  names: readonly string[],
  mapping: ColumnMapping,
): Promise<TableBeside | undefined> {
  const tables = names.filter((name) => isTableName(name) && !name.startsWith("."));
  const [name] = tables;
  if (name === undefined) return undefined;
  const asked = [mapping.image, mapping.label, mapping.split].some((column) => column !== undefined);
  if (tables.length > 1) {
    if (asked) throw whichTable(root, tables);
    return {
      name,
      fits: false,
      remark: `${tables.join(", ")} are here and were not used: give the path of the one that is meant`,
    };
  }
  if (asked || (await fitsImages(join(root, name), root, mapping))) return { name, fits: true };
  return {
    name,
    fits: false,
    remark: `${name} is here and was not used: give --image-column and --label-column if it is about the images`,
  };
}

function whichTable(root: string, tables: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "several tables lie here, and the columns are those of one of them",
    where: root,
    got: tables.join(", "),
    todo: `give the path of the one that is meant, such as ${join(root, tables[0]!)}`,
  });
}
