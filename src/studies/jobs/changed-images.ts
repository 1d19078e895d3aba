/** Batches of images as interventions on models change them, and by their controls: `audit model`'s own, one variant each. */

import { contextsOf } from "../../audits/model/asked-images.ts";
import { chooseSource, planInterventions } from "../../audits/model/plan.ts";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import type { ChangeName } from "./predictions-job.ts";

/** What variants of marks, corruptions and the like would be asked; these have none. */
const nothingChosen = {
  contents: [],
  places: [],
  qualities: [],
  severities: [],
  patches: [],
  sizes: [],
  mean: [],
};
const changeSeed = 0;

/** Of a batch: for each change the images by it, then those by its control. */
export function changedBy(
  names: readonly ChangeName[],
  dataset: Dataset,
  indices: Uint32Array,
  labels: Int32Array,
): (images: Uint8Array, first: number, used: number) => Promise<Uint8Array[]> {
  const { sideImages, boxes, images } = dataset;
  const shape = images.shape!;
  const beside = { sideImages, boxes, shape, picture: undefined };
  const thing = chooseSource(beside, undefined, undefined);
  const plan = planInterventions(dataset, beside, names, thing, { ...nothingChosen, shape });
  const [impossible] = plan.notDone;
  if (impossible !== undefined)
    throw new CuelabError({
      kind: "input",
      what: `${impossible.intervention} cannot be made: ${impossible.why}`,
      where: dataset.name,
    });
  const classes = Int32Array.from(indices, (index) => labels[index]!);
  const contextOf = contextsOf({ dataset, beside, indices, thing, seed: changeSeed }, classes);
  const { height, width, channels } = shape;
  const size = height * width * channels;
  return async (bytes, first, used) => {
    const made: Uint8Array[] = [];
    for (const { variant, title } of plan.variants) {
      const [changed, controls] = [new Uint8Array(bytes.length), new Uint8Array(bytes.length)];
      for (let i = 0; i < used; i++) {
        const image = { data: bytes.slice(i * size, (i + 1) * size), height, width, channels };
        const place = first + i;
        const one = await variant.change(image, contextOf(place, title));
        const control = one && (await variant.control(image, contextOf(place, `${title}/control`), one));
        if (one === undefined || control === undefined)
          throw new CuelabError({
            kind: "input",
            what: `${title} cannot be made of an image`,
            where: dataset.images.describe(indices[place]!),
            expected: "a mask that shows something, and another image of its class",
          });
        changed.set(one.data, i * size);
        controls.set(control.data, i * size);
      }
      made.push(changed, controls);
    }
    return made;
  };
}
