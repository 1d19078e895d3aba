/** What we write beside datasets and read again: runs, features, pools, sweeps, plans, boxes. Digests and seals are made right again. */

import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../../../src/core/dataset.ts";
import { digestOf, sealed } from "../../../src/disk/vouched.ts";
import { formats } from "../../../src/formats/index.ts";
import { writeDataset } from "../../../src/formats/write-dataset.ts";
import { decodeRows, encodeRows } from "../../../src/pools/pool-table.ts";
import { compareByDataset } from "../../../src/reports/comparison.ts";
import { comparisonFormats, formatComparison } from "../../../src/reports/comparison-formats.ts";
import { openFeatures } from "../../../src/runs/feature-folder.ts";
import { FeatureWriter } from "../../../src/runs/feature-writer.ts";
import { readHistory } from "../../../src/runs/learning-curves.ts";
import { listedRun } from "../../../src/runs/listed-runs.ts";
import { readRun } from "../../../src/runs/run-list.ts";
import { studies } from "../../../src/studies/index.ts";
import { plannedOf, planStatus, recordPlan } from "../../../src/studies/registered.ts";
import { finishedSweep, membersOf } from "../../../src/sweeps/sweep-record.ts";
import { type FuzzedFormat, type Mutator, mustHold } from "../fuzzed-format.ts";
import { parquetFooter, parquetPages } from "../mutators/binary.ts";
import { jsonFile } from "../mutators/json.ts";
import { oddTable } from "../mutators/odd-text.ts";
import { tableText } from "../mutators/text.ts";
import { parquetFields, parquetPageFields } from "../mutators/thrift.ts";
import { jsonWords } from "../mutators/tokens.ts";
import { datasetContent, smallDataset } from "./small-dataset.ts";

const json = [jsonFile, jsonWords];

/** A record with what `change` makes of it, and a new seal; left alone where it is no record any longer. */
function sealAgain(path: string, change: (record: Record<string, unknown>) => object): void {
  try {
    // What is nested a million times takes gigabytes to write again.
    if (statSync(path).size > 2 ** 20) return;
    const { seal: _, ...record } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, sealed(change(record)));
  } catch {
    // Whoever reads it says so.
  }
}

const accuracy = [{ slice: "test", distribution: "iid", count: 8, accuracy: 0.75 }];

function run(file: string): FuzzedFormat {
  return {
    name: `run, ${file}`,
    covers: [`run ${file}`],
    mutators: json,
    seed: async (folder) => {
      const spec = {
        id: "a1",
        data: { name: "colored-mnist", settings: {} },
        model: "mlp",
        method: { name: "erm" },
        seed: 1,
      };
      const texts = {
        "spec.json": JSON.stringify(spec),
        "results.json": JSON.stringify({ epoch: 2, selection: { rule: "last", labels: "none" }, accuracy }),
        "history.csv": "epoch,train_loss,val_accuracy\n1,0.5,0.7\n2,0.4,0.8\n",
      };
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
      const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, digestOf(text)]));
      writeFileSync(join(folder, "manifest.json"), sealed({ cuelabRun: 5, id: "a1", files, builds: ["x"] }));
      return file;
    },
    settle: async (folder) =>
      sealAgain(join(folder, "manifest.json"), (record) =>
        file === "manifest.json"
          ? record
          : {
              ...record,
              files: { ...(record.files as object), [file]: digestOf(readFileSync(join(folder, file))) },
            },
      ),
    read: async (folder) => {
      const found = readRun(folder);
      const compared = compareByDataset([found]);
      const texts = comparisonFormats.map((format) => formatComparison(compared, format));
      const { state, accuracy: listed } = await listedRun(folder, true);
      return {
        found: { ...found, folder: "" },
        texts: texts.length,
        state,
        listed,
        history: readHistory(folder),
      };
    },
  };
}

const history: FuzzedFormat = {
  ...run("history.csv"),
  mutators: [tableText(","), oddTable(",")],
  read: async (folder) => readHistory(folder),
};

function features(file: string, mutators: readonly Mutator[]): FuzzedFormat {
  return {
    name: `features, ${file}`,
    covers: [`features ${file}`],
    mutators,
    seed: async (folder) => {
      const writer = await FeatureWriter.create(join(folder, "f"), smallDataset, 3, { force: false });
      await writer.write(Float32Array.from({ length: 24 }, (_, i) => i / 7));
      await writer.finish({ model: "mlp", options: {}, head: "head", weights: null, data: "small" });
      return join("f", file);
    },
    settle: async (folder) => {
      const [about, changed] = [join(folder, "f/features.json"), join(folder, "f", file)];
      const key = { "features.npy": "sha256", "examples.parquet": "examplesSha256" }[file];
      sealAgain(about, (record) =>
        key === undefined ? record : { ...record, [key]: digestOf(readFileSync(changed)) },
      );
    },
    read: async (folder) => {
      const opened = await openFeatures(join(folder, "f"), { most: 1e6 });
      const { dataset, width } = opened;
      const { labels, classNames, splits, attributes, images } = dataset;
      if ("rows" in opened) await opened.rows.close();
      else mustHold(opened.features.length === images.count * width, `${opened.features.length} numbers`);
      mustHold(
        labels.length === images.count && splits.values.length === images.count,
        "labels of other images",
      );
      mustHold(
        labels.every((label) => label < classNames.length),
        "a label that is none",
      );
      for (const { values, valueNames } of Object.values(attributes))
        mustHold(
          values.length === images.count && values.every((value) => value < valueNames.length),
          "a value that is none",
        );
      return {
        labels,
        splits,
        attributes,
        classNames,
        width,
        features: "features" in opened ? opened.features : null,
      };
    },
  };
}

const poolPart: FuzzedFormat = {
  name: "pool, a part",
  covers: ["pool part"],
  mutators: [parquetFooter, parquetPages, parquetFields, parquetPageFields],
  seed: async (folder) => {
    const rows = [0, 1, 2].map((i) => ({
      classifier: `00000${i}`,
      family: "linear",
      learning_rate: 0.1 * i,
      step: i,
      emphasised: "",
    }));
    writeFileSync(join(folder, "part.parquet"), await encodeRows(rows));
    return "part.parquet";
  },
  read: (folder) => decodeRows(join(folder, "part.parquet")),
};

const sweepRecord: FuzzedFormat = {
  name: "sweep, its record",
  covers: ["sweep record"],
  mutators: json,
  seed: async (folder) => {
    const runs = [{ id: "a1", state: "finished" }];
    const outcome = {
      entries: [
        { label: "erm", trials: [{ id: "b2", point: { rate: 1 }, score: 0.5 }], chosen: { rate: 1 }, runs },
      ],
    };
    const sweep = { name: "s", seeds: [1], runs: [{ label: "erm" }] };
    writeFileSync(
      join(folder, "s.sweep.json"),
      JSON.stringify({ cuelabSweep: 1, cuelabVersion: "0", sweep, outcome }),
    );
    return "s.sweep.json";
  },
  read: async (folder) => {
    const { outcome } = await finishedSweep(folder, "s");
    for (const { label, trials, runs } of outcome.entries) {
      mustHold(typeof label === "string", "an entry without a label");
      mustHold(
        [...trials, ...runs].every(({ id }) => typeof id === "string"),
        "a run without an id",
      );
    }
    return { outcome, members: await membersOf(folder, "s") };
  },
};

const plan: FuzzedFormat = {
  name: "study, its plan",
  covers: ["study plan"],
  mutators: json,
  seed: async (folder) => {
    await recordPlan(folder, plannedOf(studies.entries[0]!, "smoke"));
    return "plan.json";
  },
  read: async (folder) => {
    const { recorded, differences } = await planStatus(folder, plannedOf(studies.entries[0]!, "smoke"));
    mustHold(
      recorded === null || Number.isInteger(recorded.madeBefore),
      `made before: ${recorded?.madeBefore}`,
    );
    return { recorded, differences };
  },
};

const boxed: Dataset = {
  ...smallDataset,
  boxes: {
    thing: {
      description: "where it is",
      at: (index) => (index === 2 ? undefined : { left: 1, top: index % 3, width: 2, height: 2 }),
    },
  },
};

const boxes: FuzzedFormat = {
  name: "boxes.csv",
  covers: ["boxes"],
  mutators: [tableText(","), oddTable(",")],
  seed: async (folder) => {
    mkdirSync(folder, { recursive: true });
    await writeDataset(boxed, {
      out: join(folder, "d"),
      format: formats.get("npz"),
      encoding: "raw",
      force: false,
      workers: 0,
    });
    return join("d", "boxes.csv");
  },
  settle: async (folder) =>
    sealAgain(join(folder, "d/dataset.json"), (record) => {
      const bytes = readFileSync(join(folder, "d/boxes.csv"));
      return {
        ...record,
        boxes: { ...(record.boxes as object), bytes: bytes.length, sha256: digestOf(bytes) },
      };
    }),
  read: (folder) => datasetContent(join(folder, "d")),
};

export const ownFiles: readonly FuzzedFormat[] = [
  run("spec.json"),
  run("results.json"),
  run("manifest.json"),
  history,
  features("features.json", json),
  features("features.npy", []),
  features("examples.parquet", [parquetFooter, parquetPages, parquetFields, parquetPageFields]),
  poolPart,
  sweepRecord,
  plan,
  boxes,
];
