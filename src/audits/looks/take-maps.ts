/** Maps of all images by one method, of which only numbers are kept, and the maps that are shown. */

import { randomStream } from "../../core/random.ts";
import {
  mapCorrelation,
  mapCorrelations,
  randomisedParts,
  randomisedWeights,
} from "../../saliency/randomised-weights.ts";
import { shareWithin } from "../../saliency/regions.ts";
import {
  imageSize,
  type MapMaker,
  type Maps,
  rowsOfClasses,
  type SaliencyMethod,
  type SeenNetwork,
} from "../../saliency/saliency-method.ts";
import {
  imageMean,
  type LookedVersion,
  type ModelLook,
  type RandomisedLook,
  type SeenImage,
} from "./answer.ts";

/** Images whose maps are in memory at once. */
const chunk = 32;
/** Images of which maps are made again with random weights. */
const mostRandomised = 16;

export interface MadeMaps {
  /** By region, an image; null where the map has nothing above 0, undefined where the region is not. */
  shares: ReadonlyMap<string, readonly (number | null | undefined)[]>;
  open: ModelLook["open"];
}

export interface AskedMaps {
  network: SeenNetwork;
  method: SaliencyMethod;
  maker: MapMaker;
  version: LookedVersion;
  /** The class that each image's map is about. */
  chosen: Int32Array;
}

export async function takeMaps(
  { network, method, maker, version, chosen }: AskedMaps,
  seen: ReadonlyMap<number, SeenImage>,
  onDone: (images: number) => void,
): Promise<MadeMaps> {
  const { height, width } = network.image;
  const [size, places] = [imageSize(network.image), height * width];
  const shares = new Map(
    [...version.regions.keys()].map((name) => [name, [] as (number | null | undefined)[]]),
  );
  const notes: Maps["notes"][] = [];
  for (let first = 0; first < chosen.length; first += chunk) {
    const end = Math.min(chosen.length, first + chunk);
    const made = await maker.maps(
      version.bytes.subarray(first * size, end * size),
      rowsOfClasses(chosen.subarray(first, end), network.classes),
    );
    notes.push(made.notes);
    for (let i = first; i < end; i++) {
      const map = made.values.subarray((i - first) * places, (i - first + 1) * places);
      for (const [name, regions] of version.regions) {
        const region = regions[i];
        shares.get(name)!.push(region === undefined ? undefined : shareWithin(map, region));
      }
      seen.get(i)?.maps.set(method.name, map.slice());
    }
    onDone(end);
  }
  return { shares, open: openOf(method.name, notes) };
}

/** Where a method says how far it adds up. */
function openOf(method: string, notes: readonly Maps["notes"][]): ModelLook["open"] {
  const all = (name: string) => notes.flatMap((note) => Array.from(note[name] ?? []));
  const [open, rise, points] = [all("open"), all("rise"), all("points")];
  if (open.length === 0) return [];
  const shares = open
    .map((value, i) => Math.abs(value) / Math.max(1e-6, Math.abs(rise[i]!)))
    .sort((a, b) => a - b);
  const middle = (values: readonly number[]) => values[Math.floor(values.length / 2)]!;
  return [
    {
      method,
      median: middle(shares),
      largest: shares.at(-1)!,
      points: middle([...points].sort((a, b) => a - b)),
    },
  ];
}

/** Maps with ever more random weights against those of the network as it is, for the first images. */
export async function compareRandomised(
  { network, method, maker, version, chosen }: AskedMaps,
  seed: number,
): Promise<RandomisedLook> {
  const count = Math.min(mostRandomised, chosen.length);
  const { height, width } = network.image;
  const images = version.bytes.subarray(0, count * imageSize(network.image));
  const rows = rowsOfClasses(chosen.subarray(0, count), network.classes);
  const own = await maker.maps(images, rows);
  const at = (i: number) => own.values.subarray(i * height * width, (i + 1) * height * width);
  const others = Uint32Array.from({ length: count }, (_, i) => i);
  randomStream(seed, "looks/other-images").at(0).shuffle(others);
  const known = (values: readonly (number | null)[]) => imageMean(values.filter((value) => value !== null));
  const otherImages = known(
    Array.from(others, (i, k) => mapCorrelation(at(i), at(others[(k + 1) % count]!), width)).slice(
      count === 1 ? 1 : 0,
    ),
  );
  const parts = [];
  for (const [k, weights] of randomisedWeights(network.gradients!, seed).entries()) {
    const maps = await maker.maps(images, rows, weights);
    parts.push({ part: randomisedParts[k]!.name, ...known(mapCorrelations(own, maps, [height, width])) });
  }
  return { method: method.name, otherImages, parts };
}
