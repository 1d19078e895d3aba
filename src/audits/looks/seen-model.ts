/** A model that can be asked, opened for whoever wants to see where it looks. */

import type { Dataset, ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import type { PictureSteps } from "../../images/model-picture.ts";
import type { SeenNetwork } from "../../saliency/saliency-method.ts";
import { differentiableOf } from "../../saliency/seen-network.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { stepsOf } from "./looked-images.ts";

export interface SeenModel {
  network: SeenNetwork;
  classNames: readonly string[];
  /** Why there are no gradients. */
  remark: string | undefined;
  /** How the dataset's images become the network's. */
  as: SeenAs;
}

interface SeenAs {
  dataset: Dataset;
  steps: PictureSteps | undefined;
  shape: ImageShape;
}

/** Opened, used and closed again, whatever becomes of the use. */
export async function withSeen<Found>(
  model: AskedModel,
  dataset: Dataset,
  threads: number,
  use: (seen: SeenModel) => Promise<Found>,
): Promise<Found> {
  const { close, network, ...opened } = await openSeen(model, dataset, threads);
  try {
    const as = { dataset, steps: stepsOf(model, dataset), shape: network.image };
    return await use({ ...opened, network, as });
  } finally {
    await close();
  }
}

async function openSeen(
  model: AskedModel,
  dataset: Dataset,
  threads: number,
): Promise<Omit<SeenModel, "as"> & { readonly close: () => Promise<void> }> {
  if ("features" in model.takes)
    throw new CuelabError({
      kind: "usage",
      what: "the model takes features, so that it looks at no places",
      where: model.name,
    });
  const { image } = model.takes;
  const session = await model.open({ threads });
  try {
    const classes = model.classNames?.length ?? model.classes;
    const size = image.height * image.width * image.channels;
    const probe = classes ?? (await session.logits(new Uint8Array(size), 1)).length;
    const { gradients, remark } = await gradientsOf(model, probe);
    const names =
      model.classNames ?? (dataset.classNames.length === probe ? dataset.classNames : numbered(probe));
    return {
      network: {
        name: model.name,
        image,
        classes: probe,
        logits: (images, count) => session.logits(images, count),
        gradients,
      },
      classNames: names,
      remark,
      close: () => session.close(),
    };
  } catch (cause) {
    await session.close();
    throw cause;
  }
}

/** A graph that cannot be read leaves methods that need logits alone. */
async function gradientsOf(
  model: AskedModel,
  classes: number,
): Promise<Pick<SeenNetwork, "gradients"> & { remark: string | undefined }> {
  if (model.network === undefined || "features" in model.takes)
    return {
      gradients: undefined,
      remark: "there are no gradients: nothing is known of the model but what it says",
    };
  try {
    const gradients = differentiableOf(await model.network(), model.takes.image, model.preparation?.pixels);
    if (gradients.classes === classes) return { gradients, remark: undefined };
    const remark = `there are no gradients: its first output has ${gradients.classes} numbers an image, for ${classes} classes`;
    return { gradients: undefined, remark };
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    return { gradients: undefined, remark: `there are no gradients: ${cause.parts.what}` };
  }
}

function numbered(classes: number): string[] {
  return Array.from({ length: classes }, (_, k) => String(k));
}
