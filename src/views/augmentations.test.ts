import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { parseAugmentations, resolveAugmentations } from "./augmentations.ts";

const resolved = (...names: string[]) => resolveAugmentations(names.map((view) => ({ view })));

test("every setting is written out, with the view's version", () => {
  expect(resolved("mixup", "erase")).toEqual([
    {
      view: "erase",
      version: 1,
      with: { probability: 0.1, fill: "mean", scale: [0.02, 0.33], aspect: [0.3, 3.3] },
    },
    { view: "mixup", version: 1, with: { alpha: 0.2 } },
  ]);
  const once = resolveAugmentations([{ view: "one-of", with: { of: ["original", "flip"] } }]);
  expect(once[0]!.with).toEqual({
    of: [
      { view: "original", version: 1, with: {} },
      { view: "flip", version: 1, with: { probability: 0.5 } },
    ],
  });
  expect(resolveAugmentations(once)).toEqual(once);
});

test("the usual views come last, in one order; others before them, as given", () => {
  const names = ["cutmix", "watermark", "co-object-swap", "flip", "original", "crop", "background-swap"];
  expect(resolved(...names).map(({ view }) => view)).toEqual([
    "co-object-swap",
    "original",
    "background-swap",
    "crop",
    "flip",
    "watermark",
    "cutmix",
  ]);
});

test.each([
  [["flp"], 'unknown view "flp"', 'did you mean "flip"?'],
  [["flip", "flip"], 'view "flip" is given twice', "once"],
  [["mixup", "cutmix"], "mixup and cutmix cannot both mix the same batch", "choose one"],
])("%j is refused", (names, what, todo) => {
  expectError(() => resolved(...names), "usage", what, todo);
});

test("settings that a view does not have, and versions that it no longer has, are refused", () => {
  const one = (use: object) => resolveAugmentations([{ view: "mixup", ...use }]);
  expectError(() => one({ with: { alfa: 1 } }), "usage", 'unknown setting "alfa"', 'view "mixup"', '"alpha"');
  expectError(() => one({ with: { alpha: -1 } }), "usage", 'setting "alpha" cannot be -1', 'view "mixup"');
  expectError(() => one({ version: 7 }), "input", 'view "mixup" gives other pixels', "version 7");
  const nested = { view: "one-of", with: { of: ["flip", "mixup"] } };
  expectError(() => resolveAugmentations([nested]), "usage", 'view "one-of" cannot use "mixup"');
  const bounds = { view: "crop", with: { scale: [1, 0.5] } };
  expectError(() => resolveAugmentations([bounds]), "usage", "the lower bound comes first", 'view "crop"');
});

test("assignments of the command line go to the view that they name", () => {
  expect(parseAugmentations(["crop", "mixup"], ["mixup.alpha=0.1", "crop.scale=0.08,1"])).toEqual([
    { view: "crop", with: { scale: [0.08, 1] } },
    { view: "mixup", with: { alpha: 0.1 } },
  ]);
  expect(parseAugmentations(["one-of"], ["one-of.of=original,background-swap"])).toEqual([
    { view: "one-of", with: { of: ["original", "background-swap"] } },
  ]);
});

test.each([
  ["alpha=0.1", 'cannot read the setting "alpha=0.1"', "view.key=value"],
  ["mixup", 'cannot read the setting "mixup"', "view.key=value"],
  ["mixpu.alpha=1", 'unknown view "mixpu"', 'did you mean "mixup"?'],
  ["mixup.alpha=1", 'a setting of view "mixup" has no effect without it', "add mixup to --augment"],
  ["flip.probabilty=1", 'unknown setting "probabilty"', '"probability"'],
  ["flip.probability=x", 'setting "probability" cannot be "x"', 'view "flip"'],
])("--augment flip --augment-set %s is refused", (assignment, ...texts) => {
  expectError(() => parseAugmentations(["flip"], [assignment]), "usage", ...texts);
});
