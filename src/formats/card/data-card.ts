/** The README.md of a dataset: what it is, how its cues go with the label, how to load it, how to make it again. */

import { cuesOf, occurrenceCells, slicesOf } from "../../core/cue-statistics.ts";
import type { Dataset } from "../../core/dataset.ts";
import { codeSpan, escapeMarkdown } from "../../core/markdown-text.ts";
import { numberedUnseen } from "../../core/shown-text.ts";
import { boxesName } from "../boxes.ts";
import { checkedCues, cueCaption, cueCells, cueSentences, cueTitles } from "../checked-cues.ts";
import type { Format } from "../format.ts";
import type { Manifest } from "../manifest.ts";
import { describePlace } from "../side-images.ts";
import { contactSheetName } from "./contact-sheet.ts";
import { sizeText } from "./size-text.ts";

export function dataCard(dataset: Dataset, manifest: Manifest, format: Format): string {
  return [
    frontMatter(manifest, format),
    `# ${escapeMarkdown(manifest.title)}`,
    manifest.description.split("\n\n").map(escapeMarkdown).join("\n\n"),
    `![Examples by class and cue](${contactSheetName})`,
    summary(manifest),
    "## Attributes",
    attributeTable(manifest),
    ...sides(manifest, format),
    "## Groups",
    ...groupTables(dataset),
    "## Cues",
    ...cueTexts(dataset, manifest),
    "## Loading",
    format.loading(manifest),
    "## Provenance",
    provenance(manifest),
    "",
  ].join("\n\n");
}

/** Hugging Face reads the splits from here, whatever else lies in the folder. */
function frontMatter({ title, count, splits }: Manifest, format: Format): string {
  const size =
    count < 1000
      ? "n<1K"
      : count < 10_000
        ? "1K<n<10K"
        : count < 100_000
          ? "10K<n<100K"
          : count < 1_000_000
            ? "100K<n<1M"
            : "1M<n<10M";
  const dataFiles = format.dataFiles;
  const files = Object.entries(splits)
    .filter(([, images]) => images > 0 && dataFiles)
    .flatMap(([split]) => [
      `      - split: ${split === "val" ? "validation" : split}`,
      `        path: ${JSON.stringify(dataFiles!(split))}`,
    ]);
  return [
    "---",
    `pretty_name: ${numberedUnseen(JSON.stringify(title))}`,
    "task_categories:",
    "  - image-classification",
    "size_categories:",
    `  - ${size}`,
    ...(files.length === 0 ? [] : ["configs:", "  - config_name: default", "    data_files:", ...files]),
    "---",
  ].join("\n");
}

function summary({
  count,
  splits,
  image,
  classNames,
  format,
  encoding,
  license,
  citation,
}: Manifest): string {
  const parts = Object.entries(splits).map(([name, images]) => `${name} ${images.toLocaleString("en")}`);
  const size = image === null ? "of various sizes" : `of ${sizeText(image)}, ${image.channels} channels`;
  return table(
    ["", ""],
    [
      ["Images", `${count.toLocaleString("en")} ${size}`],
      ["Splits", parts.join(", ")],
      ["Classes", classNames.map((name, i) => `${i}: ${name}`).join("; ")],
      ["Stored as", `${format}${encoding === "raw" ? "" : `, ${encoding}`}`],
      ["License", license],
      ...(citation === undefined ? [] : [["Source", citation]]),
    ],
  );
}

function attributeTable({ attributes }: Manifest): string {
  return table(
    ["attribute", "role", "values", "meaning"],
    attributes.map(({ name, role, valueNames, description }) => [
      name,
      role,
      valueNames.length > 12
        ? `${valueNames.length} values, 0 to ${valueNames.length - 1}`
        : valueNames.map((value, i) => `${i}: ${value}`).join("; "),
      description ?? "",
    ]),
  );
}

/** Pictures and boxes that go with each image. */
function sides({ sideImages = [], boxes }: Manifest, format: Format): string[] {
  const pictures = sideImages.map(({ name, height, width, channels, description }) => [
    name,
    `${sizeText({ width, height })}, ${channels === 1 ? "1 channel" : `${channels} channels`}`,
    description,
    { code: describePlace(format, name) },
  ]);
  return [
    ...(pictures.length === 0
      ? []
      : ["## Side images", table(["picture", "size", "meaning", "file"], pictures)]),
    ...(boxes === undefined
      ? []
      : [
          "## Boxes",
          `\`${boxesName}\` says where things are, in pixels: \`index\` counts the images of all splits from 0, ` +
            "`position` those of one split.",
          table(
            ["thing", "meaning"],
            boxes.things.map(({ name, description }) => [name, description]),
          ),
        ]),
  ];
}

/** Images of each class and cue value, on every split and on every value of the attribute told apart. */
function groupTables(dataset: Dataset): string[] {
  const slices = slicesOf(dataset, dataset.provenance.statisticsBy);
  return cuesOf(dataset).map(([cue, attribute]) => {
    const rows = occurrenceCells(dataset, attribute, slices);
    return table(["slice", "class", ...attribute.valueNames.map((value) => `${cue}: ${value}`)], rows);
  });
}

/** As `data check` would tell them. */
function cueTexts(dataset: Dataset, { statisticsBy }: Manifest): string[] {
  const cues = checkedCues(dataset, statisticsBy);
  const rows = cues.map((cue) =>
    cueCells(cue).map((cell) => (cell === null ? "–" : typeof cell === "string" ? cell : cell.text)),
  );
  const said = cueSentences(cues).map((sentence) => `- ${escapeMarkdown(sentence)}`);
  return [
    ...(said.length === 0 ? [] : [said.join("\n")]),
    table(cueTitles, rows),
    escapeMarkdown(`${cueCaption}.`),
  ];
}

function provenance({ generator, settings, seed, sources, skipped, hash, cuelabVersion }: Manifest): string {
  const origin =
    generator.name === "import"
      ? [`Imported by Cuelab ${cuelabVersion} from files that it did not make.`]
      : [
          `Made by ${codeSpan(generator.name)} version ${generator.version} of Cuelab ${cuelabVersion} with seed ${seed} and settings`,
          `\`\`\`json\n${numberedUnseen(JSON.stringify(settings, null, 2))}\n\`\`\``,
        ];
  const lines = [
    ...origin,
    `Content hash: ${codeSpan(hash)} (the same in every format and for any number of workers).`,
    ...(sources.length === 0
      ? []
      : [
          table(
            ["source", "license", "file", "SHA-256"],
            sources.flatMap((source) =>
              Object.entries(source.sha256).map(([file, digest]) => [
                source.name,
                source.license,
                file,
                { code: digest },
              ]),
            ),
          ),
        ]),
    ...(skipped.length === 0
      ? []
      : [
          `Left out because they could not be read:`,
          table(
            ["image", "reason"],
            skipped.map(({ image, reason }) => [image, reason]),
          ),
        ]),
  ];
  return lines.join("\n\n");
}

/** More rows than this belong into the data, not into its card. */
const mostRows = 200;

type CardCell = string | { code: string };

function table(header: readonly string[], rows: readonly (readonly CardCell[])[]): string {
  const shown = (cell: CardCell) => (typeof cell === "string" ? escapeMarkdown(cell) : codeSpan(cell.code));
  const line = (cells: readonly CardCell[]) => `| ${cells.map(shown).join(" | ")} |`;
  const hidden = rows.length - mostRows;
  const note = hidden > 0 ? [`\n… and ${hidden.toLocaleString("en")} more rows.`] : [];
  // No cell: escaped, it would be no table any more.
  const rule = `|${" --- |".repeat(header.length)}`;
  return [line(header), rule, ...rows.slice(0, mostRows).map(line), ...note].join("\n");
}
