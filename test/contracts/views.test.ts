/** What every view in the registry must do. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { viewChecks } from "../../src/contracts/views.ts";
import type { Dataset, Pixels } from "../../src/core/dataset.ts";
import { randomStream } from "../../src/core/random.ts";
import { describeSettings, parseAssignments } from "../../src/core/settings.ts";
import { datasets } from "../../src/datasets/index.ts";
import { Chain, type ImageAt } from "../../src/views/chain.ts";
import { views } from "../../src/views/index.ts";
import { resolveUse } from "../../src/views/resolve-use.ts";
import { type ImageView, isMixing, type ViewContext, type ViewUse } from "../../src/views/view.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/views.md"), "utf8");
let cars: Dataset;
let partners: Record<"any" | "other-class", number>;
const index = 7;

beforeAll(async () => {
  const definition = datasets.get("urban-cars");
  cars = await definition.build(parseAssignments(definition.settings, definition.small ?? []), 2);
  const other = cars.labels.findIndex((label) => label !== cars.labels[index]);
  partners = { any: 3, "other-class": other };
});

/** Everything that there is beside an image of a car, and what of it was asked for. */
function everything(at: number, read: Set<string>, place = 0): ImageAt {
  const side = async (name: string, of = at) => {
    read.add(`side ${name}`);
    const pixels = await cars.sideImages![name]!.pixels(of);
    return { ...pixels, data: Uint8Array.from(pixels.data) };
  };
  const box = async (name: string, of = at) => {
    read.add(`box ${name}`);
    return cars.boxes![name]!.at(of);
  };
  return {
    label: cars.labels[at]!,
    random: randomStream(5, "views").at(place),
    get mean() {
      read.add("mean");
      return [90, 100, 110];
    },
    side,
    box,
    partner: async (kind) => {
      read.add(`partner ${kind}`);
      const other = partners[kind];
      return {
        label: cars.labels[other]!,
        pixels: async () => imageAt(other),
        side: (name) => side(name, other),
        box: (name) => box(name, other),
      };
    },
  };
}

async function imageAt(at: number): Promise<Pixels> {
  const pixels = await cars.images.pixels(at);
  return { ...pixels, data: Uint8Array.from(pixels.data) };
}

const defaults = (view: string): ViewUse => {
  const { settings, examples } = views.get(view);
  const needsSome = describeSettings(settings).some(({ required }) => required);
  return needsSome ? { view, with: parseAssignments(settings, examples) } : { view };
};

describe.each(views.entries.map((view) => [view.name, view] as const))("%s", (name, view) => {
  test.each(viewChecks(view).map((check) => [check.name, check] as const))("%s", (_, check) => check.run());

  test("says what it is", () => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(view.description).toMatch(/^[a-z].*[^.]$/);
  });

  test("docs/views.md has a row for it with every setting", () => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toBeDefined();
    for (const { key } of describeSettings(view.settings)) expect(row).toContain(`\`${key}\``);
  });
});

const imageViews = views.entries.filter((view): view is ImageView => !isMixing(view));

describe.each(imageViews.map((view) => [view.name, view] as const))("%s of an image", (name, view) => {
  test("nothing else is handed over", async () => {
    const { resolved, context } = await contextOf(view);
    const image = await imageAt(index);
    const reads: [string, (at: ViewContext<unknown>) => unknown][] = [
      ["side", ({ side }) => side("secret")],
      ["box", ({ box }) => box("secret")],
      ["applies", ({ apply }) => apply({ view: "flip" }, image)],
    ];
    if (view.partner === undefined) reads.push(["partner", ({ partner }) => partner()]);
    else reads.push(["side", async ({ partner }) => (await partner()).side("secret")]);
    if (!view.mean?.(resolved)) reads.push(["mean", (at) => at.mean]);
    for (const [what, ask] of reads)
      await expect((async () => ask(context))()).rejects.toThrow(new RegExp(`view "${name}".*${what}`));
  });
});

/** What a view is handed, caught by another in its place, which changes nothing. */
async function contextOf(view: ImageView) {
  let context: ViewContext<unknown> | undefined;
  const spy = vi.spyOn(view, "make").mockImplementation((image, at) => {
    context = at;
    return view.codes === undefined ? image : { pixels: image, code: 0 };
  });
  const resolved = resolveUse(defaults(view.name)).with;
  await new Chain([defaults(view.name)]).make(await imageAt(index), everything(index, new Set()));
  spy.mockRestore();
  return { resolved, context: context! };
}

describe("the views of UrbanCars", () => {
  const inside = (mask: Pixels, pixel: number) => mask.data[pixel]! > 127;
  const pixelOf = ({ data }: Pixels, pixel: number) => [...data.subarray(3 * pixel, 3 * pixel + 3)];
  const side = async (name: string, of: number) => cars.sideImages![name]!.pixels(of);
  const made = async (view: string, settings: Record<string, unknown> = {}, read = new Set<string>()) => {
    const chain = new Chain([resolveUse({ view, with: settings })]);
    return (await chain.make(await imageAt(index), everything(index, read))).pixels;
  };

  test("background-swap: the car and the object of the image, and around them the other's background", async () => {
    const [image, viewed] = [await imageAt(index), await made("background-swap")];
    const masks = [await side("mask", index), await side("co_occur_obj_mask", index)];
    const background = await side("bg_only", partners["other-class"]);
    for (let pixel = 0; pixel < 64 * 64; pixel++) {
      const own = masks.some((mask) => inside(mask, pixel));
      expect(pixelOf(viewed, pixel)).toEqual(pixelOf(own ? image : background, pixel));
    }
  });

  test("co-object-swap: the car and the background of the image, beside the other's object", async () => {
    const other = partners["other-class"];
    const [image, viewed] = [await imageAt(index), await made("co-object-swap")];
    const [car, object] = [await side("mask", index), await side("co_occur_obj_mask", other)];
    const [background, partner] = [await side("bg_only", index), await imageAt(other)];
    for (let pixel = 0; pixel < 64 * 64; pixel++) {
      const from = inside(car, pixel) ? image : inside(object, pixel) ? partner : background;
      expect(pixelOf(viewed, pixel)).toEqual(pixelOf(from, pixel));
    }
  });

  test("tiled: no background is read, and everything around the kept things is the other's own pixels", async () => {
    const read = new Set<string>();
    const viewed = await made("background-swap", { background: "tiled" }, read);
    expect([...read].sort()).toEqual(["partner other-class", "side co_occur_obj_mask", "side mask"]);
    const other = partners["other-class"];
    const names = ["mask", "co_occur_obj_mask"];
    const partner = await imageAt(other);
    const [own, theirs] = await Promise.all(
      [index, other].map((of) => Promise.all(names.map((name) => side(name, of)))),
    );
    const known = new Set<string>();
    for (let pixel = 0; pixel < 64 * 64; pixel++)
      if (!theirs!.some((mask) => inside(mask, pixel))) known.add(pixelOf(partner, pixel).join());
    for (let pixel = 0; pixel < 64 * 64; pixel++) {
      if (own!.some((mask) => inside(mask, pixel))) continue;
      if (theirs!.some((mask) => inside(mask, pixel))) expect(known).toContain(pixelOf(viewed, pixel).join());
      else expect(pixelOf(viewed, pixel)).toEqual(pixelOf(partner, pixel));
    }
  });

  test.each(["background-swap", "co-object-swap"])(
    "%s by boxes keeps all that the box holds",
    async (view) => {
      const things = view === "background-swap" ? { masks: ["car"] } : { mask: "car", object: "coObject" };
      const viewed = await made(view, { ...things, by: "boxes", background: "tiled" });
      const [image, box] = [await imageAt(index), (await cars.boxes!.car!.at(index))!];
      for (let y = box.top; y < box.top + box.height; y++)
        for (let x = box.left; x < box.left + box.width; x++)
          expect(pixelOf(viewed, y * 64 + x)).toEqual(pixelOf(image, y * 64 + x));
      expect(viewed.data).not.toEqual(image.data);
    },
  );

  test("copy: the side image in its place, a grey one in all channels", async () => {
    expect((await made("copy", { side: "bg_only" })).data).toEqual((await side("bg_only", index)).data);
    const [mask, viewed] = [await side("mask", index), await made("copy", { side: "mask" })];
    expect(pixelOf(viewed, 2000)).toEqual(Array(3).fill(mask.data[2000]));
  });
});
