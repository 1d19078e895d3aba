/** Zip archives of NumPy arrays, taken apart and put together again with right sums; our own small reader, which checks them. */

import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

interface ZipMember {
  name: string;
  bytes: Buffer;
  packed: boolean;
}

/** By the list at the end of the archive, as the format says; wrong sums and sizes throw. */
function readZip(archive: Buffer): ZipMember[] {
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

/** The list at the end and the heads of files contradict each other: sizes, names, methods, places, marks, and numbers of files. */
export const zipDirectory: Mutator = (archive, chance) => {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0 || end + 22 > archive.length) return archive;
  const changed = Buffer.from(archive);
  const heads: number[] = [];
  const start = archive.readUInt32LE(end + 16);
  for (let at = start; at + 46 <= end && archive.readUInt32LE(at) === 0x02014b50; )
    at +=
      46 +
      archive.readUInt16LE(heads[heads.push(at) - 1]! + 28) +
      archive.readUInt16LE(at + 30) +
      archive.readUInt16LE(at + 32);
  if (heads.length === 0) return archive;
  const [head, other] = [chance.pick(heads), chance.pick(heads)];
  const local = archive.readUInt32LE(head + 42);
  const field = (from: number, [at, size]: readonly [number, 2 | 4]) => {
    const value = size === 2 ? archive.readUInt16LE(from + at) : archive.readUInt32LE(from + at);
    const lie = chance.pick([
      0,
      1,
      value + 1,
      Math.max(0, value - 1),
      2 * value,
      0xffff,
      ...(size === 4 ? [0xffffffff, 0x7fffffff] : [8, 99]),
    ]);
    changed.writeUIntLE(Math.min(lie, 256 ** size - 1), from + at, size);
  };
  switch (chance.below(9)) {
    case 0: {
      const [at, size] = chance.pick([
        [8, 2],
        [10, 2],
        [16, 4],
        [20, 4],
        [24, 4],
        [28, 2],
        [30, 2],
        [32, 2],
        [42, 4],
      ] as const);
      field(head, [at, size]);
      break;
    }
    case 1:
      if (local + 30 <= end)
        field(
          local,
          chance.pick<readonly [number, 2 | 4]>([
            [6, 2],
            [8, 2],
            [14, 4],
            [18, 4],
            [22, 4],
            [26, 2],
            [28, 2],
          ] as const),
        );
      break;
    case 2:
      field(
        end,
        chance.pick<readonly [number, 2 | 4]>([
          [4, 2],
          [8, 2],
          [10, 2],
          [12, 4],
          [16, 4],
          [20, 2],
        ] as const),
      );
      break;
    case 3:
      // Two names for the same bytes.
      archive.copy(changed, head + 42, other + 42, other + 46);
      break;
    case 4:
      archive.copy(changed, head + 16, other + 16, other + 28);
      archive.copy(changed, head + 42, other + 42, other + 46);
      break;
    case 5:
      changed.write(chance.pick(["labels", "images", "../abc", "/a.npy", "a\0.npy"]), head + 46, "latin1");
      break;
    case 6:
      changed.writeUInt16LE(chance.pick([1, 8, 0x800, 0x2000, 0xffff]), head + 8);
      break;
    case 7:
      return Buffer.concat([Buffer.alloc(chance.pick([1, 30, 512]), 0x50), archive]);
    default: {
      // A second list behind the first.
      const tail = archive.subarray(start);
      return Buffer.concat([archive, tail]);
    }
  }
  return changed;
};

/** Arrays of odd numbers and odd headers, with right sums: NaN, numbers beyond 2^53, keys twice, other orders and versions. */
export const npyContents: Mutator = (archive, chance) => {
  let members: ZipMember[];
  try {
    members = readZip(archive);
  } catch {
    return archive;
  }
  if (members.length === 0) return archive;
  const at = chance.below(members.length);
  const { bytes } = members[at]!;
  if (bytes.length < 10) return archive;
  const start = 10 + bytes.readUInt16LE(8);
  const [header, data] = [bytes.toString("latin1", 10, start), Buffer.from(bytes.subarray(start))];
  const made = (text: string, numbers: Buffer = data, version = 1) => {
    const head = Buffer.from(`${text.trimEnd()}\n`, "latin1");
    const length = Buffer.alloc(version === 1 ? 2 : 4);
    length.writeUIntLE(head.length, 0, length.length);
    return Buffer.concat([
      Buffer.from(`\x93NUMPY${String.fromCharCode(version)}\0`, "latin1"),
      length,
      head,
      numbers,
    ]);
  };
  const odd = [
    "000000000000f87f",
    "000000000000f07f",
    "0000000000000080",
    "01000000000020 00".replace(" ", ""),
    "ffffffffffffffff",
    "00d8000000000000",
    "ffff100000000000",
  ];
  const next = chance.pick<() => Buffer>([
    () => made(header.replace("'descr'", "'descr': '|u1', 'descr'")),
    () => made(header.replace(/'shape'/, "'shape': (1,), 'shape'")),
    () => made(header.replace(/^\{/, "{'x': 1, ")),
    () => made(header.replaceAll("'", '"')),
    () => made(header.replace(/, *\}/, "}")),
    () => made(header.replace(/\((\d+),?/, "($1L,")),
    () => made(header.replace(/'descr': '[^']*'/, "'descr': [('a', '<i4')]")),
    () => made(header.replace(/'descr': '<([^']*)'/, "'descr': '>$1'")),
    () => made(header, data, chance.pick([2, 3, 4, 0])),
    () => made(`${header.trimEnd()} # x`),
    () => made(header.replace("False", "(False)")),
    () => {
      Buffer.from(chance.pick(odd), "hex").copy(
        data,
        8 * chance.below(Math.max(1, Math.floor(data.length / 8))),
      );
      return made(header);
    },
    () => {
      Buffer.from(chance.pick(odd), "hex").copy(
        data,
        8 * chance.below(Math.max(1, Math.floor(data.length / 8))),
      );
      return made(header.replace(/'<i8'/, chance.pick(["'<f8'", "'<u8'", "'<M8[s]'", "'<c8'"])));
    },
  ])();
  members[at] = { ...members[at]!, bytes: next };
  if (chance.happens(0.15)) members.push({ ...chance.pick(members), name: members[at]!.name });
  return writeZip(members);
};
