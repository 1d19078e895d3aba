/** Sharper changes of texts: quotes, line ends and separators mixed, names twice, numbers in other spellings, other encodings. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

const oddNumbers = [
  "-0",
  "+1",
  "1.",
  ".5",
  "1e1",
  "1E400",
  "0x1F",
  "1_000",
  "1 000",
  "٣",
  "５",
  "1,0",
  "Infinity",
  "-Infinity",
  "9007199254740993",
  "00",
  "1;2",
  "0b1",
  "1n",
  "½",
  "NaN",
  "1\u00a0",
  "\u200b1",
];

/** A table whose cells are parted by `separator`. */
export function oddTable(separator: string): Mutator {
  return (bytes, chance) => {
    let text = bytes.toString("utf8");
    for (let times = 1 + chance.below(2); times > 0; times--) text = changedTable(text, separator, chance);
    return Buffer.from(text);
  };
}

function changedTable(text: string, separator: string, chance: Chance): string {
  const lines = text.split("\n");
  const at = chance.happens(0.25) ? 0 : chance.below(lines.length);
  const cells = lines[at]!.split(separator);
  const cell = chance.below(cells.length);
  const put = (value: string) => {
    cells[cell] = value;
    lines[at] = cells.join(separator);
    return lines.join("\n");
  };
  switch (chance.below(12)) {
    case 0:
      return put(`"${cells[cell]}"`);
    case 1:
      return put(`"${cells[cell]}${chance.pick(["\n", "\r\n", "\r", separator, '""', '"x'])}"`);
    case 2:
      return put(chance.pick(oddNumbers));
    case 3:
      return put(
        `${chance.pick([" ", "\t", "\u00a0", "\ufeff", "\0", "\u2028", "\v"])}${cells[cell]}${chance.pick(["", " ", "\u3000"])}`,
      );
    case 4:
      return put(chance.pick(lines[0]!.split(separator)).toUpperCase());
    case 5:
      return text.replaceAll("\n", chance.pick(["\r\n", "\r", "\n\n", "\n \n", "\u2028", `${separator}\n`]));
    case 6: {
      lines[at] = `${lines[at]}\r`;
      return lines.join("\n");
    }
    case 7:
      return text.replaceAll(separator, chance.pick([";", "\t", ",", "|", " ", ", ", separator + separator]));
    case 8:
      return chance.pick([
        `\ufeff${text}`,
        `\ufeff\ufeff${text}`,
        `${text}\0`,
        `\n\n${text}`,
        `# x\n${text}`,
        `sep=;\n${text}`,
        `${text}"`,
        text.trimEnd(),
      ]);
    case 9: {
      const twin = chance.below(cells.length);
      return lines
        .map((line) => [...line.split(separator), line.split(separator)[twin] ?? ""].join(separator))
        .join("\n");
    }
    case 10:
      return put(
        chance.pick([
          "x".repeat(70_000),
          '"'.repeat(999),
          '""'.repeat(300),
          `"${'"'.repeat(2)}`,
          "\u202e",
          "'a'",
          "\\",
          '\\"',
        ]),
      );
    default: {
      const wide = Array.from({ length: chance.pick([30, 2000]) }, (_, i) => `c${i}`);
      return at === 0
        ? [[...cells, ...wide].join(separator), ...lines.slice(1)].join("\n")
        : put(wide.join(separator));
    }
  }
}

/** XML: attributes, entities, parts twice, numbers in other spellings, other encodings. */
export const oddXml: Mutator = (bytes, chance) => {
  const text = bytes.toString("utf8");
  const leaves = [...text.matchAll(/<([\w-]+)>([^<]*)<\/\1>/g)];
  if (leaves.length === 0) return bytes;
  const { index, 0: whole, 1: name, 2: inner } = chance.pick(leaves);
  const leaf = (middle: string) =>
    Buffer.from(text.slice(0, index) + middle + text.slice(index + whole.length));
  switch (chance.below(11)) {
    case 0:
      return leaf(`<${name}>${chance.pick(oddNumbers)}</${name}>`);
    case 1:
      return leaf(`<${name} a="1" b='x>y'>${inner}</${name}>`);
    case 2:
      return leaf(`${whole}<${name}>${chance.pick(["3", "7", "x", ""])}</${name}>`);
    case 3:
      return leaf(
        `<${name}>${chance.pick(["&#49;", "&#x35;", "&lt;", "&amp;", "&#xD800;", "&#0;", "&x;", "&#99999999;"])}</${name}>`,
      );
    case 4:
      return leaf(`<${name}>${inner!.slice(0, 1)}<!-- - -->${inner!.slice(1)}</${name}>`);
    case 5:
      return leaf(`<${name}><![CDATA[${inner}]]></${name}>`);
    case 6:
      return leaf(
        chance.pick([
          `<${name}/>`,
          `<${name} />`,
          `<x:${name}>${inner}</x:${name}>`,
          `<${name}>\n ${inner} \n</${name}>`,
          `<?pi x?>${whole}`,
        ]),
      );
    case 7:
      return Buffer.from(text, "utf16le");
    case 8:
      return Buffer.from(
        chance.pick([
          `\ufeff${text}`,
          `<?xml version="1.0" encoding="latin1"?>${text}`,
          `${text}${text}`,
          `${text}<x>`,
          text.toUpperCase(),
        ]),
      );
    case 9:
      return Buffer.from(
        `<!DOCTYPE annotation SYSTEM "file:///etc/passwd" [<!ENTITY e SYSTEM "file:///etc/passwd">]>${text.replace(whole, `<${name}>&e;</${name}>`)}`,
      );
    default:
      return leaf(
        `<${name}>${chance.pick(["-5", "1e3", "99999999999", "0", "2.5", " 4 ", "4 4", "4px", "true"])}</${name}>`,
      );
  }
};

/** YAML: merges, tags, keys twice, numbers in other spellings, several documents. */
export const oddYaml: Mutator = (bytes, chance) => {
  const lines = bytes.toString("utf8").split("\n");
  const at = chance.below(lines.length);
  const line = lines[at]!;
  const indent = /^\s*/.exec(line)![0];
  const values = [
    ...oddNumbers,
    "yes",
    "0o17",
    "017",
    ".inf",
    ".nan",
    "2001-12-14",
    "~",
    "!!int x",
    "!!str 1",
    "!!js/function 'x'",
    "!!python/object:os.system x",
    "*a",
    "&a 1",
    "|\n  x",
    ">-",
    "'",
    '"\\ud800"',
    "\t1",
    "[1, 2",
    "{a: }",
    "12e03",
    "1:30",
  ];
  switch (chance.below(8)) {
    case 0:
    case 1:
      lines[at] = line.replace(/:.*/, `: ${chance.pick(values)}`);
      break;
    case 2:
      lines.splice(at, 0, line.replace(/:.*/, `: ${chance.pick(values)}`));
      break;
    case 3:
      lines.splice(
        at,
        0,
        `${indent}<<: ${chance.pick(["{name: other}", "[{a: 1}, {b: 2}]", "*x", "{__proto__: {epochs: 9}}"])}`,
      );
      break;
    case 4:
      lines.splice(at, 0, chance.pick(["---", "...", "%YAML 1.1", "--- !!map", "# x", "\ufeff"]));
      break;
    case 5:
      lines[at] = line.replace(/^(\s*)/, chance.pick(["\t", "$1 ", "$1    ", ""]));
      break;
    case 6:
      lines[at] = line.replace(
        /[\w-]+:/,
        chance.pick([
          "? x\n:",
          "__proto__:",
          '"name":',
          "!!str name:",
          "name :",
          "[a, b]:",
          "*a :",
          "&k name:",
        ]),
      );
      break;
    default:
      lines[at] = `${line}${chance.pick([" # x", "\0", "\u0085", "\u2028", " : :", ",", " }"])}`;
  }
  return Buffer.from(lines.join("\n"));
};
