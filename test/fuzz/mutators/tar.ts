/** Tar archives taken apart and put together again with right header sums, and our own small reader of them. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";
import { mutateJson } from "./json.ts";

interface TarMember {
  header: Buffer;
  body: Buffer;
}

/** With what pax headers say of the next file's name and size. */
export function readTar(archive: Buffer): { name: string; body: Buffer }[] {
  const files: { name: string; body: Buffer }[] = [];
  let said = new Map<string, string>();
  for (let at = 0; ; ) {
    const header = archive.subarray(at, at + 512);
    if (header.length < 512) throw new Error("no end");
    if (header.every((byte) => byte === 0)) return files;
    if (sumOf(header) !== Number.parseInt(textOf(header, 148, 8).trim(), 8))
      throw new Error("a damaged header");
    const size = Number(said.get("size") ?? Number.parseInt(textOf(header, 124, 12).trim() || "0", 8));
    const body = archive.subarray(at + 512, at + 512 + size);
    if (!(size >= 0) || body.length !== size) throw new Error("a damaged size");
    const kind = String.fromCharCode(header[156]!);
    if (kind === "x") said = paxOf(body);
    else if (kind === "L") said.set("path", textOf(body, 0, size));
    else {
      const prefix = textOf(header, 257, 5) === "ustar" ? textOf(header, 345, 155) : "";
      const name = said.get("path") ?? (prefix === "" ? "" : `${prefix}/`) + textOf(header, 0, 100);
      if (kind === "0" || kind === "\0") files.push({ name, body });
      said = new Map();
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

function paxOf(body: Buffer): Map<string, string> {
  const said = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const [whole, digits] = /^(\d+) /.exec(body.toString("latin1", at)) ?? [];
    if (whole === undefined || Number(digits) === 0) break;
    const record = body.toString("utf8", at + whole.length, at + Number(digits) - 1);
    said.set(record.slice(0, record.indexOf("=")), record.slice(record.indexOf("=") + 1));
    at += Number(digits);
  }
  return said;
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
