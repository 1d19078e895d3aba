import { expect, test } from "vitest";
import { decodeSafetensors, encodeSafetensors } from "./safetensors.ts";

const file = {
  tensors: new Map([
    ["weight", { shape: [2, 2], data: Float32Array.of(1, -2.5, 3e-8, Number.NaN) }],
    ["bias", { shape: [1], data: Float32Array.of(7) }],
  ]),
  metadata: { note: "größe" },
};

test("tensors and texts come back, bit for bit", () => {
  const { tensors, metadata } = decodeSafetensors(encodeSafetensors(file), "test");
  expect(metadata).toEqual(file.metadata);
  expect([...tensors.keys()]).toEqual(["weight", "bias"]);
  expect(new Uint32Array(tensors.get("weight")!.data.buffer)).toEqual(
    new Uint32Array(file.tensors.get("weight")!.data.buffer),
  );
});

test("the layout is that of the specification: length, JSON, aligned numbers", () => {
  const bytes = Buffer.from(encodeSafetensors(file));
  const length = Number(bytes.readBigUInt64LE(0));
  expect(length % 8).toBe(0);
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length)) as Record<string, unknown>;
  expect(header.bias).toEqual({ dtype: "F32", shape: [1], data_offsets: [16, 20] });
  expect(bytes.readFloatLE(8 + length + 16)).toBe(7);
  expect(bytes.length).toBe(8 + length + 20);
});

test("every truncation is noticed", () => {
  const bytes = encodeSafetensors(file);
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeSafetensors(bytes.subarray(0, length), "test"), `${length}`).toThrow(
      /not a usable safetensors file/,
    );
  }
});
