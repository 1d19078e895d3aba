import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import {
  attributeCsv,
  attributeText,
  attributeValues,
  celebaNames,
  faceRows,
  partitionCsv,
  partitionText,
  writeCeleba,
  writeFaces,
} from "../../test/helpers/celeba.ts";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { groupCounts } from "../core/cue-statistics.ts";
import { CuelabError } from "../core/errors.ts";
import { openDataset } from "../formats/open-dataset.ts";
import { celeba } from "./celeba.ts";

const root = temporaryFolder();
const plain = join(root, "plain");

beforeAll(async () => {
  await writeCeleba(plain);
});

const build = (settings: Record<string, unknown> = {}, seed = 0) =>
  celeba.build({ folder: plain, ...settings }, seed);

const digests = async (folder: string, settings = {}, seed = 0) =>
  (await celeba.build({ folder, ...settings }, seed)).provenance.sources[0]!.sha256;

describe("reading", () => {
  test("labels, splits and cues are those of the lists, image by image", async () => {
    const { labels, classNames, attributes, splits, images } = await build();
    expect(classNames).toEqual(["not blond hair", "blond hair"]);
    expect(Object.keys(attributes)).toEqual(["Male"]);
    expect(attributes.Male).toMatchObject({ role: "cue", valueNames: ["no", "yes"] });
    expect([...labels]).toEqual(faceRows.map(({ blond }) => Number(blond)));
    expect([...attributes.Male!.values]).toEqual(faceRows.map(({ male }) => Number(male)));
    expect([...splits.values]).toEqual(faceRows.map(({ split }) => split));
    expect(images.describe(59)).toBe(join(plain, "img_align_celeba", "000060.jpg"));
  });

  test("four groups, counted by hand: of ten images 4, 2, 3 and 1", async () => {
    const { groups } = groupCounts(await build());
    expect(groups).toEqual([
      { label: "not blond hair", values: ["no"], counts: { train: 16, val: 4, test: 4 } },
      { label: "not blond hair", values: ["yes"], counts: { train: 8, val: 2, test: 2 } },
      { label: "blond hair", values: ["no"], counts: { train: 12, val: 3, test: 3 } },
      { label: "blond hair", values: ["yes"], counts: { train: 4, val: 1, test: 1 } },
    ]);
  });

  test("the value that goes with a class is the more frequent one in training, where there is one", async () => {
    expect((await build()).attributes.Male!.classValues).toEqual([0, 0]);
    // Columns 34 and 39 of the list are equal, so that each value goes with its class.
    const equal = await build({ target: "Young", cue: ["Wearing_Earrings"] });
    expect(equal.attributes.Wearing_Earrings!.classValues).toEqual([0, 1]);
    // Of two training images with A one has B.
    const folder = await writeCeleba(join(root, "tie"));
    const rows = ["1 1", "1 -1", "-1 1", "1 1", "1 1"].map((values, i) => `00000${i + 1}.jpg  ${values}`);
    writeFileSync(join(folder, "list_attr_celeba.txt"), `5\nA B\n${rows.join("\n")}`);
    const splits = [0, 0, 0, 1, 2].map((split, i) => `00000${i + 1}.jpg ${split}`);
    writeFileSync(join(folder, "list_eval_partition.txt"), splits.join("\n"));
    const tied = await celeba.build({ folder, target: "A", cue: ["B"] }, 0);
    expect([...tied.labels]).toEqual([1, 1, 0, 1, 1]);
    expect(tied.attributes.B).not.toHaveProperty("classValues");
  });

  test("any attributes can be label, cues or kept", async () => {
    const { labels, classNames, attributes } = await build({
      target: "Wearing_Hat",
      cue: ["Male", "Young"],
      keep: ["Smiling"],
    });
    expect(classNames).toEqual(["not wearing hat", "wearing hat"]);
    const column = (name: string) =>
      [...faceRows.keys()].map((row) => Number(attributeValues(row)[celebaNames.indexOf(name)] === 1));
    expect([...labels]).toEqual(column("Wearing_Hat"));
    for (const name of ["Male", "Young", "Smiling"])
      expect([...attributes[name]!.values]).toEqual(column(name));
    expect(Object.entries(attributes).map(([name, { role }]) => `${name} ${role}`)).toEqual([
      "Male cue",
      "Young cue",
      "Smiling other",
    ]);
    const all = await build({ keep: ["all"] });
    expect(Object.keys(all.attributes)).toHaveLength(39);
  });

  test("images are the middle 178 × 178, at their own size untouched", async () => {
    const { images } = await build({ size: 178 });
    const file = join(plain, "img_align_celeba", "000008.jpg");
    const expected = await sharp(file)
      .extract({ left: 0, top: 20, width: 178, height: 178 })
      .raw()
      .toBuffer();
    const { data, ...shape } = await images.pixels(7);
    expect(shape).toEqual({ height: 178, width: 178, channels: 3 });
    expect(Buffer.compare(data, expected)).toBe(0);
  });

  test("resized, the flat parts keep their colour, and nothing of the cut rows is left", async () => {
    const { images } = await build({ size: 60 });
    // Image 31 is blond and male: yellow above, blue below, a white stripe from column 60 to 79 of 178.
    const { data } = await images.pixels(30);
    const pixel = (y: number, x: number) => [...data.subarray(3 * (60 * y + x), 3 * (60 * y + x) + 3)];
    const near = (got: number[], wanted: number[]) => {
      // JPEG of quality 95 is a few steps off even on a flat surface.
      for (const [channel, value] of got.entries())
        expect(Math.abs(value - wanted[channel]!)).toBeLessThanOrEqual(4);
    };
    near(pixel(5, 50), [230, 210, 90]);
    near(pixel(45, 50), [40, 60, 200]);
    near(pixel(5, 23), [240, 240, 240]);
    // Above row 20 everything was green: the first and the last row have the colours of those within.
    near(pixel(0, 50), [230, 210, 90]);
    near(pixel(59, 50), [40, 60, 200]);
  });

  test("a grey file counts as grey in all three channels", async () => {
    const folder = await writeCeleba(join(root, "grey"));
    const create = { width: 178, height: 218, channels: 3, background: { r: 77, g: 77, b: 77 } } as const;
    await sharp({ create }).toColourspace("b-w").jpeg().toFile(join(folder, "img_align_celeba/000001.jpg"));
    const { data } = await (await celeba.build({ folder, size: 8 }, 0)).images.pixels(0);
    expect([...new Set(data)]).toEqual([77]);
    expect(data).toHaveLength(8 * 8 * 3);
  });
});

describe("layouts that people have", () => {
  test.each([
    [
      "img_align_celeba twice",
      "list_attr_celeba.txt",
      "list_eval_partition.txt",
      "img_align_celeba/img_align_celeba",
    ],
    ["as published", "Anno/list_attr_celeba.txt", "Eval/list_eval_partition.txt", "Img/img_align_celeba"],
    ["Kaggle's", "list_attr_celeba.csv", "list_eval_partition.csv", "img_align_celeba/img_align_celeba"],
    ["one list of each kind", "list_attr_celeba.csv", "list_eval_partition.txt", "img_align_celeba"],
  ])("%s", async (name, attributes, partition, images) => {
    const folder = join(root, name);
    await writeFaces(join(folder, images));
    for (const part of ["Anno", "Eval"]) mkdirSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, attributes), attributes.endsWith("csv") ? attributeCsv() : attributeText());
    writeFileSync(join(folder, partition), partition.endsWith("csv") ? partitionCsv() : partitionText());
    const [here, reference] = [
      await celeba.build({ folder, keep: ["all"] }, 0),
      await build({ keep: ["all"] }),
    ];
    expect(here.labels).toEqual(reference.labels);
    expect(here.attributes).toEqual(reference.attributes);
    expect(here.splits).toEqual(reference.splits);
    expect((await here.images.pixels(3)).data).toEqual((await reference.images.pixels(3)).data);
  });

  test("the lists may have their own orders, and images are ordered by split", async () => {
    const folder = await writeCeleba(join(root, "orders"));
    writeFileSync(join(folder, "list_attr_celeba.txt"), attributeText([...faceRows.keys()].reverse()));
    const { labels, splits, images } = await celeba.build({ folder }, 0);
    expect([...splits.values]).toEqual(faceRows.map(({ split }) => split));
    expect(images.describe(0)).toMatch(/000040\.jpg$/);
    expect(labels[0]).toBe(Number(faceRows[39]!.blond));
  });

  test("a copy given as a path is told to be read by name", async () => {
    await expect(openDataset(plain)).rejects.toThrow(`celeba --set folder=${plain}`);
  });
});

describe("counts", () => {
  const names = async (settings: object, seed = 0) => {
    const { images, splits } = await build({ ...settings }, seed);
    const all = Array.from({ length: images.count }, (_, i) => images.describe(i).slice(-10, -4));
    return {
      train: all.filter((_, i) => splits.values[i] === 0),
      rest: all.filter((_, i) => splits.values[i] !== 0),
    };
  };

  test("a part is drawn by the seed from CelebA's own split, and smaller parts lie in larger ones", async () => {
    const [ten, twenty] = [await names({ count: { train: 10 } }), await names({ count: { train: 20 } })];
    expect(ten.train).toHaveLength(10);
    expect(ten.train.every((name) => Number(name) <= 40)).toBe(true);
    expect(ten.train).toEqual(ten.train.toSorted());
    expect(twenty.train).toEqual(expect.arrayContaining(ten.train));
    expect(ten.rest).toHaveLength(20);
    expect((await names({ count: { train: 10 } }, 1)).train).not.toEqual(ten.train);
    expect((await names({ count: { val: 0, test: 5 } })).rest).toHaveLength(5);
  });

  test("more than there are is refused", async () => {
    await expect(build({ count: { val: 11 } })).rejects.toThrow(/count\.val=11 is more[\s\S]*at most 10/);
  });
});

describe("identity", () => {
  test("equal copies are equal wherever they lie; a list, a name or a size tells them apart", async () => {
    const folder = await writeCeleba(join(root, "copy"));
    const known = await digests(plain);
    expect(await digests(folder)).toEqual(known);
    expect(Object.keys(known)).toHaveLength(3);
    appendFileSync(join(folder, "img_align_celeba/000060.jpg"), " ");
    expect(await digests(folder)).not.toEqual(known);
    expect(await digests(folder, { count: { test: 0 } })).toEqual(
      await digests(plain, { count: { test: 0 } }),
    );
    expect(await digests(plain, { count: { train: 9 } }, 1)).not.toEqual(
      await digests(plain, { count: { train: 9 } }, 2),
    );
  });
});

describe("what is wrong is told, with its place", () => {
  /** A copy with a change, and the error it gives. */
  const broken = async (name: string, change: (folder: string) => void | Promise<void>, settings = {}) => {
    const folder = await writeCeleba(join(root, `broken ${name}`));
    await change(folder);
    const error = await celeba.build({ folder, ...settings }, 0).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(CuelabError);
    return error as CuelabError;
  };
  const [attributes, partition] = ["list_attr_celeba.txt", "list_eval_partition.txt"];
  const replace = (file: string, from: string | RegExp, to: string) => (folder: string) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    writeFileSync(path, changed);
  };

  test.each<[string, (folder: string) => void, string[]]>([
    ["no folder", (folder) => rmSync(folder, { recursive: true }), ["there is no such folder", "no folder"]],
    [
      "a file for a folder",
      (folder) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, "");
      },
      ["this is a file and no folder"],
    ],
    [
      "no attributes",
      (folder) => rmSync(join(folder, attributes)),
      [
        "the list of attributes is missing",
        "list_attr_celeba.csv",
        "Anno/list_attr_celeba.txt",
        "got: img_align_celeba",
      ],
    ],
    ["no partition", (folder) => rmSync(join(folder, partition)), ["the list of splits is missing", "Eval/"]],
    [
      "still packed",
      (folder) => renameSync(join(folder, "img_align_celeba"), join(folder, "img_align_celeba.zip")),
      ["the folder of aligned images is missing", "unpack the archives"],
    ],
    [
      "header count",
      replace(attributes, "60\n", "61\n"),
      [`${attributes}, line 1`, "61 images", "60 images"],
    ],
    [
      "no count",
      replace(attributes, "60\n", ""),
      [`${attributes}, line 1`, "begin with the number of images"],
    ],
    ["twin names", replace(attributes, "Young", "Male"), [`${attributes}, line 2`, 'two attributes "Male"']],
    [
      "columns",
      replace(attributes, /(000002.jpg.*) -?1\n/, "$1\n"),
      [`${attributes}, line 4`, "41 columns", "got: 40"],
    ],
    [
      "a value",
      replace(attributes, /(000003.jpg) +-?1/, "$1 0"),
      [`${attributes}, line 5`, '"0"', "5_o_Clock_Shadow of 000003.jpg"],
    ],
    ["cut off", (folder) => truncateSync(join(folder, attributes), 3), ["empty or cut off", attributes]],
    ["empty", (folder) => truncateSync(join(folder, partition), 0), ["empty or cut off", partition]],
    [
      "a split",
      replace(partition, "000005.jpg 0", "000005.jpg 3"),
      [`${partition}, line 5`, '"3"', "0 (train)"],
    ],
    [
      "a split's columns",
      replace(partition, "000005.jpg 0", "000005.jpg"),
      [`${partition}, line 5`, "2 columns"],
    ],
    [
      "twice",
      replace(partition, "000005.jpg", "000004.jpg"),
      [`${partition}, lines 4 and 5`, "000004.jpg stands twice"],
    ],
    [
      "only in one",
      replace(partition, /000060.jpg 2\n/, ""),
      [`${attributes}, line 62`, "000060.jpg is in one list"],
    ],
    [
      "only in the other",
      (folder) => appendFileSync(join(folder, partition), "000061.jpg 2\n"),
      [`${partition}, line 61`, "000061.jpg is in one list"],
    ],
    ["no test images", replace(partition, / 2\n/g, " 1\n"), ["the split test has no images", partition]],
    [
      "a missing image",
      (folder) => rmSync(join(folder, "img_align_celeba/000017.jpg")),
      ["a listed image is missing", "img_align_celeba/000017.jpg", `${attributes}, line 19`],
    ],
    [
      "missing images",
      (folder) => {
        for (const number of [17, 18]) rmSync(join(folder, `img_align_celeba/0000${number}.jpg`));
      },
      ["2 listed images are missing", "000017.jpg"],
    ],
    [
      "an empty image",
      (folder) => truncateSync(join(folder, "img_align_celeba/000017.jpg")),
      ["an image is empty", "000017.jpg"],
    ],
  ])("%s", async (name, change, texts) => {
    const error = await broken(name, change);
    expect(error.kind).toBe("input");
    for (const text of texts) expect(error.message).toContain(text);
  });

  test.each<[string, object, string[]]>([
    [
      "unknown target",
      { target: "Blonde_Hair" },
      ['no attribute "Blonde_Hair"', 'did you mean "Blond_Hair"', "target"],
    ],
    ["unknown cue", { cue: ["male"] }, ['no attribute "male"', 'did you mean "Male"', "the setting cue"]],
    ["target as cue", { cue: ["Blond_Hair"] }, ["Blond_Hair is the label and cannot be a cue too"]],
    ["a cue twice", { cue: ["Male", "Male"] }, ["Male is named twice"]],
    ["a cue kept", { keep: ["Male"] }, ["Male is named twice", "the setting keep"]],
    ["a folder that is missing", { folder: undefined }, ['setting "folder" must be given', "your copy"]],
  ])("%s", async (_, settings, texts) => {
    const error = (await build({ ...settings } as Record<string, unknown>).catch(
      (cause: unknown) => cause,
    )) as CuelabError;
    expect(error).toBeInstanceOf(CuelabError);
    expect(error.kind).toBe("usage");
    for (const text of texts) expect(error.message).toContain(text);
  });

  test.each<[string, (path: string) => void]>([
    ["truncated", (path) => truncateSync(path, 2000)],
    ["no image at all", (path) => writeFileSync(path, "<html>not found</html>")],
  ])("an image that is %s names its file when it is read", async (name, change) => {
    const folder = await writeCeleba(join(root, `image ${name}`));
    const path = join(folder, "img_align_celeba/000002.jpg");
    change(path);
    const { images } = await celeba.build({ folder }, 0);
    await expect(images.pixels(0)).resolves.toBeDefined();
    await expect(images.pixels(1)).rejects.toThrow(`an image cannot be read\n  where: ${path}`);
  });
});
