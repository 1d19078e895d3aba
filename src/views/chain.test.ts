import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { randomStream } from "../core/random.ts";
import { alone, Chain } from "./chain.ts";

const image = () => ({ data: Uint8Array.of(1, 2, 3, 4), height: 2, width: 2, channels: 1 });
const random = () => randomStream(0, "test").at(0);

test("what views need is known before any is applied", () => {
  const chain = new Chain([
    { view: "one-of", with: { of: ["original", "background-swap", "erase"] } },
    { view: "flip" },
  ]);
  expect(chain.needs.map(({ view, kind, name }) => `${view} ${kind} ${name}`)).toEqual([
    "background-swap side mask",
    "background-swap side co_occur_obj_mask",
    "background-swap side bg_only",
  ]);
  expect(chain.partners).toEqual(new Map([["other-class", "background-swap"]]));
  expect(chain.wantsMean).toBe("erase");
  expect(chain.codes).toEqual(["original", "background-swap", "erase"]);
  expect(new Chain([{ view: "erase", with: { fill: "black" } }]).wantsMean).toBeUndefined();
});

test("masks are read before anything moves", () => {
  expectError(
    () => new Chain([{ view: "crop" }, { view: "background-swap" }]),
    "usage",
    'view "background-swap" reads masks or boxes, which no longer fit after "crop"',
  );
});

test("an image has one code", () => {
  const choice = { view: "one-of", with: { of: ["original", "flip"] } };
  expectError(() => new Chain([choice, choice]), "usage", "an image has one code");
});

test("the same view twice is told apart by its number", () => {
  const of = ["erase", "flip", { view: "erase", with: { fill: "black" } }];
  expect(new Chain([{ view: "one-of", with: { of } }]).codes).toEqual(["erase", "flip", "erase 2"]);
});

test("an image alone has nothing beside it", async () => {
  await expect(new Chain([{ view: "background-swap" }]).make(image(), alone(random()))).rejects.toThrow(
    "there is only the image",
  );
  expect(await new Chain([]).make(image(), alone(random()))).toEqual({ pixels: image(), code: 0, share: 1 });
});

test("settings are as strict as those of a spec", () => {
  expectError(() => new Chain([{ view: "flip", with: { p: 1 } }]), "usage", 'unknown setting "p"');
});
