/** The audit of where a model looks: maps of it, and numbers that tell whether they mean anything. */

import { addWatermark, contentOf, imageNetW } from "../../images/watermark/watermark.ts";
import { regionOfBox } from "../../saliency/regions.ts";
import { imageSize } from "../../saliency/saliency-method.ts";
import { openModel } from "../../training/asked/open-model.ts";
import { inClassesOf } from "../../training/predict.ts";
import { type AuditedModel, type AuditHooks, defineAudit } from "../audit.ts";
import type { LookedModel, LookedVersion, LooksAnswer } from "./answer.ts";
import { looksInShort } from "./in-short.ts";
import { lookAt } from "./look-at.ts";
import { chooseImages, imageBytes, regionNames, regionsOf } from "./looked-images.ts";
import { looksQuestion } from "./question.ts";
import { withSeen } from "./seen-model.ts";
import { showLooks } from "./show.ts";

/** Equal threads, equal bytes. */
const threads = 1;

type LooksQuestion = (typeof looksQuestion)["_zod"]["output"];

export const looksAudit = defineAudit({
  name: "looks",
  title: "Where does the model look?",
  description:
    "maps of where a model looks, tested: how much of them lies in masks, boxes or a watermark, what hiding these costs against hiding as much elsewhere, and whether they change when weights are random",
  paper: "Selvaraju et al. 2017; Sundararajan et al. 2017; Petsiuk et al. 2018; Adebayo et al. 2018",
  of: "model",
  question: looksQuestion,
  ask: askLooks,
  inShort: looksInShort,
  show: showLooks,
  data: ({ split, class: of, images, fill, models, indices, shown }: LooksAnswer) => ({
    split,
    class: of,
    images,
    fill: [...fill],
    models: models.map(({ look }) => look),
    shown: shown.map((i) => indices[i]!),
  }),
});

async function askLooks(
  question: LooksQuestion,
  { model, dataset }: AuditedModel,
  hooks: AuditHooks,
): Promise<LooksAnswer> {
  const { split, images, groups, seed, class: of } = question;
  const names = regionNames(dataset, question.regions);
  const chosen = chooseImages(dataset, { split, images, groups, seed });
  const models = [model, ...(await Promise.all(question.beside.map((path) => openModel({ model: path }))))];
  const looked: LookedModel[] = [];
  let first: { shown: readonly number[]; versions: LookedVersion[]; fill: number[] } | undefined;
  for (const each of models) {
    const own = each === model ? dataset : inClassesOf(each, dataset);
    await withSeen(each, own, threads, async ({ network, classNames, remark, as }) => {
      const bytes = await imageBytes(as, chosen.indices);
      const regions = new Map<string, Awaited<ReturnType<typeof regionsOf>>>();
      for (const name of names) regions.set(name, await regionsOf(as, name, chosen.indices));
      const versions: LookedVersion[] = [{ name: "as it is", bytes, regions }];
      if (question.mark !== "none") versions.push(marked(versions[0]!, network.image, question.mark));
      const fill = meanColour(bytes, network.image.channels);
      const found = await lookAt(network, versions, {
        ...hooks,
        methods: question.methods,
        class: of,
        classNames,
        labels: Uint16Array.from(chosen.indices, (i) => own.labels[i]!),
        groups: chosen.groups,
        keys: chosen.indices,
        // The first model decides, so that all models are shown with the same images.
        shown: (flipped) => first?.shown ?? inTurns(chosen.groups, flipped, question.shown),
        fill,
        batch: question.batch,
        threads,
        seed,
      });
      if (remark !== undefined) found.look.remarks.push(remark);
      first ??= { shown: [...found.seen.get("as it is")!.keys()], versions, fill };
      looked.push(found);
    });
  }
  return { ...chosen, ...first!, dataset, class: of, images: chosen.indices.length, models: looked };
}

/** Every image with the mark, whose place is a region of its own. */
function marked(
  { bytes, regions }: LookedVersion,
  image: { height: number; width: number; channels: number },
  content: Exclude<LooksQuestion["mark"], "none">,
): LookedVersion {
  const watermark = { ...imageNetW, ...contentOf(content) };
  const size = imageSize(image);
  const made = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += size)
    made.set(addWatermark({ ...image, data: bytes.subarray(at, at + size) }, watermark).data, at);
  // On black whatever is no longer black is ink. Its box counts: hiding ink alone would leave its form.
  const ink = addWatermark({ ...image, data: new Uint8Array(size) }, watermark).data;
  const inked = Uint32Array.from({ length: image.height * image.width }, (_, p) => p).filter(
    (p) => ink[p * image.channels]! > 0,
  );
  const rows = inked.map((p) => Math.floor(p / image.width));
  const columns = inked.map((p) => p % image.width);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const box = { top, left, height: Math.max(...rows) + 1 - top, width: Math.max(...columns) + 1 - left };
  const region = regionOfBox(box, image);
  const everywhere = Array.from({ length: bytes.length / size }, () => region);
  return {
    name: `with a ${content} watermark`,
    bytes: made,
    regions: new Map([...regions, ["watermark", everywhere]]),
  };
}

function meanColour(bytes: Uint8Array, channels: number): number[] {
  const sums = Array<number>(channels).fill(0);
  for (let at = 0; at < bytes.length; at++) sums[at % channels]! += bytes[at]!;
  return sums.map((sum) => Math.round((sum * channels) / bytes.length));
}

/** Those whose prediction flips first, then one of each group by turns. */
function inTurns(groups: readonly string[], flipped: readonly boolean[], most: number): number[] {
  const turn = new Map<string, number>();
  const placed = groups.map((group, i) => {
    const before = turn.get(group) ?? 0;
    turn.set(group, before + 1);
    return { i, group, before };
  });
  return placed
    .sort(
      (a, b) =>
        Number(flipped[b.i]) - Number(flipped[a.i]) ||
        a.before - b.before ||
        (a.group < b.group ? -1 : a.group > b.group ? 1 : a.i - b.i),
    )
    .slice(0, most)
    .map(({ i }) => i);
}
