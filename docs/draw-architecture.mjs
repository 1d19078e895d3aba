/** Draws docs/images/architecture.svg from the imports of src: `npm run architecture`. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { folderOf, importsOf, layers, levels } from "../test/law.mjs";

export const picture = resolve(import.meta.dirname, "images/architecture.svg");

const [width, rowHeight, boxHeight, margin] = [980, 76, 46, 16];

/** Layers from the ground up; a line leads to what a folder imports, unless others in between import it too. */
export function drawArchitecture() {
  const direct = new Map([...levels.keys()].map((name) => [name, new Set()]));
  for (const { file, target } of importsOf()) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (levels.has(from) && levels.has(to) && from !== to) direct.get(from).add(to);
  }
  const reach = (from, known = new Set()) => {
    for (const to of direct.get(from)) if (!known.has(to)) reach(to, known.add(to));
    return known;
  };
  const places = new Map();
  const height = layers.length * rowHeight + 2 * margin;
  for (const [level, layer] of layers.entries()) {
    const names = Object.keys(layer);
    const room = (width - 2 * margin) / names.length;
    const box = Math.min(room - 12, 300);
    for (const [i, name] of names.entries())
      places.set(name, {
        x: margin + room * (i + 0.5) - box / 2,
        y: height - margin - (level + 1) * rowHeight + (rowHeight - boxHeight) / 2,
        box,
        what: layer[name],
      });
  }
  const lines = [...direct].flatMap(([from, all]) => {
    const through = new Set([...all].flatMap((to) => [...reach(to)]));
    return [...all].filter((to) => !through.has(to)).map((to) => line(places.get(from), places.get(to)));
  });
  const centre = ({ x, box }) => (x + box / 2).toFixed(1);
  const boxes = [...places.values()].map(
    ({ x, y, box }) =>
      `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${box.toFixed(1)}" height="${boxHeight}" rx="6"/>`,
  );
  const names = [...places].map(
    ([name, place]) => `<text x="${centre(place)}" y="${(place.y + 19).toFixed(1)}">${name}/</text>`,
  );
  const texts = [...places.values()].map(
    (place) =>
      `<text x="${centre(place)}" y="${(place.y + 36).toFixed(1)}">${shortened(place.what, place.box)}</text>`,
  );
  // Attributes and no style sheet: every program that shows SVG knows them.
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Folders of src in layers; lines lead to what a folder imports">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<g fill="none" stroke="#8fb3d9" stroke-width="1.3">
${lines.join("\n")}
</g>
<g fill="#f6f8fb" stroke="#8a94a6">
${boxes.join("\n")}
</g>
<g font-family="Inter, sans-serif" font-size="14" font-weight="600" text-anchor="middle" fill="#10141c">
${names.join("\n")}
</g>
<g font-family="Inter, sans-serif" font-size="11" text-anchor="middle" fill="#3a4250">
${texts.join("\n")}
</g>
</svg>
`;
}

function line(from, to) {
  const [x1, y1] = [from.x + from.box / 2, from.y + boxHeight];
  const [x2, y2] = [to.x + to.box / 2, to.y];
  const bend = Math.max(18, (y2 - y1) / 2);
  const numbers = [x1, y1 + bend, x2, y2 - bend, x2, y2].map((value) => value.toFixed(1));
  return `<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}C${numbers.join(" ")}"/>`;
}

/** What fits the box; the whole sentence is in CONTRIBUTING.md. */
function shortened(text, box) {
  const most = Math.floor(box / 5.6);
  const kept = text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
  return kept.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(picture, drawArchitecture());
  console.log(picture);
}
