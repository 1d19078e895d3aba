/** Tar archives taken apart and put together again with right header sums. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";
import { mutateJson } from "./json.ts";

interface TarMember {
  header: Buffer;
  body: Buffer;
}

function members(archive: Buffer): TarMember[] {
  const found: TarMember[] = [];
  for (let at = 0; at + 512 <= archive.length; ) {
    const header = archive.subarray(at, at + 512);
    if (header.every((byte) => byte === 0)) return found;
    const size = Number.parseInt(textOf(header, 124, 12).trim() || "0", 8);
    const isWhole = size >= 0 && at + 512 + size <= archive.length;
    if (!isWhole) return found;
    found.push({ header, body: archive.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

function textOf(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? length : end);
}

function sumOf(header: Buffer): number {
  let sum = 256;
  for (let i = 0; i < 512; i++) if (i < 148 || i > 155) sum += header[i]!;
  return sum;
}

function written(list: readonly TarMember[]): Buffer {
  const parts = list.flatMap(({ header, body }) => {
    const summed = Buffer.from(header);
    summed.write(`${sumOf(summed).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    return [summed, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

const sizes = [
  "-1000",
  "zzzz",
  "",
  "77777777777",
  "00000000001",
  "-1",
  "1e3",
  "8",
  "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
  "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
];
const names = [
  "a",
  "",
  ".png",
  "a.json",
  "a.b.c.png",
  "../x.png",
  "/x.png",
  "__proto__.png",
  "x.cls",
  "é.png",
  "a/",
];

/** One header, or one text within, is another; sums are right again. */
export const tarHeaders: Mutator = (archive, chance) => {
  const list = members(archive);
  if (list.length === 0) return archive;
  const at = chance.below(list.length);
  const { header: old, body } = list[at]!;
  const header = Buffer.from(old);
  const put = (text: string, start: number, length: number) => {
    header.fill(0, start, start + length);
    header.write(text.slice(0, length), start, "latin1");
  };
  switch (chance.below(9)) {
    case 0:
      put(chance.pick(sizes), 124, 12);
      list[at] = { header, body };
      break;
    case 1:
      put(chance.pick(names), 0, 100);
      list[at] = { header, body };
      break;
    case 2:
      header[156] = chance.pick([0, 48, 49, 50, 51, 53, 54, 76, 120, 103, 83]);
      list[at] = { header, body };
      break;
    case 3:
      list.splice(at, 1);
      break;
    case 4:
      list.splice(at, 0, chance.pick(list));
      break;
    case 5:
      list.splice(at, 0, pax(chance, old));
      break;
    case 6: {
      put(chance.pick(["", "ustar", "xxxxx"]), 257, 6);
      put(chance.pick(["", "a/b", "\x01"]), 345, 155);
      list[at] = { header, body };
      break;
    }
    default: {
      const json = list.findIndex((member, i) => i >= at && textOf(member.header, 0, 100).endsWith(".json"));
      const place = json < 0 ? at : json;
      const changed = Buffer.from(
        json < 0
          ? chance.pick(["", "null", "x", "\0", "99999999999999999999", "-1", "NaN"])
          : mutateJson(list[place]!.body.toString("utf8"), chance),
      );
      const resized = Buffer.from(list[place]!.header);
      resized.write(`${changed.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
      list[place] = { header: resized, body: changed };
    }
  }
  return written(list);
};

function pax(chance: Chance, like: Buffer): TarMember {
  const record = chance.pick([
    "size=-5",
    "size=1e99",
    "size=x",
    "size=3",
    "path=",
    "path=\0",
    `path=${"a".repeat(300)}.png`,
    "size=99999999999",
  ]);
  const declared = chance.pick([record.length + 4, 0, -1, 999]);
  const body = Buffer.from(`${declared} ${record}\n`);
  const header = Buffer.from(like);
  header[156] = 120;
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  return { header, body };
}

const records: readonly (readonly [string, string])[] = [
  ["path", "s1.png"],
  ["path", "s9.cls"],
  ["path", "a\u0000b.png"],
  ["path", "s0.PNG"],
  ["path", "./s0.png"],
  ["size", "1"],
  ["size", "0"],
  ["size", " 5"],
  ["size", "0x10"],
  ["GNU.sparse.name", "s0.png"],
  ["GNU.sparse.size", "9"],
  ["hdrcharset", "BINARY"],
  ["linkpath", "/etc/passwd"],
  ["mtime", "x"],
];

/** What stands before a file and says more of it: records of pax, for one file or all, and long names; sizes in base 256; files twice. */
export const tarRecords: Mutator = (archive, chance) => {
  const list = members(archive);
  if (list.length === 0) return archive;
  const at = chance.below(list.length);
  const { header: old, body } = list[at]!;
  const before = (type: string, content: Buffer): TarMember => {
    const header = Buffer.from(old);
    header.write(type, 156, "latin1");
    header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    return { header, body: content };
  };
  const kind = chance.below(8);
  if (kind <= 1) {
    const [key, value] = chance.pick(records);
    list.splice(at, 0, before(kind === 0 ? "x" : "g", Buffer.from(paxRecord(key, value))));
  } else if (kind === 2) {
    const name = chance.pick(["s0.png", "s7.cls", "x".repeat(200), "a\0b", "", "\xff.png"]);
    list.splice(at, 0, before(chance.pick(["L", "L", "K"]), Buffer.from(`${name}\0`, "latin1")));
  } else if (kind === 3) {
    const header = Buffer.from(old);
    header.fill(0, 124, 136);
    header[124] = chance.pick([0x80, 0x81, 0xff, 0xc0]);
    header[chance.pick([125, 127, 128, 135])] = chance.pick([0, 1]);
    header.writeUInt32BE(Math.max(0, body.length + chance.pick([0, 1, -1])), 132);
    list[at] = { header, body };
  } else if (kind === 4) list.splice(at + 1, 0, { header: old, body: chance.pick(list).body });
  else if (kind === 5) list.splice(chance.below(list.length), 0, ...list.splice(at, 1));
  else if (kind === 6) {
    const header = Buffer.from(old);
    header.write(chance.pick(["0", "7", "S", "1", "2", "5", "V", "M", "A", "D"]), 156, "latin1");
    list[at] = { header, body };
  } else {
    const header = Buffer.from(old);
    const name = textOf(old, 0, 100);
    header.fill(0, 0, 100);
    header.write(
      chance.pick([
        name.toUpperCase(),
        `./${name}`,
        name.replace(".", ".."),
        `${name}.x`,
        name.replace("s", "s.a"),
        `d/${name}`,
        `.${name}`,
      ]),
      0,
      "utf8",
    );
    list[at] = { header, body };
  }
  return written(list);
};

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest) + 1;
  if (String(length).length + Buffer.byteLength(rest) !== length) length++;
  return `${length}${rest}`;
}
