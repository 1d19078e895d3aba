/** What every view in the registry must do. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Dataset, Pixels } from "../../src/core/dataset.ts";
import { randomStream } from "../../src/core/random.ts";
import { describeSettings, parseAssignments, resolveSettings } from "../../src/core/settings.ts";
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
  test("says what it is", () => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(view.description).toMatch(/^[a-z].*[^.]$/);
    expect(Number.isInteger(view.version) && view.version >= 1).toBe(true);
    for (const { key, description } of describeSettings(view.settings))
      expect(description, `setting ${key}`).not.toBe("");
  });

  test("its settings are strict, survive JSON and resolve to themselves", () => {
    const resolved = resolveUse(defaults(name));
    expect(resolveUse(JSON.parse(JSON.stringify(resolved)) as ViewUse)).toEqual(resolved);
    expect(() => resolveUse({ view: name, with: { ...resolved.with, bogus: 1 } })).toThrow("bogus");
    expect(z.toJSONSchema(view.settings, { io: "input", unrepresentable: "any" }).type).toBe("object");
  });

  test("docs/views.md has a row for it with every setting", () => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toBeDefined();
    for (const { key } of describeSettings(view.settings)) expect(row).toContain(`\`${key}\``);
  });

  test("its examples are settings that it has", () => {
    const given = describeSettings(view.settings).filter(({ required }) => required);
    const all = parseAssignments(view.settings, view.examples);
    for (const example of view.examples) {
      const alone = parseAssignments(view.settings, [example]);
      expect(() => resolveSettings(view.settings, given.length > 0 ? all : alone)).not.toThrow();
    }
  });
});

const imageViews = views.entries.filter((view): view is ImageView => !isMixing(view));

describe.each(imageViews.map((view) => [view.name, view] as const))("%s of an image", (name, view) => {
  const viewed = async (place: number, read = new Set<string>()) =>
    new Chain([defaults(name)]).make(await imageAt(index), everything(index, read, place));

  test("its random numbers alone decide", async () => {
    for (let place = 0; place < 8; place++) expect(await viewed(place)).toEqual(await viewed(place));
  });

  test("the image keeps its shape", async () => {
    const { height, width, channels } = cars.images.shape!;
    for (let place = 0; place < 8; place++) {
      const { pixels, code, share } = await viewed(place);
      expect(pixels).toMatchObject({ height, width, channels });
      expect(pixels.data).toHaveLength(height * width * channels);
      expect(code).toBeLessThan(new Chain([defaults(name)]).codes?.length ?? 1);
      expect(share >= 0 && share <= 1).toBe(true);
    }
  });

  test("it reads what it declares, and declares what it reads", async () => {
    const read = new Set<string>();
    for (let place = 0; place < 40; place++) await viewed(place, read);
    const { needs, partners: kinds, wantsMean } = new Chain([defaults(name)]);
    const declared = new Set([
      ...needs.map((need) => `${need.kind} ${need.name}`),
      ...[...kinds.keys()].map((kind) => `partner ${kind}`),
      ...(wantsMean === undefined ? [] : ["mean"]),
    ]);
    expect(read).toEqual(declared);
  });

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

const mixingViews = views.entries.filter(isMixing);

describe.each(mixingViews.map((view) => [view.name, view] as const))("%s of a batch", (_name, view) => {
  const shape = { height: 5, width: 6, channels: 3 };
  const settings = resolveUse({ view: view.name }).with;
  const mixed = (place: number, images: Uint8Array) => {
    const batch = {
      images: Uint8Array.from(images),
      shape,
      partners: Int32Array.from({ length: 4 }, (_, i) => i),
      shares: new Float32Array(4).fill(1),
    };
    view.mix(batch, settings, randomStream(5, "views").at(place));
    return batch;
  };
  const images = Uint8Array.from({ length: 4 * 90 }, (_, i) => (i * 37) % 256);

  test("its random numbers alone decide, for pixels, and without them for partners and shares", () => {
    for (let place = 0; place < 8; place++) {
      const batch = mixed(place, images);
      expect(mixed(place, images)).toEqual(batch);
      // Else chains of one batch would be mixed with different partners.
      const { partners: same, shares } = mixed(place, images.toReversed());
      expect({ same, shares }).toEqual({ same: batch.partners, shares: batch.shares });
      expect([...batch.partners].every((partner) => partner >= 0 && partner < 4)).toBe(true);
      expect([...batch.shares].every((share) => share >= 0 && share <= 1)).toBe(true);
    }
  });

  test("images that are all the same stay as they are", () => {
    const same = new Uint8Array(4 * 90).fill(77);
    expect(mixed(0, same).images).toEqual(same);
  });
});

describe("the views of UrbanCars", () => {
  const inside = (mask: Pixels, pixel: number) => mask.data[pixel]! > 127;
  const pixelOf = ({ data }: Pixels, pixel: number) => [...data.subarray(3 * pixel, 3 * pixel + 3)];
  const side = async (name: string, of: number) => cars.sideImages![name]!.pixels(of);
  const made = async (view: string) =>
    (await new Chain([{ view }]).make(await imageAt(index), everything(index, new Set()))).pixels;

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
});
