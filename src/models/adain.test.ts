/** AdaIN against PyTorch (test/references/torch_adain.py), and files that are none of its weights. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { Executable } from "../engine/executable.ts";
import { adain } from "./adain.ts";
import type { WeightTensors } from "./weights/take-weights.ts";

const file = new URL("../../test/references/torch_adain.json", import.meta.url);
const { widths, mirrored, cases } = JSON.parse(readFileSync(file, "utf8")).reference as {
  widths: number[];
  mirrored: number[];
  cases: { first: boolean; strength: number; image: number[] }[];
};

const values = (count: number, salt: number, scale: number) =>
  Float32Array.from(hashUniform(count, salt), (value) => (value - 0.5) * scale);

/** Layers under such names as nn.Sequential gives, in an order that is not theirs. */
function weights(channels: readonly number[], salt: number, first: boolean): WeightTensors {
  const tensors = new Map<string, { shape: number[]; data: Float32Array }>();
  const put = (name: string, shape: number[], from: number) => {
    const count = shape.reduce((product, length) => product * length, 1);
    tensors.set(`${name}.weight`, { shape, data: values(count, from, 1.2) });
    tensors.set(`${name}.bias`, { shape: [shape[0]!], data: values(shape[0]!, from + 500, 0.4) });
  };
  for (let at = 8; at >= 0; at--)
    put(String(2 * at + 2), [channels[at + 1]!, channels[at]!, 3, 3], salt + at);
  if (first) put("0", [3, 3, 1, 1], 90);
  return tensors;
}

const bytes = (salt: number) =>
  Uint8Array.from(hashUniform(16 * 24 * 3, salt), (value) => Math.floor(256 * value));

test.each(cases)(
  "as PyTorch has it: first 1 × 1 $first, strength $strength",
  async ({ first, strength, image }) => {
    const given = { encoder: weights(widths, 100, first), decoder: weights(mirrored, 200, false) };
    const program = await Executable.compile({
      outputs: { image: adain(given, { height: 16, width: 24, strength }) },
    });
    const made = (await program.run({ content: bytes(1), style: bytes(2) })).image!;
    await program.close();
    // Single precision through eighteen layers, divided by deviations that may be small; double in the reference.
    const largest = Math.max(...image.map(Math.abs));
    expect(made).toHaveLength(image.length);
    expect(Math.max(...image.map((value, i) => Math.abs(value - made[i]!))) / largest).toBeLessThan(1e-4);
  },
);

test("files that are none of its weights are refused by what they have", () => {
  const [encoder, decoder] = [weights(widths, 100, true), weights(mirrored, 200, false)];
  const shape = { height: 16, width: 24, strength: 1 };
  const short = new Map([...decoder].slice(2));
  expect(() => adain({ encoder, decoder: short }, shape)).toThrow(/no weights of AdaIN's decoder/);
  const wrong = new Map(encoder).set("4.weight", encoder.get("6.weight")!);
  expect(() => adain({ encoder: wrong, decoder }, shape)).toThrow(/no weights of AdaIN's encoder/);
});
