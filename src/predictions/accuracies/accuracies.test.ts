/** Tables of accuracies: what each kind of file holds. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, describe, expect, test } from "vitest";
import { decimal } from "../../tables/decimal.ts";
import { openAccuracies } from "./open-accuracies.ts";
import { pythonLiteral } from "./python-literal.ts";

const folder = mkdtempSync(join(tmpdir(), "cuelab-accuracies-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("decimals from bytes are the doubles that JavaScript reads", () => {
  const check = (text: string) => {
    const value = decimal(Buffer.from(text), 0, Buffer.byteLength(text));
    if (!Number.isNaN(value)) expect(value).toBe(Number(text));
    return value;
  };
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => void check(String(value))),
  );
  const ordinary = fc.tuple(fc.integer({ min: -99, max: 99 }), fc.stringMatching(/^\d{1,14}$/));
  fc.assert(
    fc.property(ordinary, ([whole, digits]) => {
      expect(check(`${whole}.${digits}`)).not.toBeNaN();
    }),
  );
  for (const text of [
    "",
    "-",
    ".",
    "1e",
    "e5",
    "1-2",
    "0x10",
    "1_0",
    "nan",
    "1e999",
    "12345678901234567890",
  ]) {
    expect(check(text), text).toBeNaN();
  }
  expect(check("6.738998584810297e-05")).toBe(6.738998584810297e-5);
});

test("literals of Python and JSON", () => {
  expect(pythonLiteral("{'model_arch': 'resnet50', 'transfer': False, 'lr': 1e-4, 'n': None,}")).toEqual({
    model_arch: "resnet50",
    transfer: false,
    lr: 1e-4,
    n: null,
  });
  expect(pythonLiteral("[1, (2, -.5), [], \"it's\", 'a\\'b']")).toEqual([1, [2, -0.5], [], "it's", "a'b"]);
  expect(pythonLiteral('{"a": {"b": [true, null]}}')).toEqual({ a: { b: [true, null] } });
  for (const text of ["", "{", "{'a'}", "resnet", "{'a': <class>}", "1 2", "'open"]) {
    expect(pythonLiteral(text), text).toBeUndefined();
  }
});

describe("files", () => {
  const read = async (paths: string[], numbers: string[], texts: string[] = [], options = {}) => {
    const table = await openAccuracies(paths, options);
    const found = await table.read({ numbers, texts });
    return {
      table,
      rows: found.rows,
      numbers: numbers.map((name) => [...found.numbers.get(name)!]),
      texts: texts.map((name) => {
        const { codes, values } = found.texts.get(name)!;
        return [...codes].map((code) => values[code]);
      }),
    };
  };

  test("keys of dict-like cells are columns", async () => {
    const path = file(
      "dict.csv",
      `x,hparams\n0.5,"{'arch': 'a', 'lr': 0.1}"\n,"{'arch': 'b', 'lr': 2}"\nnan,"{'lr': 0.1, 'arch': 'a'}"\n`,
    );
    const { numbers, texts } = await read([path], ["x", "hparams.lr"], ["hparams.arch"]);
    expect(numbers).toEqual([
      [0.5, Number.NaN, Number.NaN],
      [0.1, 2, 0.1],
    ]);
    expect(texts).toEqual([["a", "b", "a"]]);
  });

  test("DomainBed's lines, with keys of their own, and folders of them", async () => {
    const line = (test: number, extra = "") =>
      `{"env0_out_acc": 0.5, "env1_out_acc": NaN, "args": {"dataset": "PACS", "test_envs": [${test}]}, "hparams": {"lr": 5e-05}${extra}}`;
    file("sweep/a/results.jsonl", `${line(0)}\n${line(1, ', "step": 5')}\n`);
    file("sweep/b/results.jsonl", `${line(1)}\n`);
    file("sweep/b/out.txt", "nothing");
    const { numbers, texts, table } = await read(
      [join(folder, "sweep")],
      ["env0_out_acc", "env1_out_acc", "hparams.lr"],
      ["args.test_envs", "file"],
    );
    expect(numbers[0]).toEqual([0.5, 0.5, 0.5]);
    expect(numbers[1]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(texts[0]).toEqual(["[0]", "[1]", "[1]"]);
    expect(new Set(texts[1]).size).toBe(2);
    expect(table.remarks).toEqual(["columns that not all files have are left out: step"]);
  });

  test("Parquet", async () => {
    const path = join(folder, "t.parquet");
    parquetWriteFile({
      filename: path,
      columnData: [
        { name: "id", data: [0.25, null, 0.75], type: "DOUBLE" },
        { name: "step", data: [1, 2, 3], type: "INT32" },
        { name: "arch", data: ["a", "b", "a"], type: "STRING" },
      ],
    });
    const { numbers, texts } = await read([path], ["id", "step"], ["arch"]);
    expect(numbers).toEqual([
      [0.25, Number.NaN, 0.75],
      [1, 2, 3],
    ]);
    expect(texts).toEqual([["a", "b", "a"]]);
  });

  test("WILDS' logs are joined by run and epoch", async () => {
    for (const run of ["0", "1"]) {
      file(`logs/${run}/id_val_eval.csv`, `epoch,acc_avg\n0,0.${run}1\n1,0.${run}2\n`);
      file(`logs/${run}/test_eval.csv`, `epoch,acc_avg\n1,0.${run}4\n`);
    }
    const { numbers, texts } = await read(
      [join(folder, "logs")],
      ["id_val.acc_avg", "test.acc_avg"],
      ["epoch"],
    );
    expect(numbers[0]).toEqual([0.01, 0.02, 0.11, 0.12]);
    expect(numbers[1]).toEqual([Number.NaN, 0.04, Number.NaN, 0.14]);
    expect(texts[0]).toEqual(["0", "1", "0", "1"]);
  });

  test("WILDS' predictions become accuracies with the labels", async () => {
    const labels = file("labels.csv", "id,split,y\n0,val,0\n1,val,1\n2,test,1\n3,test,1\n4,test,0\n");
    const name = (split: string, seed: number) => `preds/toy_split:${split}_seed:${seed}_epoch:best_pred.csv`;
    file(name("val", 0), "0\n1\n");
    file(name("test", 0), "1\n0\n0\n");
    file(name("val", 1), "0\n0\n");
    file(name("test", 1), "1\n1\n0\n");
    const { numbers, texts } = await read([join(folder, "preds")], ["val", "test"], ["seed"], { labels });
    expect(
      Object.fromEntries(texts[0]!.map((seed, i) => [seed, numbers.map((column) => column[i])])),
    ).toEqual({
      0: [1, 2 / 3],
      1: [0.5, 1],
    });
    await expect(openAccuracies([join(folder, "preds")])).rejects.toThrow(/--labels/);
  });

  test("what is wrong is said with its place", async () => {
    const bad = file("bad.csv", "a,b\n0.5,x\n");
    await expect(read([bad], ["b"])).rejects.toThrow(/no number.*line 2, column b.*"x"/s);
    const short = file("short.csv", "a,b\n0.5,1\n0.5\n");
    await expect(read([short], ["a"])).rejects.toThrow(/line 3.*2 values.*1 values/s);
    const open = file("open.csv", 'a,b\n0.5,"x\n');
    await expect(read([open], ["a"])).rejects.toThrow(/quote/i);
    const json = file("bad.jsonl", '{"a": 1}\n[2]\n');
    await expect(openAccuracies([json])).rejects.toThrow(/line 2/);
    const python = file("python.csv", "a,h\n1,{'x': <class>}\n");
    await expect(read([python], ["a"], ["h.x"])).rejects.toThrow(/no mapping.*<class>/s);
    await expect(openAccuracies([join(folder, "none.csv")])).rejects.toThrow(/no such table/);
    await expect(openAccuracies([file("x.doc", "")])).rejects.toThrow(/unknown kind/);
    // The rest of the table is not wrong where nobody looks.
    expect((await read([bad], ["a"])).numbers).toEqual([[0.5]]);
  });
});

test("a pool's folder is read once, not in every format and part", async () => {
  const table = "val,shifted\n0.9,0.5\n0.8,0.6\n";
  file("pool/pool.json", "{}");
  file("pool/parts/train-0.csv", table);
  file("pool/copy.csv", table);
  file("pool/accuracies.csv", table);
  const opened = await openAccuracies([join(folder, "pool")]);
  const { rows } = await opened.read({ numbers: ["val", "shifted"], texts: [] });
  expect(rows).toBe(2);
});
