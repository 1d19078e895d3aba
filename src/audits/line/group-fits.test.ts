/** Groups of predictions: accuracies worked out by hand, and fits that are those of the same numbers in a wide table. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parquetWriteFile } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { randomStream } from "../../core/random.ts";
import { openAccuracies } from "../../predictions/accuracies/open-accuracies.ts";
import { writeAccuracies } from "../../predictions/accuracies/write-accuracies.ts";
import { auditLine, auditLineWithPoints } from "./audit-line.ts";

const root = temporaryFolder();

function file(name: string, content: string): string {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
  return join(root, name);
}

const predictionsName = (set: string, split: string, seed: number) =>
  `${set}/waterbirds_split:${split}_seed:${seed}_epoch:best_pred.csv`;

/** All columns of the table, by model. */
async function accuracies(paths: readonly string[], options: Parameters<typeof openAccuracies>[1]) {
  const table = await openAccuracies(paths, options);
  const numbers = table.environments!.flatMap(({ name, groups }) => [
    name,
    ...groups.filter(({ images }) => images > 0).map(({ column }) => column),
  ]);
  expect(table.columns.filter((name) => !["run", "seed", "epoch"].includes(name))).toEqual(numbers);
  const read = await table.read({ numbers, texts: ["run"] });
  return Array.from({ length: read.rows }, (_, row) =>
    Object.fromEntries(numbers.map((name) => [name, read.numbers.get(name)![row]])),
  );
}

describe("Waterbirds' form", () => {
  // Split 0 train, 1 val, 2 test; rows of splits are mixed. Groups (y, place) by row: see the comments at the numbers.
  const labels = file(
    "metadata.csv",
    "img_id,img_filename,y,split,place,place_filename\n" +
      "1,a/1.jpg,0,0,0,/x/1.jpg\n2,a/2.jpg,0,1,0,/x/2.jpg\n3,a/3.jpg,0,0,1,/x/3.jpg\n4,a/4.jpg,1,0,1,/x/4.jpg\n" +
      "5,a/5.jpg,1,2,0,/x/5.jpg\n6,a/6.jpg,1,0,1,/x/6.jpg\n7,a/7.jpg,0,2,0,/x/7.jpg\n8,a/8.jpg,1,1,0,/x/8.jpg\n" +
      "9,a/9.jpg,0,2,0,/x/9.jpg\n10,a/10.jpg,1,2,1,/x/10.jpg\n",
  );
  file(predictionsName("two", "train", 0), "0\n1\n1\n0\n");
  file(predictionsName("two", "val", 0), "0\n0\n");
  file(predictionsName("two", "test", 0), "1\n0\n1\n1\n");
  file(predictionsName("two", "train", 1), "1.0\n0\r\n1\n\n1");
  file(predictionsName("two", "val", 1), "1\n1\n");
  const choice = { labels, groups: ["y", "place"], environments: ["val+test"] };

  test("accuracies of groups, of splits and of splits that are one environment", async () => {
    const [first, second] = await accuracies([join(root, "two")], choice);
    // Train is rows 1 3 4 6: (0,0) right, (0,1) wrong, (1,1) right, (1,1) wrong.
    // Val is rows 2 8: (0,0) right, (1,0) wrong. Test is rows 5 7 9 10: (1,0) right, (0,0) right, (0,0) wrong, (1,1) right.
    expect(first).toEqual({
      test: 3 / 4,
      "test class=0 place=0": 1 / 2,
      "test class=1 place=0": 1,
      "test class=1 place=1": 1,
      train: 1 / 2,
      "train class=0 place=0": 1,
      "train class=0 place=1": 0,
      "train class=1 place=1": 1 / 2,
      val: 1 / 2,
      "val class=0 place=0": 1,
      "val class=1 place=0": 0,
      "val+test": 4 / 6,
      "val+test class=0 place=0": 2 / 3,
      "val+test class=1 place=0": 1 / 2,
      "val+test class=1 place=1": 1,
    });
    // Without predictions for test there is no accuracy on it, nor on both together.
    expect(second).toMatchObject({
      train: 3 / 4,
      "train class=0 place=0": 0,
      val: 1 / 2,
      "val+test": Number.NaN,
    });
  });

  test("the images of each group are told, and groups without any", async () => {
    const { environments, remarks, splits } = await auditLine({
      tables: [join(root, "two")],
      ...choice,
      id: ["train"],
      ood: ["val+test"],
      groupPairs: true,
    });
    const images = environments!.map(({ name, images, groups }) => [
      name,
      images,
      groups.map((g) => g.images),
    ]);
    expect(images).toEqual([
      ["train", 4, [1, 1, 0, 2]],
      ["val+test", 6, [3, 0, 2, 1]],
    ]);
    expect(remarks).toEqual(
      expect.arrayContaining([
        "no images in train, so no fits: class=1 place=0",
        "no images in val+test, so no fits: class=0 place=1",
      ]),
    );
    // The average on the average, three groups on the average, three on three.
    expect(splits).toHaveLength(1 + 3 + 9);
  });

  test("groups may leave the class out, or be classes alone", async () => {
    const [byPlace] = await accuracies([join(root, "two")], { labels, groups: ["place"] });
    expect(byPlace).toMatchObject({ "test place=0": 2 / 3, "test place=1": 1 });
    const [byClass] = await accuracies([join(root, "two")], { labels, groups: ["class"] });
    expect(byClass).toMatchObject({ "test class=0": 1 / 2, "test class=1": 1 });
  });

  test.each([
    [{ groups: ["y", "plaice"] }, /no column "plaice"[\s\S]*--groups[\s\S]*did you mean "place"/],
    [{ groups: ["y"], overlapping: ["place"] }, /two ways to make groups/],
    [{ groups: [] }, /--groups needs the columns/],
    [{ overlapping: ["img_id"] }, /"img_id" holds more than yes and no/],
    [{ groups: ["y"], labelColumn: "img_filename" }, /no prediction is one of the classes[\s\S]*a\/1\.jpg/],
    [{ groups: ["y"], splitColumn: "place" }, /no rows of split "test"/],
    [{ groups: ["y"], ood: ["val+tset"] }, /no predictions for "val\+tset"[\s\S]*one of: test, train, val/],
    [{ groups: ["y"], id: undefined }, /groups need both --id and --ood/],
    [{ groupPairs: true }, /--group-pairs needs --groups/],
  ])("what is wrong is said: %j", async (wrong, message) => {
    const asked = auditLine({ tables: [join(root, "two")], labels, id: ["train"], ood: ["test"], ...wrong });
    await expect(asked).rejects.toThrow(message);
  });

  test("labels of other images are refused, and groups of what is no prediction", async () => {
    const other = file("other.csv", `${readFileSync(labels, "utf8")}11,a/11.jpg,1,2,1,/x/11.jpg\n`);
    await expect(openAccuracies([join(root, "two")], { labels: other })).rejects.toThrow(
      /differ in number[\s\S]*one prediction for each row of .*other.csv with split test[\s\S]*4 predictions and 5 rows/,
    );
    const fewer = file("fewer.csv", readFileSync(labels, "utf8").replace(/^10,.*\n/m, ""));
    await expect(openAccuracies([join(root, "two")], { labels: fewer })).rejects.toThrow(
      /more than 3 predictions and 3 rows/,
    );
    const wide = file("wide.csv", "a,b\n0.5,0.6\n");
    await expect(openAccuracies([wide], { groups: ["y"] })).rejects.toThrow(/these are accuracies/);
  });
});

describe("fits", () => {
  /** 60 images a split, and models that differ in skill and in how they trust the place. */
  const random = randomStream(3, "groups/test").at(0);
  const images = Array.from({ length: 180 }, (_, i) => ({ y: i % 2, place: (i >> 1) % 2, split: i % 3 }));
  const names = ["train", "val", "test"];
  const labels = file(
    "many.csv",
    `y,split,place\n${images.map(({ y, split, place }) => `${y},${split},${place}\n`).join("")}`,
  );
  const models = Array.from({ length: 40 }, () => {
    const [skill, trust] = [0.6 + 0.35 * random.uniform(), 0.3 * random.uniform()];
    return images.map(({ y, place }) => {
      const right = random.uniform() < skill + (y === place ? trust / 2 : -trust);
      return right ? y : 1 - y;
    });
  });
  for (const [seed, predictions] of models.entries())
    for (const [split, name] of names.entries())
      file(
        predictionsName("many", name, seed),
        `${predictions.filter((_, i) => images[i]!.split === split).join("\n")}\n`,
      );

  test("equal those of the same accuracies in a wide table, counted here once more", async () => {
    const asked = { labels, groups: ["y", "place"], groupPairs: true, id: ["train"], ood: ["val+test"] };
    const { report, table } = await auditLineWithPoints({ tables: [join(root, "many")], ...asked });
    const share = (model: readonly number[], wanted: (image: (typeof images)[number]) => boolean) => {
      const members = [...images.keys()].filter((i) => wanted(images[i]!));
      return members.filter((i) => model[i] === images[i]!.y).length / members.length;
    };
    const groups = [0, 1].flatMap((y) => [0, 1].map((place) => ({ y, place })));
    const lines = models.map((model) => [
      share(model, ({ split }) => split === 0),
      share(model, ({ split }) => split > 0),
      ...groups.map((group) =>
        share(model, (i) => i.split === 0 && i.y === group.y && i.place === group.place),
      ),
      ...groups.map((group) =>
        share(model, (i) => i.split > 0 && i.y === group.y && i.place === group.place),
      ),
    ]);
    const title = (where: string) => groups.map(({ y, place }) => `${where}_y:${y}_place:${place}`);
    const header = ["home_avg", "away_avg", ...title("home"), ...title("away")];
    const wide = file("wide/all.csv", [header, ...lines].map((line) => `${line.join()}\n`).join(""));
    const fits = async (id: string, ood: string) =>
      (await auditLine({ tables: [wide], id: [id], ood: [ood] })).splits;
    const average = [...(await fits("home_avg", "away_avg")), ...(await fits("home_avg", "away_y:*"))];
    // Each OOD group has the mean of the four ID groups first, which is not asked for here.
    const pairs = (await fits("home_y:*", "away_y:*")).filter(({ id }) => id.length === 1);
    const numbers = ({ n, r, slope, intercept, stdErr }: (typeof pairs)[number]) => [
      n,
      r,
      slope,
      intercept,
      stdErr,
    ];
    expect(report.splits.map(numbers)).toEqual([...average, ...pairs].map(numbers));
    expect(report.splits[5]!.name).toBe("val+test class=0 place=0 on train class=0 place=0");
    // And as the accuracies are written down.
    await writeAccuracies(table, join(root, "written.csv"), { overwrite: false });
    const again = await auditLine({
      tables: [join(root, "written.csv")],
      id: ["train"],
      ood: ["val+test", "val+test class*"],
    });
    expect(again.splits.map(numbers)).toEqual(average.map(numbers));
    await expect(
      writeAccuracies(await openAccuracies([wide]), join(root, "x.csv"), { overwrite: false }),
    ).rejects.toThrow(/accuracies already/);
  });

  test("come out the same from tables with labels of their own, of CSV and Parquet", async () => {
    const paths = models.slice(0, 6).map((predictions, seed) => {
      const rows = images.map(
        ({ y, split, place }, i) => `${names[split]},${y},${predictions[i]},${place}\n`,
      );
      return file(`tables/${seed}.csv`, `split,y_true,y_pred,place\n${rows.join("")}`);
    });
    const asked = { groups: ["class", "place"], environments: ["val+test"] };
    const ours = await accuracies(paths, asked);
    const theirs = await accuracies([join(root, "many")], { ...asked, labels });
    expect(ours).toHaveLength(6);
    for (const model of ours) expect(theirs).toContainEqual(model);
    expect(new Set(ours.map((model) => model["val+test"])).size).toBeGreaterThan(3);
    const folder = join(root, "runs", "one");
    mkdirSync(folder, { recursive: true });
    parquetWriteFile({
      filename: join(folder, "predictions.parquet"),
      columnData: [
        { name: "split", data: images.map(({ split }) => names[split]!), type: "STRING" },
        { name: "y_true", data: images.map(({ y }) => y), type: "INT32" },
        { name: "logit_0", data: models[1]!.map((y) => 0.5 - y), type: "DOUBLE" },
        { name: "logit_1", data: models[1]!.map((y) => y - 0.5), type: "DOUBLE" },
        { name: "place", data: images.map(({ place }) => String(place)), type: "STRING" },
      ],
      kvMetadata: [{ key: "cuelab", value: JSON.stringify({ classNames: ["0", "1"] }) }],
    });
    expect(await accuracies([join(root, "runs")], asked)).toEqual([ours[1]]);
    writeFileSync(join(folder, "spec.json"), "{}");
    await expect(openAccuracies([join(root, "runs")], asked)).rejects.toThrow(/the run is not finished/);
  });
});

test("overlapping groups: an image counts in each that it says yes to, and in none without", async () => {
  const labels = file(
    "comments.csv",
    "split,y,male,black\ntest,0,1,1\ntest,1,1,0\ntest,0,0,0\ntest,1,0,1\ntest,0,True,0\nval,0,0,1\n",
  );
  file("overlap/civil_split:test_seed:0_epoch:last_pred.csv", "0\n0\n1\n1\n1\n");
  file("overlap/civil_split:val_seed:0_epoch:last_pred.csv", "0\n");
  const [model] = await accuracies([join(root, "overlap")], { labels, overlapping: ["male", "black"] });
  // Right are the test rows 1 and 4. Male: rows 1, 2, 5, of which 1 and 5 are class 0. Black: rows 1 and 4.
  expect(model).toEqual({
    test: 2 / 5,
    "test class=0 male=yes": 1 / 2,
    "test class=1 male=yes": 0,
    "test class=0 black=yes": 1,
    "test class=1 black=yes": 1,
    val: 1,
    "val class=0 black=yes": 1,
  });
});

test("CivilComments' own table has its 16 groups without naming them", async () => {
  const identities = ["male", "female", "LGBTQ", "christian", "muslim", "other_religions", "black", "white"];
  const row = (split: string, toxicity: number, yes: readonly string[]) =>
    `"text, quoted",${split},${toxicity},${identities.map((name) => (yes.includes(name) ? 0.6 : 0.1)).join()}\n`;
  const labels = file(
    "all_data_with_identities.csv",
    `comment_text,split,toxicity,${identities.join()}\n` +
      row("test", 0.9, ["male", "white"]) +
      row("test", 0.1, ["male"]) +
      row("test", 0.5, ["male"]),
  );
  file("civil/civilcomments_split:test_seed:0_epoch:best_pred.csv", "1\n0\n0\n");
  const table = await openAccuracies([join(root, "civil")], { labels, groups: [] });
  expect(table.environments![0]!.groups).toHaveLength(16);
  const [model] = await accuracies([join(root, "civil")], { labels, groups: [] });
  expect(model).toEqual({
    test: 2 / 3,
    "test class=non-toxic male=yes": 1,
    "test class=toxic male=yes": 1 / 2,
    "test class=toxic white=yes": 1,
  });
});

test("columns by pattern, as WILDS' logs name them", async () => {
  const groups = ["landbird_background:land", "landbird_background:water", "waterbird_background:land"];
  for (const [split, shift] of [
    ["train", 0.2],
    ["test", 0],
  ] as const) {
    const lines = Array.from({ length: 12 }, (_, epoch) => {
      const at = 0.4 + shift + 0.02 * epoch;
      const others = groups.map((_, i) => at - 0.05 * i + 0.01 * ((epoch * (i + 3)) % 4));
      return `${epoch},${at},${others.join()},5\n`;
    });
    const columns = groups.map((name) => `acc_y:${name}`);
    file(`logs/${split}_eval.csv`, `epoch,acc_avg,${columns.join()},count_y:${groups[0]}\n${lines.join("")}`);
  }
  const asked = { tables: [join(root, "logs")], id: ["train.acc_avg"] };
  const { splits } = await auditLine({ ...asked, ood: ["test.acc_y:*"] });
  expect(splits.map(({ ood }) => ood)).toEqual(groups.map((name) => `test.acc_y:${name}`));
  const named = await auditLine({ ...asked, ood: groups.map((name) => `test.acc_y:${name}`) });
  expect(named.splits).toEqual(splits);
  await expect(auditLine({ ...asked, ood: ["test.acc_z*"] })).rejects.toThrow(
    /no column is like "test.acc_z\*"/,
  );
  await expect(auditLine({ ...asked, ood: ["train.acc_avg"] })).rejects.toThrow(/--ood needs other columns/);
});
