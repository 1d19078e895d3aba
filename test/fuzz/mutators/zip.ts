/** Zip archives of NumPy arrays, taken apart and put together again with right sums; our own small reader, which checks them. */

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

export interface ZipMember {
  name: string;
  bytes: Buffer;
  packed: boolean;
}

/** By the list at the end of the archive, as the format says; of wrong sums and sizes `unsound` hears, or they throw. */
export function readZip(archive: Buffer, unsound?: (name: string) => void): ZipMember[] {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0) throw new Error("no end of the list");
  const members: ZipMember[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let i = archive.readUInt16LE(end + 10); i > 0; i--) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error("no entry of the list");
    const [method, sum, packedSize, size] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 16),
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 24),
    ];
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const bytes = memberAt(archive, local, packedSize, method !== 0);
    if (bytes?.length === size && crc32(bytes) === sum) members.push({ name, bytes, packed: method !== 0 });
    else if (unsound) unsound(name);
    else throw new Error(`${name}: other bytes than its sum says`);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return members;
}

function memberAt(archive: Buffer, at: number, size: number, packed: boolean): Buffer | undefined {
  try {
    const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
    const stored = archive.subarray(start, start + size);
    return packed ? inflateRawSync(stored) : stored;
  } catch {
    return undefined;
  }
}

export function writeZip(members: readonly ZipMember[]): Buffer {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, bytes, packed } of members) {
    const label = Buffer.from(name);
    const stored = packed ? deflateRawSync(bytes) : bytes;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(packed ? 8 : 0, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(stored.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(label.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    list.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, label);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), fields, label, stored);
    offset += 30 + label.length + stored.length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

const dtypes = [
  "|u1",
  "<i8",
  "<i4",
  "<f8",
  "<f4",
  "|b1",
  "<U0",
  "<U1",
  "<U3",
  ">i8",
  "|O",
  "constructor",
  "__proto__",
  "|S3",
  "<i3",
  "<U99999999999",
];
const lengths = [
  "0",
  "1",
  "2",
  "10",
  "-1",
  "2.5",
  "1e9",
  "1000000000",
  "99999999999999999999",
  "0x5",
  "",
  "None",
  "8",
];

/** The header or the length of one array is another. */
export const npzArrays: Mutator = (archive, chance) => {
  let members: ZipMember[];
  try {
    members = readZip(archive);
  } catch {
    return archive;
  }
  if (members.length === 0) return archive;
  const at = chance.below(members.length);
  const member = members[at]!;
  const kind = chance.below(10);
  if (kind === 0) members.splice(at, 1);
  else if (kind === 1) members.splice(at, 0, member);
  else if (kind === 2)
    members[at] = {
      ...member,
      name: chance.pick(["__proto__.npy", ".npy", "a/../b.npy", "labels.npy", "x.txt"]),
    };
  else if (kind === 3) members[at] = { ...member, packed: !member.packed };
  else members[at] = { ...member, bytes: changedNpy(member.bytes, chance) };
  return writeZip(members);
};

function changedNpy(bytes: Buffer, chance: Chance): Buffer {
  if (bytes.length < 10) return bytes;
  const headerEnd = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString("latin1", 10, headerEnd);
  const data = bytes.subarray(headerEnd);
  const withHeader = (text: string, numbers = data) => {
    const padded = `${text.trimEnd().padEnd(headerEnd - 11)}\n`;
    const start = Buffer.from(bytes.subarray(0, 10));
    start.writeUInt16LE(Math.min(0xffff, padded.length), 8);
    return Buffer.concat([start, Buffer.from(padded, "latin1"), numbers]);
  };
  switch (chance.below(8)) {
    case 0:
      return withHeader(header.replace(/'descr': '[^']*'/, `'descr': '${chance.pick(dtypes)}'`));
    case 1: {
      const sizes = Array.from({ length: chance.below(5) }, () => chance.pick(lengths));
      return withHeader(header.replace(/\([^)]*\)/, `(${sizes.join(", ")},)`));
    }
    case 2:
      return withHeader(
        header.replace(/\((\d+)/, (_, first: string) => `(${Number(first) + chance.pick([1, -1, 10])}`),
      );
    case 3:
      return withHeader(header.replace("False", chance.pick(["True", "None", "0"])));
    case 4:
      return withHeader(header, data.subarray(0, chance.below(data.length + 1)));
    case 5:
      return withHeader(header, Buffer.concat([data, data.subarray(0, 1 + chance.below(9))]));
    case 6: {
      const changed = Buffer.from(bytes);
      changed.writeUInt16LE(chance.pick([0, 1, 0xffff, headerEnd]), 8);
      if (chance.happens(0.5)) changed[6] = chance.pick([0, 2, 3, 255]);
      return changed;
    }
    default: {
      const numbers = Buffer.from(data);
      if (numbers.length > 0) numbers.fill(chance.pick([0xff, 0x80, 0x7f]), chance.below(numbers.length));
      return withHeader(header, numbers);
    }
  }
}
