/** Where one model looks in many images: maps by every method, and the numbers that test them. */

import { CuelabError } from "../../core/errors.ts";
import { saliencyMethods } from "../../saliency/index.ts";
import { probabilityAt } from "../../saliency/probabilities.ts";
import {
  imageSize,
  type MapMaker,
  type SaliencyMethod,
  type SeenNetwork,
} from "../../saliency/saliency-method.ts";
import type { AuditHooks } from "../audit.ts";
import type { LookedModel, LookedVersion, MarkFlips, ModelLook, SeenImage } from "./answer.ts";
import { compareRandomised, takeMaps } from "./take-maps.ts";
import { judged, takeRegion, type UnjudgedRegion } from "./take-regions.ts";

export interface LookAtOptions extends AuditHooks {
  /** By default those that the network allows, without RISE. */
  methods: readonly string[] | undefined;
  /** `predicted`, `label`, or a class's name. */
  class: string;
  classNames: readonly string[];
  labels: Uint16Array;
  groups: readonly string[];
  /** The images' places in their dataset. */
  keys: Uint32Array;
  /** Which images are shown, when it is known whose prediction another version flips. */
  readonly shown: (flipped: readonly boolean[]) => readonly number[];
  fill: readonly number[];
  batch: number;
  threads: number;
  seed: number;
}

export async function lookAt(
  network: SeenNetwork,
  versions: readonly LookedVersion[],
  options: LookAtOptions,
): Promise<LookedModel> {
  const { labels, groups, keys, classNames, fill, batch, seed, signal, onProgress } = options;
  const said: Awaited<ReturnType<typeof saysOf>>[] = [];
  for (const { bytes } of versions) said.push(await saysOf(network, bytes, labels.length));
  const flipped = Array.from(labels, (_, i) => said.at(-1)!.predicted[i] !== said[0]!.predicted[i]);
  const shown = options.shown(flipped);
  const seen = versions.map((_, v) => {
    const { predicted, probability } = said[v]!;
    return new Map(
      shown.map((i): [number, SeenImage] => [
        i,
        { predicted: classNames[predicted[i]!]!, probability: probability[i]!, maps: new Map() },
      ]),
    );
  });
  const { opened, remarks } = await openMethods(network, options);
  const seconds: LookedModel["seconds"] = [];
  const randomised: ModelLook["randomised"] = [];
  const open: ModelLook["open"] = [];
  const shares = versions.map(() => new Map<string, Awaited<ReturnType<typeof takeMaps>>["shares"]>());
  try {
    for (const { method, maker } of opened) {
      const started = performance.now();
      for (const [v, version] of versions.entries()) {
        const asked = { network, method, maker, version, chosen: chosenClasses(said[v]!.predicted, options) };
        const doing = `${network.name}: ${method.title}${v === 0 ? "" : `, ${version.name}`}`;
        const made = await takeMaps(asked, seen[v]!, (done) => {
          signal?.throwIfAborted();
          onProgress?.(doing, done, labels.length, "images");
        });
        shares[v]!.set(method.name, made.shares);
        if (v > 0) continue;
        seconds.push({ method: method.title, seconds: (performance.now() - started) / 1000 });
        open.push(...made.open);
        if (method.needs === "gradients") randomised.push(await compareRandomised(asked, seed));
      }
    }
  } finally {
    for (const { maker } of opened) await maker.close();
  }
  const regions: UnjudgedRegion[] = [];
  for (const [v, version] of versions.entries())
    for (const region of version.regions.keys()) {
      signal?.throwIfAborted();
      const chosen = chosenClasses(said[v]!.predicted, options);
      regions.push(
        ...(await takeRegion(region, {
          network,
          version,
          chosen,
          keys,
          groups,
          shares: shares[v]!,
          batch,
          seed,
          fill,
        })),
      );
      onProgress?.(`${network.name}: ${region} hidden`, labels.length, labels.length, "images");
    }
  return {
    look: {
      model: network.name,
      methods: opened.map(({ method }) => method.name),
      regions: judged(regions),
      randomised,
      open,
      flips: versions.length < 2 ? null : flipsOf(flipped, said[1]!.predicted, classNames),
      remarks,
    },
    network,
    seen: new Map(versions.map(({ name }, v) => [name, seen[v]!])),
    seconds,
  };
}

async function openMethods(
  network: SeenNetwork,
  { methods: asked, batch, threads, seed, fill }: LookAtOptions,
) {
  const methods =
    asked?.map((name) => saliencyMethods.get(name)) ??
    saliencyMethods.entries.filter(({ name, needs }) =>
      network.gradients === undefined ? needs === "logits" : name !== "rise",
    );
  const opened: { method: SaliencyMethod; maker: MapMaker }[] = [];
  const remarks: string[] = [];
  for (const method of methods) {
    try {
      opened.push({ method, maker: await method.open(network, { batch, threads, seed, fill }) });
    } catch (cause) {
      // What was asked for by name must not be missing without an error.
      if (asked !== undefined || !(cause instanceof CuelabError) || cause.kind !== "usage") throw cause;
      remarks.push(`${network.name}: no ${method.title}: ${cause.parts.what}`);
    }
  }
  return { opened, remarks };
}

async function saysOf(network: SeenNetwork, bytes: Uint8Array, count: number) {
  const { classes } = network;
  const size = imageSize(network.image);
  const predicted = new Int32Array(count);
  const probability = new Float64Array(count);
  const chunk = 64;
  for (let first = 0; first < count; first += chunk) {
    const used = Math.min(chunk, count - first);
    const logits = await network.logits(bytes.subarray(first * size, (first + used) * size), used);
    for (let i = 0; i < used; i++) {
      const row = logits.subarray(i * classes, (i + 1) * classes);
      predicted[first + i] = row.indexOf(Math.max(...row));
      probability[first + i] = probabilityAt(row, predicted[first + i]!);
    }
  }
  return { predicted, probability };
}

function chosenClasses(
  predicted: Int32Array,
  { class: asked, labels, classNames }: LookAtOptions,
): Int32Array {
  if (asked === "predicted") return predicted;
  if (asked === "label") return Int32Array.from(labels);
  const code = classNames.indexOf(asked);
  if (code >= 0) return new Int32Array(labels.length).fill(code);
  throw new CuelabError({
    kind: "usage",
    what: `there is no class "${asked}"`,
    expected: `predicted, label, or one of: ${classNames.slice(0, 20).join(", ")}${classNames.length > 20 ? ", …" : ""}`,
  });
}

function flipsOf(
  flipped: readonly boolean[],
  predicted: Int32Array,
  classNames: readonly string[],
): MarkFlips {
  const to = new Map<string, number>();
  for (const [i, flips] of flipped.entries()) {
    const name = classNames[predicted[i]!]!;
    if (flips) to.set(name, (to.get(name) ?? 0) + 1);
  }
  return {
    images: flipped.length,
    flipped: flipped.filter((flips) => flips).length,
    to: [...to].map(([name, count]) => ({ class: name, count })).sort((a, b) => b.count - a.count),
  };
}
