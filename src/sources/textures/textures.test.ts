import { expect, test } from "vitest";
import { builtInTexture, textureKinds } from "./index.ts";

test.each(textureKinds)("%s: every grey is about as frequent as any other", (kind) => {
  const { grey, width, height } = builtInTexture(kind, 0);
  expect([width, height, grey.length]).toEqual([256, 256, 65536]);
  const sorted = grey.slice().sort();
  for (let share = 1; share < 16; share++) {
    expect(Math.abs(sorted[share * 4096]! - 16 * share)).toBeLessThan(4);
  }
});

test.each([-1, 0.5, Number.NaN])("variant %s is refused", (variant) => {
  expect(() => builtInTexture("wood", variant)).toThrow(/no such variant[\s\S]*an integer of 0 or more/);
});
