/** What every view must keep: its random numbers alone decide, images keep their shape, nothing is read that is not declared. */

import { isDeepStrictEqual } from "node:util";
import type { Dataset, Pixels } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { describeSettings, parseAssignments, resolveSettings } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { Chain, type ImageAt } from "../views/chain.ts";
import { views } from "../views/index.ts";
import { resolveUse } from "../views/resolve-use.ts";
import { isMixing, type MixingView, type PartnerKind, type View, type ViewUse } from "../views/view.ts";
import { type Check, must } from "./check.ts";

/** How often chance is asked. */
const draws = 8;
/** Enough that a view which reads something now and then has read it. */
const manyDraws = 40;

export function viewChecks(view: View): Check[] {
  return [
    { name: "it is described, and its examples are settings that it has", run: () => checkWords(view) },
    {
      name: "its settings are strict, survive JSON and resolve to themselves",
      run: () => checkSettings(view),
    },
    ...(isMixing(view) ? mixingChecks(view) : imageChecks(view)),
  ];
}

function imageChecks({ name }: View): Check[] {
  const viewed = async (use: ViewUse, place: number, read = new Set<string>()) => {
    const fixture = await cars();
    return new Chain([use]).make(await fixture.image(), fixture.everything(place, read));
  };
  return [
    {
      name: "its random numbers alone decide",
      run: async () => {
        for (let place = 0; place < draws; place++) {
          const [once, again] = [await viewed(useOf(name), place), await viewed(useOf(name), place)];
          must(isDeepStrictEqual(once, again), "equal random numbers give other images", {
            todo: "take all chance from the `random` that it is handed",
          });
        }
      },
    },
    {
      name: "the image keeps its shape, and what it is told by is in range",
      run: async () => {
        for (let place = 0; place < draws; place++) {
          // A chain refuses images of another shape, and codes that mean nothing.
          const { share } = await viewed(useOf(name), place);
          must(share >= 0 && share <= 1, "the share of an image is none", {
            expected: "0 to 1",
            got: String(share),
          });
        }
      },
    },
    {
      name: "it reads what it declares, and declares what it reads",
      run: async () => {
        const read = new Set<string>();
        for (let place = 0; place < manyDraws; place++) await viewed(useOf(name), place, read);
        const { needs, partners, wantsMean } = new Chain([useOf(name)]);
        const declared = new Set([
          ...needs.map((need) => `${need.kind} ${need.name}`),
          ...[...partners.keys()].map((kind) => `partner ${kind}`),
          ...(wantsMean === undefined ? [] : ["mean"]),
        ]);
        must(isDeepStrictEqual(read, declared), "it reads something else than it declares", {
          expected: [...declared].join(", ") || "nothing",
          got: [...read].join(", ") || "nothing",
        });
      },
    },
  ];
}

function mixingChecks(view: MixingView): Check[] {
  const shape = { height: 5, width: 6, channels: 3 };
  const [count, bytes] = [4, 90];
  const mixed = (place: number, images: Uint8Array) => {
    const batch = {
      images: Uint8Array.from(images),
      shape,
      partners: Int32Array.from({ length: count }, (_, i) => i),
      shares: new Float32Array(count).fill(1),
    };
    view.mix(batch, resolveUse(useOf(view.name)).with, randomStream(5, "contracts/views").at(place));
    return batch;
  };
  const images = Uint8Array.from({ length: count * bytes }, (_, i) => (i * 37) % 256);
  return [
    {
      name: "its random numbers alone decide, for pixels, and without them for partners and shares",
      run: () => {
        for (let place = 0; place < draws; place++) {
          const batch = mixed(place, images);
          must(isDeepStrictEqual(mixed(place, images), batch), "equal random numbers give other batches");
          const { partners, shares } = mixed(place, images.toReversed());
          // Else chains of one batch would be mixed with different partners.
          must(
            isDeepStrictEqual([partners, shares], [batch.partners, batch.shares]),
            "partners or shares depend on the pixels",
          );
          must(
            batch.partners.every((partner) => partner >= 0 && partner < count),
            "a partner is no place of the batch",
          );
          must(
            batch.shares.every((share) => share >= 0 && share <= 1),
            "a share is not from 0 to 1",
          );
        }
      },
    },
    {
      name: "images that are all the same stay as they are",
      run: () => {
        const same = new Uint8Array(count * bytes).fill(77);
        must(isDeepStrictEqual(mixed(0, same).images, same), "equal images are changed by mixing them");
      },
    },
  ];
}

function checkWords({ name, description, settings, examples, version }: View): void {
  must(description !== "", "it has no description");
  must(Number.isInteger(version) && version >= 1, "its version is no whole number from 1");
  for (const setting of describeSettings(settings))
    must(setting.description !== "", `setting "${setting.key}" is not described`, {
      todo: `${setting.key}: z.….describe("…")`,
    });
  const needsSome = describeSettings(settings).some(({ required }) => required);
  must(!needsSome || examples.length > 0, "no example shows the settings that must be given", {
    where: name,
  });
  // Together where something must be given, else each by itself.
  for (const given of needsSome ? [examples] : examples.map((example) => [example]))
    resolveSettings(settings, parseAssignments(settings, given));
}

function checkSettings({ name }: View): void {
  const resolved = resolveUse(useOf(name));
  const stored = JSON.parse(JSON.stringify(resolved)) as ViewUse;
  must(isDeepStrictEqual(resolveUse(stored), resolved), "its settings do not resolve to themselves");
  let refused = false;
  try {
    resolveUse({ view: name, with: { ...resolved.with, bogus: 1 } });
  } catch {
    refused = true;
  }
  must(refused, "it takes a setting that it does not have");
}

/** As it is by default, or as its examples say where something must be given. */
function useOf(name: string): ViewUse {
  const { settings, examples } = views.get(name);
  const needsSome = describeSettings(settings).some(({ required }) => required);
  return needsSome ? { view: name, with: parseAssignments(settings, examples) } : { view: name };
}

interface Cars {
  dataset: Dataset;
  /** Of one car, for whoever wants to change it. */
  image: (of?: number) => Promise<Pixels>;
  /** All that there is beside that car, noting what of it was asked for. */
  everything: (place: number, read: Set<string>) => ImageAt;
}

const index = 7;
let made: Promise<Cars> | undefined;

/** UrbanCars in small, which has masks, boxes and backgrounds. */
function cars(): Promise<Cars> {
  made ??= makeCars();
  return made;
}

async function makeCars(): Promise<Cars> {
  const definition = datasets.get("urban-cars");
  const dataset = await definition.build(parseAssignments(definition.settings, definition.small), 2);
  const { labels, images, sideImages = {}, boxes = {} } = dataset;
  const other = labels.findIndex((label) => label !== labels[index]);
  const partners: Record<PartnerKind, number> = { any: 3, "other-class": other };
  const own = ({ data, ...shape }: Pixels) => ({ ...shape, data: Uint8Array.from(data) });
  const image = async (of = index) => own(await images.pixels(of));
  const everything = (place: number, read: Set<string>): ImageAt => {
    const side = async (name: string, of = index) => {
      read.add(`side ${name}`);
      return own(await sideImages[name]!.pixels(of));
    };
    const box = async (name: string, of = index) => {
      read.add(`box ${name}`);
      return boxes[name]!.at(of);
    };
    return {
      label: labels[index]!,
      random: randomStream(5, "contracts/views").at(place),
      get mean() {
        read.add("mean");
        return [90, 100, 110];
      },
      side: (name) => side(name),
      box: (name) => box(name),
      partner: async (kind) => {
        read.add(`partner ${kind}`);
        const of = partners[kind];
        return {
          label: labels[of]!,
          pixels: () => image(of),
          side: (name) => side(name, of),
          box: (name) => box(name, of),
        };
      },
    };
  };
  return { dataset, image, everything };
}
