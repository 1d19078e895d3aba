/** `methods list`: ours, and what papers call them, with what each is told. */

import { expect, test } from "vitest";
import { cuelabHere } from "../../../test/helpers/in-process.ts";

test("rows of papers that are changes of images stand beside methods", async () => {
  const text = await cuelabHere("methods", "list");
  expect(text).toMatch(/^WTM Aug +erm +watermark +none +Li et al\. 2023$/m);
  expect(text).toMatch(/^BG Aug +erm +original or background-swap +pictures: mask +Li et al\. 2023$/m);
  expect(text).toMatch(
    /^GDRO, gDRO +group-dro +– +cues on training +Shrestha et al\. 2022; Li et al\. 2023$/m,
  );
  const { names } = JSON.parse(await cuelabHere("methods", "list", "--json")) as {
    names: { name: string; method: string; supervision: { boxes?: string[] } }[];
  };
  expect(names.find(({ name }) => name === "CF+F Aug")).toMatchObject({
    method: "cf-f",
    supervision: { boxes: ["car"] },
  });
});
