/** What runs, sweeps and networks are kept in. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSafetensors, encodeSafetensors } from "../../../src/runs/safetensors.ts";
import { parseSweep } from "../../../src/sweeps/sweep-file.ts";
import { type FuzzedFormat, mustHold } from "../fuzzed-format.ts";
import { safetensorsHeader } from "../mutators/binary.ts";
import { jsonFile } from "../mutators/json.ts";
import { yamlFile } from "../mutators/text.ts";

const sweep = {
  name: "small",
  base: { data: { name: "colored-mnist" }, model: "mlp", epochs: 2, optimiser: { rate: 0.01 } },
  runs: [
    { label: "erm", method: "erm" },
    { label: "dro", method: "group-dro" },
  ],
  seeds: [1, 2],
};
const yaml = `name: small\nbase:\n  data: { name: colored-mnist }\n  model: mlp\n  epochs: 2\n  optimiser:\n    rate: 0.01\nruns:\n  - label: erm\n    method: erm\n  - label: dro\n    method: group-dro\nseeds: [1, 2]\n`;

function sweepFile(
  name: string,
  file: string,
  text: string,
  mutators: FuzzedFormat["mutators"],
): FuzzedFormat {
  return {
    name,
    covers: ["sweep"],
    mutators,
    seed: async (folder) => {
      writeFileSync(join(folder, file), text);
      return file;
    },
    read: (folder) => parseSweep(readFileSync(join(folder, file), "utf8"), join(folder, file)),
  };
}

const safetensors: FuzzedFormat = {
  name: "safetensors",
  covers: ["weights safetensors"],
  mutators: [safetensorsHeader],
  seed: async (folder) => {
    const tensors = new Map([
      ["weight", { shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) }],
      ["bias", { shape: [3], data: Float32Array.of(7, 8, 9) }],
    ]);
    writeFileSync(join(folder, "w.safetensors"), encodeSafetensors({ tensors, metadata: { note: "a" } }));
    return "w.safetensors";
  },
  read: async (folder, file) => {
    const { tensors } = decodeSafetensors(readFileSync(join(folder, file)), join(folder, file));
    for (const [name, { shape, data }] of tensors)
      mustHold(
        data.length === shape.reduce((product, n) => product * n, 1),
        `${data.length} numbers of ${name}`,
      );
    return [...tensors].map(([name, { shape, data }]) => [name, shape, data]);
  },
  other: async (folder, file) => floatTensors(readFileSync(join(folder, file))),
};

/** The specification in ten lines, of float32 alone. */
function floatTensors(bytes: Buffer): unknown {
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const { __metadata__: _, ...entries } = JSON.parse(bytes.toString("utf8", 8, start)) as Record<
    string,
    { dtype: string; shape: number[]; data_offsets: [number, number] }
  >;
  return Object.entries(entries).map(
    ([
      name,
      {
        dtype,
        shape,
        data_offsets: [from, to],
      },
    ]) => {
      if (dtype !== "F32") throw new Error(`numbers of type ${dtype}`);
      return [
        name,
        shape,
        new Float32Array(Uint8Array.from(bytes.subarray(start + from, start + to)).buffer),
      ];
    },
  );
}

export const runFormats: readonly FuzzedFormat[] = [
  sweepFile("sweep, YAML", "s.yaml", yaml, [yamlFile]),
  sweepFile("sweep, JSON", "s.json", JSON.stringify(sweep), [jsonFile]),
  safetensors,
];
