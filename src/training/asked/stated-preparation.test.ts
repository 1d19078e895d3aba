/** Pictures as torchvision, timm and transformers make them ready: byte for byte, and the numbers that networks are given. */

import { expect, test } from "vitest";
import { formulaImage } from "../../../test/helpers/formula-image.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { digestOf } from "../../disk/vouched.ts";
import { picturePrepared } from "../../images/model-picture.ts";
import { networkInput } from "./preparation.ts";
import { filtersByName, statedIn } from "./stated-preparation.ts";

interface Pictures {
  pictures: { height: number; width: number; sha256: string; first: number[] }[];
}

const { configs, torchvision } = storedReference<{
  configs: (Pictures & { config: Record<string, unknown> })[];
  torchvision: (Pictures & { way: [number, number, string] })[];
}>("model_pictures");

test.each(configs)("$config.image_processor_type $config.input_size", ({ config, pictures }) => {
  const stated = statedIn("input_size" in config ? { pretrained_cfg: config } : config, "a file")!;
  for (const { height, width, sha256, first } of pictures) {
    const made = picturePrepared(formulaImage(height, width), stated.picture!);
    expect(`${height} × ${width}: ${digestOf(made.data)}`).toBe(`${height} × ${width}: ${sha256}`);
    const given = networkInput(made.data, made, { order: stated.order ?? "rgb", ...stated.pixels! });
    const places = made.height * made.width;
    // Stored with five digits.
    for (const [c, value] of first.entries()) expect(given[c * places]).toBeCloseTo(value, 4);
  }
});

test.each(torchvision)(
  "torchvision's Resize and CenterCrop: $way",
  ({ way: [shorter, side, name], pictures }) => {
    for (const { height, width, sha256 } of pictures) {
      const crop = { height: side, width: side };
      const steps = { resize: { shorter }, filter: filtersByName[name]!, crop, middle: "even" as const };
      const made = picturePrepared(formulaImage(height, width), steps);
      expect(`${height} × ${width}: ${digestOf(made.data)}`).toBe(`${height} × ${width}: ${sha256}`);
    }
  },
);

test.each([
  [{ image_mean: [0, 0, 0], resample: 0 }, /resample 0/],
  [{ image_processor_type: "EfficientNetImageProcessor", rescale_offset: true }, /rescale_offset/],
  [
    { pretrained_cfg: { input_size: [3, 8, 8], mean: [0], std: [1], crop_mode: "border" } },
    /crop_mode "border"/,
  ],
  [{ pretrained_cfg: { input_size: "224" } }, /a way that is not read/],
])("%j is refused by name", (config, message) => {
  expect(() => statedIn(config, "a file")).toThrow(message);
});

test("other files say nothing of pictures", () => {
  expect(statedIn({ id2label: { 0: "a" } }, "config.json")).toBeUndefined();
});
