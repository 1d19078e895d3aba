/** The section "Fuzz" of docs/reliability.md, written anew by the command that measured it. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../docs/reliability.md");

export function writeFuzzSection(table: string, seed: number): void {
  const page = existsSync(path) ? readFileSync(path, "utf8") : "# Reliability\n";
  const section = `## Fuzz

\`npm run fuzz -- --seed ${seed} --docs\` changes a seed file of every format that is read, and reads what came of it in a process that is
ended after 10 s of work (or 60 s of silence) or at 1.5 GB. Changes are of bytes, of numbers that look like lengths (alone, or wherever they stand), and of the
format's own parts with its lengths and sums right again: fields of Thrift and protocol buffers, headers of tar and zip, chunks, segments,
boxes and directories of pictures, trees and words of JSON, elements of XML and MATLAB, cells of tables, lines of YAML. Digests of our own
datasets, runs and features are made right again, as somebody would who changed them on purpose.

A mutant must be refused by an error that names the file and the place, or be read as the seed is, or as another program reads it (DuckDB,
NumPy, Pillow, SciPy, safetensors, and Python's csv, json, tarfile and ElementTree; \`npm run referee\` installs them), or, where nobody else
reads it, be whole in form: as many labels, values and splits as images, codes within their names, boxes within images. How many mutants
each format has had is in the table; \`--results FILE\` goes on where it was stopped, up to 5,000 of each or \`--mutants\`.

${table}
`;
  const [before, ...rest] = page.split(/^## Fuzz$/m);
  const after = rest
    .join("## Fuzz")
    .split(/^(?=## )/m)
    .slice(1)
    .join("");
  writeFileSync(path, `${before!.trimEnd()}\n\n${section}${after === "" ? "" : `\n${after}`}`);
}
