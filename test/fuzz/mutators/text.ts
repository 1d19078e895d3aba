/** Changed tables of text, XML and YAML: cells, rows, tags, aliases. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

const oddCells = [
  "",
  " ",
  "NaN",
  "nan",
  "null",
  "inf",
  "-inf",
  "1e400",
  "1e-400",
  "-1",
  "0.5",
  "2",
  "3",
  "99999999999999999999",
  "0x10",
  "1,5",
  '"',
  '""',
  '"a',
  'a"b',
  '"a""b"',
  '"a\nb"',
  '"a,b"',
  "\u0000",
  "\ufeff",
  "é",
  "\ud83d\ude00",
  "__proto__",
  "constructor",
  "../../x.png",
  "/",
  "=1+1",
  "a".repeat(3000),
  "{'a': ".repeat(3000),
  "[".repeat(3000),
  "True",
  "train",
  "\r",
  "\t",
];

/** Cells and rows of a table whose cells are parted by `separator`. */
export function tableText(separator: string): Mutator {
  return (bytes, chance) => {
    const rows = bytes
      .toString("utf8")
      .split("\n")
      .map((row) => row.split(separator));
    for (let times = 1 + chance.below(3); times > 0 && rows.length > 0; times--) changeTable(rows, chance);
    const ending = chance.happens(0.1) ? "\r\n" : chance.happens(0.03) ? "\r" : "\n";
    return Buffer.from(rows.map((row) => row.join(separator)).join(ending));
  };
}

function changeTable(rows: string[][], chance: Chance): void {
  const at = chance.happens(0.2) ? 0 : chance.below(rows.length);
  const row = rows[at]!;
  const cell = chance.below(row.length);
  const kind = chance.below(12);
  if (kind === 0) row.splice(cell, 1);
  else if (kind === 1) row.splice(cell, 0, chance.pick(oddCells));
  else if (kind === 2) rows.splice(at, 1);
  else if (kind === 3) rows.splice(at, 0, [...chance.pick(rows)]);
  else if (kind === 4) row[cell] = chance.pick(chance.pick(rows));
  else if (kind === 5) rows.splice(at, 0, [""]);
  else if (kind === 6) row[cell] = `${row[cell]}${chance.pick(oddCells)}`;
  else row[cell] = chance.pick(oddCells);
}

/** Tags and texts of an XML file. */
export const xmlFile: Mutator = (bytes, chance) => {
  const text = bytes.toString("utf8");
  const tags = [...text.matchAll(/<(\/?)([\w-]+)>/g)];
  if (tags.length === 0) return bytes;
  const { index, 0: whole, 2: name } = chance.pick(tags);
  const at = index;
  const close = text.indexOf(`</${name}>`, at);
  const end = close < 0 ? at + whole.length : close + name!.length + 3;
  const element = text.slice(at, end);
  const around = (middle: string) => Buffer.from(text.slice(0, at) + middle + text.slice(end));
  const odd = chance.pick([
    "__proto__",
    "constructor",
    "prototype",
    "a:b",
    "object",
    "size",
    "bndbox",
    "name",
  ]);
  switch (chance.below(10)) {
    case 0:
      return around("");
    case 1:
      return around(element + element);
    case 2:
      return around(`<${odd}>${element}</${odd}>`);
    case 3:
      return around(element.replaceAll(name!, odd));
    case 4:
      return around(`${"<a>".repeat(chance.pick([5, 200, 3000]))}x`);
    case 5: {
      const deep = chance.pick([5, 200, 3000]);
      return around(`${"<a>".repeat(deep)}${element}${"</a>".repeat(deep)}`);
    }
    case 6:
      return Buffer.from(
        `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>${text.slice(0, at)}<${name}>&c;</${name}>${text.slice(end)}`,
      );
    case 7:
      return around(`<![CDATA[${element}]]>`);
    case 8:
      return around(`<!-- ${element} -->`);
    default:
      return around(`<${name}>${chance.pick(oddCells)}</${name}>`);
  }
};

/** Lines of a YAML file: anchors, aliases, tags, other indents. */
export const yamlFile: Mutator = (bytes, chance) => {
  const lines = bytes.toString("utf8").split("\n");
  const at = chance.below(lines.length);
  const line = lines[at]!;
  const indent = /^\s*/.exec(line)![0];
  switch (chance.below(10)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, line);
      break;
    case 2:
      lines[at] = `  ${line}`;
      break;
    case 3:
      lines[at] = line.replace(/:.*/, `: ${chance.pick(oddCells.slice(0, 33))}`);
      break;
    case 4:
      lines.splice(at, 0, `${indent}a: &a [x, x, x, x, x, x, x, x, x]`, ...aliases(indent));
      break;
    case 5:
      lines[at] = line.replace(
        /: ?/,
        `: ${chance.pick(["!!binary ", "!!set ", "!!timestamp ", "!x ", "&a ", "*a "])}`,
      );
      break;
    case 6:
      lines[at] = `${indent}<<: ${chance.pick(["*a", "1", "{a: 1}"])}`;
      break;
    case 7:
      lines[at] = line.replace(
        /[\w-]+:/,
        chance.pick(["__proto__:", "constructor:", "? [a]\n:", "1:", "null:"]),
      );
      break;
    case 8:
      lines[at] = `${line} ${"[".repeat(chance.pick([1, 50, 3000]))}`;
      break;
    default:
      lines[at] = `${indent}- ${line.trim()}`;
  }
  return Buffer.from(lines.join("\n"));
};

function aliases(indent: string): string[] {
  return ["b", "c", "d", "e", "f", "g", "h", "i"].map((name, i) => {
    const before = String.fromCharCode(97 + i);
    return `${indent}${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(", ")}]`;
  });
}
