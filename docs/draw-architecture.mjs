/** Draws docs/images/architecture.svg from the imports of src: `npm run architecture`. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { folderOf, importsOf, layers, levels } from "../test/law.mjs";

export const picture = resolve(import.meta.dirname, "images/architecture.svg");

const [width, rowHeight, boxHeight, margin] = [980, 76, 46, 16];

/** Layers from the ground up; a line leads to what a folder imports, unless others in between import it too. */
export function drawArchitecture() {
  const files = new Map();
  const direct = new Map([...levels.keys()].map((name) => [name, new Set()]));
  const seen = new Set();
  for (const { file, target } of importsOf()) {
    const [from, to] = [folderOf(file), folderOf(target)];
    if (!seen.has(file)) files.set(from, (files.get(from) ?? 0) + 1);
    seen.add(file);
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
  const boxes = [...places].map(([name, { x, y, box, what }]) => {
    const title = `${name}/ (${files.get(name)})`;
    return [
      `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${box.toFixed(1)}" height="${boxHeight}" rx="6"/>`,
      `<text class="name" x="${(x + box / 2).toFixed(1)}" y="${(y + 19).toFixed(1)}">${title}</text>`,
      `<text x="${(x + box / 2).toFixed(1)}" y="${(y + 36).toFixed(1)}">${shortened(what, box)}</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Folders of src in layers; lines lead to what a folder imports">
<style>rect{fill:#f6f8fb;stroke:#8a94a6}text{font:11px sans-serif;text-anchor:middle;fill:#3a4250}.name{font:600 13px sans-serif;fill:#10141c}path{fill:none;stroke:#8fb3d9;stroke-width:1.2}</style>
<rect x="0" y="0" width="${width}" height="${height}" style="fill:#fff;stroke:none"/>
${lines.join("\n")}
${boxes.join("\n")}
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
