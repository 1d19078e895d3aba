/** The paper's tables with one's own networks in them, and where these stand among the paper's. */

import type { Cell, Figure, Row, Section, Table } from "../../core/section.ts";
import { seedsCell } from "../../core/section.ts";
import { capital } from "../../core/words.ts";
import {
  categoriesOf,
  type PlacedCells,
  type PlacedRow,
  placedCells,
  table1,
  table2,
  table3,
  table4,
  table5,
  table7,
  table8,
  table9,
  table10,
} from "../../published/corner-cases.ts";
import { dotsFigure } from "../figures.ts";
import type { Measured } from "../jobs/kinds.ts";
import { type NetworkRow, networkShare, networksOf, remarked } from "../pretrained/networks.ts";
import { trainingSections } from "../pretrained/training-section.ts";
import { printed } from "../summaries.ts";
import { all, categories, meanOf, placedShares } from "./cells.ts";
import { partTitles } from "./plan.ts";

/** Each table's own networks; two tables may have one of the same name. */
const fromTables = [table1, table2, table3, table4, table5].flatMap((rows, i) =>
  rows.map((row) => ({ ...row, table: `Table ${i + 1}` })),
);

interface PrintedNetwork {
  network: string;
  table: string;
  clean: number;
  cells: PlacedCells;
}

const named = (table: string, rows: readonly PlacedRow[]): PrintedNetwork[] =>
  rows.map(({ network, clean, square }) => ({ network, clean, cells: square, table }));

const published: Record<string, readonly PrintedNetwork[]> = {
  squeezed: fromTables.map(({ square: cells, ...row }) => ({ ...row, cells })),
  proportions: fromTables.map(({ preserve, ...row }) => ({ ...row, cells: preserve! })),
  telling: named("Table 8", table8),
  masks: named("Table 9", table9),
};

const categoryNames = ["easy", "medium", "hard"] as const;

export function placedSections(measured: readonly Measured[], isOwn: boolean): Section[] {
  const clean = networksOf(measured, "clean");
  const whose = isOwn
    ? "networks of ours that were trained on drawn photographs of fifteen classes, which are not the paper's thousand: compare signs and order"
    : "networks that were brought, with intervals over their images alone";
  const asked = Object.keys(published).flatMap((part): Section[] => {
    const networks = networksOf(measured, part);
    const title = partTitles[part as keyof typeof partTitles];
    if (networks.length === 0) {
      const absent =
        measured.length === 0
          ? []
          : [
              {
                name: part,
                heading: capital(title),
                text: "Not asked: nothing was given for it, or nothing is finished.",
              },
            ];
      return absent;
    }
    return [
      {
        name: part,
        heading: capital(title),
        text: `Rows of ours are ${whose}.`,
        tables: [categoriesTable(part, networks, clean), cellsTable(part, networks, clean)],
        figures: [standingFigure(part, title, networks)],
        remarks:
          part === "squeezed"
            ? [
                "Tables 7 and 10 print three means and no groups: their networks stand in the table of means alone",
              ]
            : [],
      },
    ];
  });
  return [...asked, ...trainingSections(measured)];
}

function cleanCell(clean: readonly NetworkRow[], label: string): Cell {
  const found = clean.find((network) => network.label === label);
  return found === undefined ? null : networkShare(found, (answer) => answer);
}

function estimateCell(network: NetworkRow, where: Parameters<typeof meanOf>[1]): Cell {
  const { answers } = network;
  const values = answers.map((answer) => meanOf(answer, where)?.value);
  const images = answers[0]?.groups.reduce((sum, group) => sum + group.images, 0);
  return remarked(seedsCell(values, images), network);
}

function categoriesTable(part: string, networks: readonly NetworkRow[], clean: readonly NetworkRow[]): Table {
  const ours = networks.map((network): { mean: number; row: Row } => {
    const cells = [...categoryNames.map((name) => categories[name]), all].map((where) =>
      estimateCell(network, where),
    );
    const last = cells.at(-1);
    const mean = typeof last === "object" && last !== null && "mean" in last ? last.mean : 0;
    return {
      mean,
      row: {
        source: "ours",
        marked: true,
        cells: [network.label, "ours", cleanCell(clean, network.label), ...cells],
      },
    };
  });
  const theirs = [
    ...published[part]!.map(({ network, table, clean: own, cells }) => {
      const { easy, medium, hard } = categoriesOf(cells);
      return {
        network,
        table,
        clean: own as number | undefined,
        numbers: [easy, medium, hard, (easy + medium + hard) / 3],
      };
    }),
    ...(part === "squeezed" ? [table7, table10] : []).flatMap((rows, i) =>
      rows
        .filter(({ method }) => method === "Pretrained")
        .map(({ easy, medium, hard, average }) => ({
          network: i === 0 ? "ResNet-50" : "ConvNeXt-tiny",
          table: i === 0 ? "Table 7" : "Table 10",
          clean: undefined,
          numbers: [easy, medium, hard, average],
        })),
    ),
  ].map(({ network, table, clean: own, numbers }) => ({
    mean: numbers[3]! / 100,
    row: { source: "published", cells: [network, table, printed(own), ...numbers.map(printed)] } as Row,
  }));
  return {
    name: `${part}-means`,
    caption: "Clean accuracy and the means of groups, best first: in per cent",
    columns: [
      { title: "Network" },
      { title: "Source" },
      { title: "Clean", better: "higher" },
      ...[...categoryNames, "all"].map((title) => ({ title, better: "higher" as const })),
    ],
    rows: [...ours, ...theirs].sort((a, b) => b.mean - a.mean).map(({ row }) => row),
  };
}

function cellsTable(part: string, networks: readonly NetworkRow[], clean: readonly NetworkRow[]): Table {
  const sizes = ["56 of 224", "84 of 224", "112 of 224"];
  const ours = networks.flatMap((network) =>
    sizes.map((size, rank): Row => {
      const cells = placedCells.map((cell) =>
        networkShare(network, (answer) => placedShares(answer)?.[cell][rank]),
      );
      return {
        source: "ours",
        cells: [network.label, "ours", rank === 0 ? cleanCell(clean, network.label) : null, size, ...cells],
      };
    }),
  );
  const theirs = published[part]!.flatMap(({ network, table, clean: own, cells }) =>
    sizes.map(
      (size, rank): Row => ({
        source: "published",
        cells: [
          network,
          table,
          rank === 0 ? printed(own) : null,
          size,
          ...placedCells.map((cell) => printed(cells[cell][rank])),
        ],
      }),
    ),
  );
  return {
    name: `${part}-groups`,
    caption:
      "Accuracy of each group in per cent. Ce: centre, Co: corner; O: original background, R: random one of another class",
    columns: [
      { title: "Network" },
      { title: "Source" },
      { title: "Clean" },
      { title: "Object" },
      ...placedCells.map((title) => ({ title })),
    ],
    rows: [...ours, ...theirs],
  };
}

/** Where one's own networks stand: easy, medium and hard groups of all, by their hard ones. */
function standingFigure(part: string, title: string, networks: readonly NetworkRow[]): Figure {
  const ours = networks.map((network) => ({
    row: network.label,
    published: false,
    values: categoryNames.map((name) => {
      const values = network.answers.flatMap((answer) => meanOf(answer, categories[name])?.value ?? []);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    }),
  }));
  const theirs = published[part]!.map(({ network, table, cells }) => {
    const { easy, medium, hard } = categoriesOf(cells);
    return {
      row: `${network}, ${table}`,
      published: true,
      values: [easy, medium, hard].map((value) => value / 100),
    };
  });
  const sorted = [...ours, ...theirs].sort((a, b) => b.values[2]! - a.values[2]!);
  return dotsFigure(
    {
      name: `${part}-standing`,
      caption: `${title}: our networks (filled, on a band) among the paper's (hollow), by their hard groups`,
    },
    {
      value: { title: "accuracy", domain: [0, 1] },
      marked: ours.map(({ row }) => row),
      points: sorted.flatMap(({ row, published: isTheirs, values }) =>
        values.map((value, i) => ({
          row,
          series: categoryNames[i]!,
          value,
          ...(isTheirs && { published: true }),
        })),
      ),
    },
  );
}
