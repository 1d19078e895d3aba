/** Every row of the papers' tables has a way to be run here, and is told what the paper says that it is told. */

import { expect, test } from "vitest";
import { tableA2 } from "../published/eulig-2021.ts";
import { table3, table4, table5, table9, table12, table17 } from "../published/li-2023.ts";
import { table1 } from "../published/shrestha-2022.ts";
import { supervisionInWords } from "./method.ts";
import { printedNames, toldUnder } from "./printed-names.ts";

const known = new Set(printedNames.flatMap(({ name }) => name.split(", ")));
const toldOf = (name: string) =>
  supervisionInWords(toldUnder(printedNames.find((each) => each.name.split(", ").includes(name))!));

test("no row of a table of methods is missing", () => {
  const rows = [...table3, ...table4, ...table5, ...table9, ...table12].map(({ method }) => method);
  // Numbers of epochs, and settings of the last method, are settings here.
  const names = rows.map((row) => row.replace(/ \(E=\d+\)$/, "")).filter((row) => !/^w\/o? /.test(row));
  const own: Record<string, string> = { UpWt: "Up Wt", LfF: "LfF" };
  const shrestha = Object.keys(table1).map((name) => own[name] ?? name);
  expect([...new Set([...names, ...shrestha])].filter((name) => !known.has(name))).toEqual([]);
  // The others are networks, trained as usual.
  const networks = /^(RN18|RN50|RN50-IN|AlexNet|DenseNet|WRN)$/;
  expect(Object.keys(tableA2).filter((name) => !networks.test(name) && !known.has(name))).toEqual([]);
  expect(table17.length).toBeGreaterThan(0);
});

test("supervision is that of Table 2 of Li et al. 2023 and of Shrestha et al. 2022", () => {
  for (const untold of [
    "ERM",
    "Mixup",
    "CutMix",
    "Cutout",
    "AugMix",
    "SD",
    "WTM Aug",
    "ASR (RN18)",
    "Factor-VAE",
  ])
    expect(toldOf(untold), untold).toBe("none");
  for (const guessing of ["LfF", "JTT", "EIIL", "DebiAN", "LfMF"]) expect(toldOf(guessing)).toBe("none");
  for (const told of ["gDRO", "DI", "SUBG", "Up Wt", "RUBi", "LNL", "IRMv1"])
    expect(toldOf(told), told).toBe("cues on training");
  expect(toldOf("CF+F Aug")).toBe("boxes: car");
  expect(toldOf("BG Aug")).toBe("pictures: mask");
  expect(toldOf("TXT Aug")).toBe("pictures: stylised");
  expect(toldOf("LLE")).toBe("pictures: mask, co_occur_obj_mask, bg_only");
});
