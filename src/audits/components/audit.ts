/** The audit of components that nobody named: what each class's logit is made of, and a last layer without what does harm. */

import type { Attribute, Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { withHead } from "../../models/onnx/repair-head.ts";
import { gradCam } from "../../saliency/grad-cam.ts";
import { networkFeatures } from "../../saliency/network-features.ts";
import type { SeenNetwork } from "../../saliency/saliency-method.ts";
import { type AuditedModel, type AuditHooks, defineAudit } from "../audit.ts";
import { chooseImages, imageBytes, regionNames, regionsOf } from "../looks/looked-images.ts";
import { withSeen } from "../looks/seen-model.ts";
import type { ComponentsAnswer, ComponentsFound } from "./answer.ts";
import { judgeCandidates } from "./choose.ts";
import {
  type ClassComponents,
  classComponents,
  contributions,
  type LinearHead,
  logitsOf,
  withoutComponents,
} from "./class-components.ts";
import { componentsInShort } from "./in-short.ts";
import { componentsQuestion } from "./question.ts";
import { changeBy, toRemove } from "./repair.ts";
import { showComponents } from "./show.ts";
import { lookAtComponent } from "./top-images.ts";

const threads = 1;
/** Fewer images of a class say little of its directions. */
const fewestImages = 10;
const mostClasses = 10;

type ComponentsQuestion = (typeof componentsQuestion)["_zod"]["output"];

export const componentsAudit = defineAudit({
  name: "components",
  title: "What does the model see in each class that nobody named?",
  description:
    "principal components of each class's weighed features: their most activating images, where they are, how far they hold the prediction up; and a last layer without those that do harm",
  paper: "Neuhaus et al. 2023, Spurious Features Everywhere",
  of: "model",
  question: componentsQuestion,
  ask: askComponents,
  inShort: componentsInShort,
  show: showComponents,
  data: ({
    model,
    splits,
    images,
    region,
    components,
    repair,
    remarks,
  }: ComponentsFound): ComponentsAnswer => ({
    model,
    splits,
    images,
    region,
    components,
    repair,
    remarks,
  }),
  files: ({ repaired }) => (repaired === undefined ? {} : { "repaired.onnx": repaired }),
});

async function askComponents(
  question: ComponentsQuestion,
  { model, dataset }: AuditedModel,
  { signal, onProgress }: AuditHooks,
): Promise<ComponentsFound> {
  const { fit, choose, seed, batch, remove } = question;
  if (isUnlabelled(dataset))
    throw new CuelabError({
      kind: "input",
      what: "components are those of classes, and nobody has labelled these images",
      where: dataset.name,
    });
  return withSeen(model, dataset, threads, async ({ network, classNames, remark, as }) => {
    const head = await headOf(model, network, remark);
    const features = await networkFeatures(network, { batch, threads });
    const part = async (split: string | undefined) => {
      const images = chooseImages(dataset, { split, images: question.images, groups: [], seed });
      const bytes = await imageBytes(as, images.indices);
      signal?.throwIfAborted();
      const rows = await features.of(bytes);
      onProgress?.(`features of ${images.split}`, images.indices.length, images.indices.length, "images");
      return { ...images, bytes, features: rows };
    };
    try {
      const fitted = await part(fit);
      const reported = await part(question.report);
      const wanted = wantedClasses(question.classes, classNames, fitted.labels);
      const made = wanted.map((of) => {
        const rows = [...fitted.labels.keys()].filter((i) => fitted.labels[i] === of);
        return classComponents(fitted.features, rows, head, { of, wanted: question.components, seed });
      });
      const all = made.flatMap((one) => one.push.map((_, k) => ({ of: one, class: one.class, k })));
      const chosenOn = dataset.splits.values.includes(dataset.splits.names.indexOf(choose))
        ? await part(choose)
        : undefined;
      if (chosenOn === undefined && remove.includes("auto"))
        throw new CuelabError({
          kind: "usage",
          what: `there are no images in a split "${choose}" to choose by`,
          where: dataset.name,
          todo: "name another with --set choose=",
        });
      const judged =
        chosenOn === undefined
          ? []
          : judgeCandidates(
              logitsOf(chosenOn.features, head),
              chosenOn.labels,
              head.classes,
              all.map(({ of, k }) => ({
                class: of.class,
                k,
                adds: contributions(chosenOn.features, head, of, k),
              })),
              seed,
            );
      const region = question.region ?? regionNames(dataset, undefined)[0];
      if (region !== undefined) regionNames(dataset, [region]);
      const { maker, mapRemark } = await makerOf(network, {
        batch: Math.min(batch, question.shown),
        threads,
        seed,
      });
      const looked = {
        network,
        bytes: reported.bytes,
        features: reported.features,
        logits: logitsOf(reported.features, head),
        labels: reported.labels,
        classNames,
        names: Array.from(reported.indices, (i) => dataset.images.file?.(i) ?? `image ${i}`),
        cues: cuesAt(dataset, reported.indices),
        regions: region === undefined ? undefined : await regionsOf(as, region, reported.indices),
        maker,
        shown: question.shown,
      };
      const components: ComponentsFound["components"] = [];
      const pictures: ComponentsFound["pictures"][number][] = [];
      for (const [n, { of, k }] of all.entries()) {
        const seen = await lookAtComponent(of, k, head, meanLogit(of, head), looked);
        const { gain, pValue } = judged[n] ?? {};
        const chosen = gain === undefined || pValue === undefined ? null : { gain, pValue };
        components.push({ ...seen.answer, top: seen.answer.top.map((i) => reported.indices[i]!), chosen });
        pictures.push(seen.pictures);
        onProgress?.("components", n + 1, all.length, "components");
      }
      await maker?.close();
      const removed = toRemove(remove, classNames, all, judged);
      const after = withoutComponents(
        head,
        removed.map(({ class: of, k }) => ({ of: made.find((one) => one.class === of)!, k })),
      );
      const cues =
        question.groups ??
        Object.keys(dataset.attributes).filter((name) => dataset.attributes[name]!.role === "cue");
      const bytesOfModel =
        removed.length === 0 || model.file === undefined ? undefined : await readPlain(model.file);
      const found = (await model.network!()).head!;
      return {
        dataset,
        model: model.name,
        splits: { fit: fitted.split, choose, report: reported.split },
        images: {
          fit: fitted.labels.length,
          choose: chosenOn?.labels.length ?? 0,
          report: reported.labels.length,
        },
        region: region ?? null,
        components,
        pictures,
        repair:
          remove.length === 0
            ? null
            : changeBy(
                removed,
                { before: head, after },
                reported.features,
                { dataset, indices: reported.indices, groups: cues },
                classNames,
              ),
        repaired: bytesOfModel === undefined ? undefined : withHead(bytesOfModel, found, after),
        remarks: [
          ...(mapRemark === undefined ? [] : [mapRemark]),
          ...(reported.split === fitted.split
            ? ["components were fitted on images of the split that is told of"]
            : []),
        ],
      };
    } finally {
      await features.close();
    }
  });
}

async function headOf(
  model: AuditedModel["model"],
  network: SeenNetwork,
  remark: string | undefined,
): Promise<LinearHead> {
  const found = network.gradients === undefined ? undefined : (await model.network!()).head;
  if (found !== undefined && found.classes === network.classes)
    return { classes: found.classes, inputs: found.inputs, weight: found.weight(), bias: found.bias() };
  throw new CuelabError({
    kind: "input",
    what: `${model.name} does not end in a linear layer that can be read`,
    expected: "a network whose logits are a linear layer of its features",
    ...(remark !== undefined && { got: remark }),
  });
}

async function makerOf(network: SeenNetwork, options: { batch: number; threads: number; seed: number }) {
  try {
    const fill = Array<number>(network.image.channels).fill(0);
    return { maker: await gradCam.open(network, { ...options, fill, of: "features" }), mapRemark: undefined };
  } catch (cause) {
    if (!(cause instanceof CuelabError) || cause.kind !== "usage") throw cause;
    return { maker: undefined, mapRemark: `no maps: ${cause.parts.what}` };
  }
}

function cuesAt({ attributes }: Dataset, indices: Uint32Array): Record<string, Attribute> {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { role }]) => role === "cue")
      .map(([name, cue]) => [name, { ...cue, values: Uint16Array.from(indices, (i) => cue.values[i]!) }]),
  );
}

/** Of the class's mean image. */
function meanLogit({ class: of, mean }: ClassComponents, { bias }: LinearHead): number {
  return mean.reduce((sum, value) => sum + value, bias[of]!);
}

function wantedClasses(
  asked: readonly string[] | undefined,
  classNames: readonly string[],
  labels: Uint16Array,
): number[] {
  const sizes = classNames.map((_, of) => labels.filter((label) => label === of).length);
  if (asked === undefined)
    return [...sizes.keys()].filter((of) => sizes[of]! >= fewestImages).slice(0, mostClasses);
  return asked.map((name) => {
    const of = classNames.indexOf(name);
    if (of >= 0 && sizes[of]! >= fewestImages) return of;
    throw new CuelabError({
      kind: "usage",
      what: of < 0 ? `there is no class "${name}"` : `class "${name}" has ${sizes[of]} images to fit on`,
      expected: of < 0 ? `some of: ${classNames.slice(0, 20).join(", ")}` : `at least ${fewestImages}`,
    });
  });
}
