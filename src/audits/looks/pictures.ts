/** Images beside their maps, with the numbers of each below. */

import type { Gallery, PictureFile } from "../../core/section.ts";
import { valueText } from "../../core/words.ts";
import { asTile, heatOver, outline, tiled } from "../../images/heat.ts";
import { encodePng } from "../../images/png.ts";
import { saliencyMethods } from "../../saliency/index.ts";
import { areaOf, shareWithin } from "../../saliency/regions.ts";
import { imageSize } from "../../saliency/saliency-method.ts";
import type { LookedModel, LookedVersion, LooksAnswer } from "./answer.ts";

const tileSide = 128;

export function looksGallery(answer: LooksAnswer): Gallery {
  const { models, versions, shown, dataset, indices, labels, groups } = answer;
  const columns = models.flatMap(({ look }) =>
    look.methods.map((name) => {
      const { title } = saliencyMethods.get(name);
      return models.length > 1 ? `${title} of ${look.model}` : title;
    }),
  );
  const answers = versions.flatMap((version) => models.map((model) => ({ model, version })));
  const who = answers.map(({ model, version }) =>
    [models.length > 1 ? model.look.model : "", versions.length > 1 ? version.name : ""]
      .filter((word) => word !== "")
      .join(", "),
  );
  return {
    name: "looks",
    caption:
      `From the left: the image, ${columns.join(", ")}; yellow is where a map is highest, and masks, boxes and the mark's place are outlined in white.` +
      (versions.length > 1 ? ` Rows: ${versions.map(({ name }) => name).join("; ")}.` : "") +
      " Below: the class, what is said and how surely, and of the first map the share in each region (of the area)",
    pictures: shown.map((i) => {
      const label = labels[i]!;
      const name = dataset.images.file?.(indices[i]!) ?? `image ${indices[i]}`;
      const says = answers.map(({ model, version }) => modelSays(model, version, i));
      const title = `${name}: ${valueText(dataset.classNames[label]!)}${groups[i] === "all images" ? "" : ` (${groups[i]})`}`;
      return {
        label: `${title}; ${who.map((word, r) => `${word === "" ? "said" : word}: ${says[r]}`).join("; ")}`,
        alt: `${title}; maps of where the model looks, ${says.join("; ")}`,
        draw: async () => draw(answer, i),
      };
    }),
  };
}

function modelSays({ look, seen, network }: LookedModel, version: LookedVersion, i: number): string {
  const { predicted, probability, maps } = seen.get(version.name)!.get(i)!;
  const map = maps.get(look.methods[0] ?? "");
  const shares = [...version.regions].flatMap(([name, regions]) => {
    const region = regions[i];
    // Another model may take images of another size than regions were drawn in.
    if (
      map === undefined ||
      region === undefined ||
      region.length !== network.image.height * network.image.width
    )
      return [];
    const share = shareWithin(map, region);
    return [
      `${name} ${share === null ? "–" : `${(100 * share).toFixed(0)}%`} (${(100 * areaOf(region)).toFixed(0)}%)`,
    ];
  });
  return `${valueText(predicted)} ${(100 * probability).toFixed(0)}%${shares.length === 0 ? "" : `: ${shares.join(", ")}`}`;
}

function draw({ models, versions }: LooksAnswer, i: number): PictureFile {
  const shape = versionShape(models);
  const size = imageSize(shape);
  const rows = versions.map(({ name, bytes, regions }) => {
    const own = { ...shape, data: bytes.subarray(i * size, (i + 1) * size) };
    const outlined = [...regions.values()].flatMap((all) => (all[i] === undefined ? [] : [all[i]]));
    const maps = models.flatMap(({ look, seen, network: { image } }) =>
      look.methods.map((method) => {
        const fits = own.height === image.height && own.width === image.width;
        const base = fits ? own : asTile(own, Math.max(image.height, image.width));
        const heat = heatOver(base, seen.get(name)!.get(i)!.maps.get(method)!);
        if (fits) for (const region of outlined) outline(heat, region);
        return asTile(heat, tileSide);
      }),
    );
    return [asTile(own, tileSide), ...maps];
  });
  const sheet = tiled(rows);
  return { png: encodePng(sheet), width: sheet.width, height: sheet.height };
}

/** Versions were made for the first model. */
function versionShape(models: readonly LookedModel[]) {
  return models[0]!.network.image;
}
