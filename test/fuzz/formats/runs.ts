/** What runs, sweeps and networks are kept in. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeModel } from "../../../src/engine/onnx/protobuf.ts";
import { OnnxModel } from "../../../src/engine/onnx-model.ts";
import { decodeSafetensors, encodeSafetensors } from "../../../src/runs/safetensors.ts";
import { parseSweep } from "../../../src/sweeps/sweep-file.ts";
import { type FuzzedFormat, mustHold } from "../fuzzed-format.ts";
import { safetensorsHeader } from "../mutators/binary.ts";
import { jsonFile } from "../mutators/json.ts";
import { oddYaml } from "../mutators/odd-text.ts";
import { protobufFields } from "../mutators/protobuf.ts";
import { yamlFile } from "../mutators/text.ts";
import { jsonWords } from "../mutators/tokens.ts";
import { refereeReads } from "../others/referee.ts";

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
    return [...tensors]
      .map(([name, { shape, data }]) => [name, shape, data] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  },
  other: (folder, file) => refereeReads("safetensors", join(folder, file)),
};

/** A network of one matrix, as people bring them. */
const onnx: FuzzedFormat = {
  name: "ONNX",
  covers: ["network onnx", "asked onnx-file"],
  mutators: [protobufFields, protobufFields],
  seed: async (folder) => {
    writeFileSync(join(folder, "m.onnx"), smallNetwork());
    return "m.onnx";
  },
  read: async (folder, file) => {
    const model = await OnnxModel.open(join(folder, file), { output: "logits" });
    try {
      const found = await model.run(
        Float32Array.from({ length: 6 }, (_, i) => i),
        [2, 3],
      );
      return found;
    } finally {
      await model.close();
    }
  },
};

function smallNetwork(): Uint8Array {
  const weight = { name: "w", type: "float" as const, shape: [3, 2], data: [1, 2, 3, 4, 5, 6] };
  return encodeModel({
    nodes: [
      { operator: "MatMul", inputs: ["x", "w"], outputs: ["m"], attributes: {}, domain: "" },
      { operator: "Transpose", inputs: ["m"], outputs: ["t"], attributes: { perm: [1, 0] }, domain: "" },
      { operator: "Transpose", inputs: ["t"], outputs: ["logits"], attributes: { perm: [1, 0] }, domain: "" },
    ],
    initializers: [weight],
    inputs: [{ name: "x", type: "float", shape: ["batch", 3] }],
    outputs: [{ name: "logits", type: "float", shape: ["batch", 2] }],
    opsets: { "": 18 },
  });
}

export const runFormats: readonly FuzzedFormat[] = [
  sweepFile("sweep, YAML", "s.yaml", yaml, [yamlFile, oddYaml]),
  sweepFile("sweep, JSON", "s.json", JSON.stringify(sweep), [jsonFile, jsonWords]),
  safetensors,
  onnx,
];
