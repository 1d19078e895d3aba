/** Small things to audit, one of each kind; with names as people give them, or as nobody should. */

import { join } from "node:path";
import type { AuditSubject, AuditSubjects } from "../audits/audit.ts";
import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { hostileNames } from "./hostile-names.ts";

type Names = "plain" | "hostile";

/** All at once, but for a name of a book's length and one with a NUL, with which a table is none. */
const hostile = hostileNames.filter((name) => name.length < 200 && !name.includes("\0")).join(" ");

export async function auditedThings<Of extends AuditSubject>(
  of: Of,
  folder: string,
  names: Names = "plain",
): Promise<AuditSubjects[Of]> {
  return things[of](folder, names);
}

const things: { [Of in AuditSubject]: (folder: string, names: Names) => Promise<AuditSubjects[Of]> } = {
  predictions: async (folder, names) => ({ tables: [await predictionTable(folder, names)] }),
  dataset: async (_, names) => squares(names),
  objects: async (_, names) => ({
    title: word("photographs", names),
    images: Array.from({ length: 12 }, (_, i) => ({
      className: word(`class ${i % 4}`, names),
      width: 100,
      height: 80,
      boxes: [{ left: (5 * i) % 40, top: (3 * i) % 30, width: 20 + 3 * i, height: 10 + 2 * i }],
      describe: `image ${i}`,
    })),
  }),
  accuracies: async (folder, names) => ({ tables: [await accuracyTable(folder, names)] }),
  features: async (_, names) => {
    const dataset = squares(names);
    const random = randomStream(0, "audited-features").at(0);
    const width = 6;
    const features = Float32Array.from(
      { length: dataset.images.count * width },
      (_, i) => random.normal() + (i % width === 0 ? dataset.labels[Math.floor(i / width)]! : 0),
    );
    return { title: word("features", names), features, width, dataset };
  },
  model: async (_, names) => {
    const { smallModel } = await import("./small-model.ts");
    const dataset = squares(names, 16);
    return { model: smallModel(dataset), dataset };
  },
  pool: async (folder) => {
    const { smallPool } = await import("./small-pool.ts");
    return smallPool(folder);
  },
};

function word(plain: string, names: Names): string {
  return names === "plain" ? plain : `${plain} ${hostile}`;
}

/** 96 squares of two classes, light or dark, a cue that goes with the class in training, and a shifted test split. */
function squares(names: Names, side = 4): Dataset {
  const count = 96;
  const labels = Uint16Array.from({ length: count }, (_, i) => i % 2);
  const splits = Uint8Array.from({ length: count }, (_, i) => Math.min(2, Math.floor((3 * i) / count)));
  const values = labels.map((label, i) => (splits[i] === 2 || i % 12 === 0 ? 1 - label : label));
  const shape = { height: side, width: side, channels: 3 as const };
  return {
    name: "squares",
    images: {
      count,
      shape,
      pixels: async (index) => ({
        ...shape,
        data: new Uint8Array(3 * side * side).fill(60 + 120 * labels[index]! + (index % 40)),
      }),
      describe: (index) => `${word("square", names)} ${index}`,
    },
    labels,
    classNames: [word("dark", names), word("light", names)],
    attributes: {
      frame: {
        values: Uint16Array.from(values),
        valueNames: [word("thin", names), word("thick", names)],
        role: "cue",
      },
    },
    splits: { names: ["train", "val", "test"], values: splits },
    provenance: {
      title: word("Squares", names),
      description: "Squares for trying audits on.",
      generator: { name: "squares", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "CC0-1.0",
      skipped: [],
    },
  };
}

/** Forty rows of two classes and a cue, three quarters right. */
async function predictionTable(folder: string, names: Names): Promise<string> {
  const lines = Array.from({ length: 40 }, (_, i) => {
    const [label, place] = [i % 2, Math.floor(i / 2) % 2];
    const predicted = i % 8 === 0 || (label !== place && i % 3 === 0) ? 1 - label : label;
    const cell = (text: string) => `"${word(text, names).replaceAll('"', '""')}"`;
    return [String(i), cell(`bird ${label}`), cell(`bird ${predicted}`), cell(`place ${place}`), "test"].join(
      ",",
    );
  });
  return written(folder, `predictions-${names}.csv`, ["id,y_true,y_pred,place,split", ...lines]);
}

/** Thirty models whose accuracy abroad follows that at home, by and large. */
async function accuracyTable(folder: string, names: Names): Promise<string> {
  const lines = Array.from({ length: 30 }, (_, i) => {
    const home = 0.5 + i / 80;
    return [
      `"${word(`model ${i}`, names).replaceAll('"', '""')}"`,
      home,
      home - 0.1 + ((7 * i) % 5) / 100,
      i % 3,
    ];
  });
  return written(folder, `accuracies-${names}.csv`, [
    "model,env0_out_acc,env1_out_acc,test_env",
    ...lines.map((cells) => cells.slice(0, 3).concat(1).join(",")),
  ]);
}

async function written(folder: string, name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await makeFolder(folder);
  await writeWhole(path, `${lines.join("\n")}\n`, { overwrite: true });
  return path;
}
