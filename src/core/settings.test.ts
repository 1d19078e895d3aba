import { expect, test } from "vitest";
import { z } from "zod";
import { expectError } from "../../test/helpers/errors.ts";
import { CuelabError } from "./errors.ts";
import { allOrEach, describeSettings, parseAssignments, resolveSettings } from "./settings.ts";

const schema = z.object({
  rate: z.number().min(0).max(1).default(0.5).describe("how often"),
  rates: z.array(z.number()).default([1, 2]),
  names: z.array(z.string()).optional(),
  size: z.union([z.literal(28), z.literal(14)]).default(28),
  on: z.boolean().default(false),
  kind: z.enum(["a", "b"]).default("a"),
  text: z.string().default("x"),
  count: z.object({ train: z.number().int().default(1), val: z.number().int().default(2) }).prefault({}),
});

test("values are read by the type of their key", () => {
  const assignments = [
    "rate=0.25",
    "rates=0.1, 0.2,3e-1",
    "names=p,q",
    "size=14",
    "on=true",
    "kind=b",
    "text=a=b",
    "count.val=7",
  ];
  expect(resolveSettings(schema, parseAssignments(schema, assignments))).toEqual({
    rate: 0.25,
    rates: [0.1, 0.2, 0.3],
    names: ["p", "q"],
    size: 14,
    on: true,
    kind: "b",
    text: "a=b",
    count: { train: 1, val: 7 },
  });
});

test("without assignments the defaults hold, and later assignments win", () => {
  expect(resolveSettings(schema, {}).rates).toEqual([1, 2]);
  expect(parseAssignments(schema, ["rate=0.1", "rate=0.2"])).toEqual({ rate: 0.2 });
});

test.each([
  ["rat=1", /unknown setting "rat"[\s\S]*did you mean "rate"/],
  ["count.vel=1", /unknown setting "count.vel"[\s\S]*did you mean "count.val"/],
  ["rate", /key=value/],
  ["=3", /key=value/],
  ["rate=high", /expected: number from 0 to 1/],
  ["rate=", /expected: number from 0 to 1/],
  ["rate=NaN", /expected: number from 0 to 1/],
  ["rate=Infinity", /expected: number from 0 to 1/],
  ["rates=1,x", /expected: list of: number/],
  ["size=20", /expected: 28 or 14/],
  ["on=yes", /expected: true or false/],
  ["kind=c", /expected: one of: a, b/],
])("%s is refused with the right words", (assignment, message) => {
  expect(() => parseAssignments(schema, [assignment])).toThrow(message);
});

test("values outside the schema name the setting, the range and the value", () => {
  expect(() => resolveSettings(schema, { rate: 2 })).toThrow(
    /setting "rate" cannot be 2[\s\S]*number from 0 to 1/,
  );
  expect(() => resolveSettings(schema, { count: { train: 0.5 } })).toThrow(/setting "count.train"/);
  expect(() => resolveSettings(schema, { size: 20 })).toThrow(/"size" cannot be 20\n {2}expected: 28 or 14$/);
  expect(() => resolveSettings(schema, { nonsense: 1 })).toThrow(/unknown setting "nonsense"/);
  const failure = (() => {
    try {
      resolveSettings(schema, { rate: 2 });
    } catch (cause) {
      return cause;
    }
    return undefined;
  })();
  expect(failure).toBeInstanceOf(CuelabError);
  expect((failure as CuelabError).kind).toBe("usage");
});

test("what is wrong is said in our words, and only once", () => {
  const listed = z.object({
    without: z.array(z.enum(["colour", "border"])).default([]),
    few: z.array(z.number()).max(2).default([]),
    name: z.string(),
  });
  const wrong = (given: object) => () => resolveSettings(listed, { name: "a", ...given });
  expect(wrong({ without: ["files"] })).toThrow(
    /"without.0" cannot be "files"\n {2}expected: one of: colour, border$/,
  );
  expect(wrong({ name: 3 })).toThrow(/"name" cannot be 3\n {2}expected: text$/);
  expect(() => resolveSettings(listed, {})).toThrow(/"name" must be given\n {2}expected: text$/);
  expect(() => resolveSettings(schema, { rate: 2 })).toThrow(
    /cannot be 2\n {2}expected: number from 0 to 1$/,
  );
  // How long a list may be, only the schema says.
  expect(wrong({ few: [1, 2, 3] })).toThrow(/got: Too big/);
});

test("descriptions list every key with type, default and meaning", () => {
  const described = describeSettings(schema);
  expect(described.map(({ key }) => key)).toEqual([
    "rate",
    "rates",
    "names",
    "size",
    "on",
    "kind",
    "text",
    "count.train",
    "count.val",
  ]);
  expect(described[0]).toEqual({
    key: "rate",
    type: "number from 0 to 1",
    default: 0.5,
    description: "how often",
  });
  expect(described[7]!.type).toBe("whole number");
});

test("a setting without a default must be given, and the error says what it is", () => {
  const needy = z.object({
    folder: z.string().describe("your copy"),
    size: z.number().default(1).describe("size"),
  });
  expect(describeSettings(needy).map(({ required }) => required)).toEqual([true, undefined]);
  const missing = () => resolveSettings(needy, { size: 2 });
  expectError(missing, "usage", 'setting "folder" must be given', "text: your copy");
  // Given but wrong is another matter.
  expectError(() => resolveSettings(needy, { folder: 3 }), "usage", 'setting "folder" cannot be 3');
});

const chance = z.number().min(0).max(1);
const several = z.object({
  p: allOrEach(["color", "shape", "place"], chance, 0.7).describe("how often"),
  other: z.number().default(1).describe("something else"),
});
const resolved = (...assignments: string[]) =>
  resolveSettings(several, parseAssignments(several, assignments)).p;

test("one number for all names, for one of them, or for all with exceptions in any order", () => {
  expect(resolved()).toEqual({ color: 0.7, shape: 0.7, place: 0.7 });
  expect(resolved("p=0.5")).toEqual({ color: 0.5, shape: 0.5, place: 0.5 });
  expect(resolved("p.shape=0.9")).toEqual({ color: 0.7, shape: 0.9, place: 0.7 });
  const mixed = { color: 0.5, shape: 0.9, place: 0 };
  expect(resolved("p=0.5", "p.shape=0.9", "p.place=0")).toEqual(mixed);
  expect(resolved("p.shape=0.9", "p.place=0", "p=0.5")).toEqual(mixed);
  expect(resolved("p.shape=0.1", "p=0.2", "p.shape=0.9", "p=0.5", "p.place=0")).toEqual(mixed);
});

test("settings by name survive being resolved twice, and other settings stay apart", () => {
  const once = resolveSettings(several, parseAssignments(several, ["other=3", "p.color=0.1"]));
  expect(resolveSettings(several, once)).toEqual(once);
  expect(once.other).toBe(3);
});

test.each([
  ["p=2", /setting "p" cannot be 2[\s\S]*number from 0 to 1, for all or by name/],
  ["p.color=2", /setting "p.color" cannot be 2[\s\S]*number from 0 to 1/],
  ["p=high", /expected: number from 0 to 1, for all or by name/],
  [
    "p.colour=0.5",
    /unknown setting "p.colour"\s*expected: one of: p.color, p.shape, p.place[\s\S]*mean "p.color"/,
  ],
  ["q.color=0.5", /unknown setting "q.color"\s*expected: one of: p, other\n/],
])("%s is refused in the words of a setting for several names", (assignment, message) => {
  expect(() => resolved(assignment)).toThrow(message);
});

test("an unknown name is refused where settings come as an object", () => {
  expect(() => resolveSettings(several, { p: { colour: 0.5 } })).toThrow(/unknown setting "p.colour"/);
});

test("a setting for several names is described once, with its names", () => {
  expect(describeSettings(several)).toEqual([
    {
      key: "p",
      type: "number from 0 to 1, for all or by name",
      default: 0.7,
      description: "how often",
      names: ["color", "shape", "place"],
    },
    { key: "other", type: "number", default: 1, description: "something else" },
  ]);
});
