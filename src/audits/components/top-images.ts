/** The images that activate a component most: what becomes of the class in them, and where the component is. */

import type { Attribute } from "../../core/dataset.ts";
import { asTile, heatOver, outline, tiled } from "../../images/heat.ts";
import { encodePng } from "../../images/png.ts";
import { probabilityAt } from "../../saliency/probabilities.ts";
import { areaOf, type Region, shareWithin } from "../../saliency/regions.ts";
import { imageSize, type MapMaker, type SeenNetwork } from "../../saliency/saliency-method.ts";
import { imageMean } from "../looks/answer.ts";
import type { ComponentAnswer } from "./answer.ts";
import { type ClassComponents, contributions, directionOf, type LinearHead } from "./class-components.ts";

export interface Reported {
  network: SeenNetwork;
  bytes: Uint8Array;
  features: Float32Array;
  logits: Float32Array;
  labels: Uint16Array;
  classNames: readonly string[];
  /** What each image is called. */
  names: readonly string[];
  /** Of the dataset, by place among these images. */
  cues: Readonly<Record<string, Attribute>>;
  regions: readonly (Region | undefined)[] | undefined;
  /** Maps of features; undefined where the network has none with places. */
  maker: MapMaker | undefined;
  shown: number;
}

export async function lookAtComponent(
  found: ClassComponents,
  k: number,
  head: LinearHead,
  meanLogit: number,
  all: Reported,
) {
  const { labels, logits, classNames, regions, network } = all;
  const { classes } = head;
  const of = found.class;
  const adds = contributions(all.features, head, found, k);
  const top = Uint32Array.from(labels, (_, i) => i)
    .sort((a, b) => adds[b]! - adds[a]! || a - b)
    .slice(0, all.shown);
  const row = (i: number) => logits.slice(i * classes, (i + 1) * classes);
  const said = Array.from(top, (i) => row(i).indexOf(Math.max(...row(i))));
  const with_ = (i: number, logit: number) => probabilityAt(row(i).with(of, logit), of);
  const maps = await mapsOf(top, directionOf(head, found, k), all);
  const places = network.image.height * network.image.width;
  const mapAt = (n: number) => maps?.subarray(n * places, (n + 1) * places);
  const off = Array.from(top, (i, n) => {
    const [map, region] = [mapAt(n), regions?.[i]];
    const share = map === undefined || region === undefined ? null : shareWithin(map, region);
    return share === null ? undefined : 1 - share - (1 - areaOf(region!));
  }).filter((value) => value !== undefined);
  const answer: Omit<ComponentAnswer, "chosen"> = {
    class: classNames[of]!,
    component: k + 1,
    share: found.shares[k]!,
    top: [...top],
    ofClass: top.filter((i) => labels[i] === of).length,
    takenFor: said.filter((one) => one === of).length,
    cue: commonCue(top, all),
    before: imageMean(Array.from(top, (i) => probabilityAt(row(i), of))),
    without: imageMean(Array.from(top, (i) => with_(i, row(i)[of]! - adds[i]!))),
    alone: imageMean(Array.from(top, (i) => with_(i, meanLogit + adds[i]!))),
    offObject: regions === undefined || maps === undefined ? null : imageMean(off),
  };
  const size = imageSize(network.image);
  const pictures = Array.from(top, (i, n) => {
    const image = { ...network.image, data: all.bytes.subarray(i * size, (i + 1) * size) };
    const map = mapAt(n);
    const tiles = [asTile(image, tileSide)];
    if (map !== undefined) {
      const heat = heatOver(image, map);
      if (regions?.[i] !== undefined) outline(heat, regions[i]);
      tiles.push(asTile(heat, tileSide));
    }
    const sheet = tiled([tiles]);
    const label = `${all.names[i]}: ${classNames[labels[i]!]}, taken for ${classNames[said[n]!]} ${(100 * probabilityAt(row(i), said[n]!)).toFixed(0)}%`;
    return { label, png: encodePng(sheet), width: sheet.width, height: sheet.height };
  });
  return { answer, adds, pictures };
}

/** Whether what nobody named is something that somebody knows. */
function commonCue(top: Uint32Array, { cues, labels }: Reported): ComponentAnswer["cue"] {
  const all = [...labels.keys()];
  const found = Object.entries(cues).flatMap(([name, { values, valueNames }]) =>
    valueNames.map((value, code) => {
      const has = (i: number) => values[i] === code;
      return { name, value, top: top.filter(has).length, all: all.filter(has).length / all.length };
    }),
  );
  const over = (one: { top: number; all: number }) => one.top / top.length - one.all;
  const most = found.sort((a, b) => over(b) - over(a))[0];
  return most === undefined || over(most) <= 0 ? null : most;
}

const tileSide = 96;

async function mapsOf(top: Uint32Array, direction: Float32Array, { network, bytes, maker }: Reported) {
  if (maker === undefined) return undefined;
  const size = imageSize(network.image);
  const images = new Uint8Array(top.length * size);
  const rows = new Float32Array(top.length * direction.length);
  for (const [n, i] of top.entries()) {
    images.set(bytes.subarray(i * size, (i + 1) * size), n * size);
    rows.set(direction, n * direction.length);
  }
  return (await maker.maps(images, rows)).values;
}
