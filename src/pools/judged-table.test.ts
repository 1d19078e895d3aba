import { expect, test } from "vitest";
import { judgedRows } from "./judged-table.ts";
import type { FoundPool } from "./make-pool.ts";

const indices = (count: number) => new Uint32Array(count);
const set = (column: string, environment: number, count: number, group?: Record<string, string>) => ({
  column,
  environment,
  part: "out" as const,
  ...(group && { group }),
  indices: indices(count),
});

/** Two environments trained on, a third left out, whose four groups have 10, 30, 20 and 40 images. */
const pool: FoundPool = {
  id: "",
  plan: {
    kind: "attribute",
    environments: ["x", "y", "z"].map((name) => ({ name, inPart: indices(1), outPart: indices(100) })),
  },
  folds: [{ training: [0, 1], shifted: [2] }],
  measured: {
    sets: [
      set("env0_out_acc", 0, 100),
      set("env1_out_acc", 1, 50),
      set("env2_out_acc", 2, 100),
      set("a yes", 2, 10, { class: "a", mark: "yes" }),
      set("a no", 2, 30, { class: "a", mark: "no" }),
      set("b yes", 2, 20, { class: "b", mark: "yes" }),
      set("b no", 2, 40, { class: "b", mark: "no" }),
    ],
    empty: [],
  },
  classes: 2,
  guessing: [0.5, 0.5, 0.6],
  rows: [
    {
      classifier: "000000",
      family: "mlp",
      features: "pixels-1",
      step: 10,
      env0_out_acc: 0.8,
      env1_out_acc: 0.6,
      env2_out_acc: 0.5,
      "a yes": 0.9,
      "a no": 0.1,
      "b yes": 0.6,
      "b no": 0.65,
    },
  ],
  found: 1,
};

test("ID is the mean of environments, and groups count by their images", () => {
  const [row] = judgedRows(pool, [
    { name: "all", environment: "z" },
    { name: "marked", environment: "z", images: [{ mark: "yes" }] },
    {
      name: "turned round",
      environment: "z",
      images: [
        { class: "a", mark: "no" },
        { class: "b", mark: "yes" },
      ],
    },
  ]);
  expect(row).toEqual({
    classifier: "000000",
    family: "mlp",
    features: "pixels-1",
    step: 10,
    ID: expect.closeTo(0.7, 12),
    all: 0.5,
    // (10 · 0.9 + 20 · 0.6) / 30 and (30 · 0.1 + 20 · 0.6) / 50
    marked: expect.closeTo(0.7, 12),
    "turned round": expect.closeTo(0.3, 12),
  });
});

test("what no image shows is refused", () => {
  const judged = (environment: string, images?: Record<string, string>[]) => () =>
    judgedRows(pool, [{ name: "asked", environment, ...(images && { images }) }]);
  expect(judged("w")).toThrow(/no images to judge "asked" by/);
  expect(judged("z", [{ mark: "maybe" }])).toThrow(/maybe/);
});

test("over classes every class counts the same, at home and abroad", () => {
  const groups = (environment: number, counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) =>
      set(`${environment} ${name}`, environment, count, { class: name }),
    );
  const uneven: FoundPool = {
    ...pool,
    plan: { ...pool.plan, environments: pool.plan.environments.slice(0, 2) },
    folds: [{ training: [0], shifted: [1] }],
    measured: {
      sets: [
        set("env0_out_acc", 0, 50),
        set("env1_out_acc", 1, 50),
        ...groups(0, { a: 10, b: 40 }),
        ...groups(1, { a: 10, b: 40 }),
      ],
      empty: [],
    },
    rows: [
      {
        ...pool.rows[0]!,
        env0_out_acc: 0.9,
        env1_out_acc: 0.2,
        "0 a": 0.5,
        "0 b": 1,
        "1 a": 1,
        "1 b": 0,
      },
    ],
  };
  const asked = [{ name: "abroad", environment: "y" }];
  expect(judgedRows(uneven, asked)[0]).toMatchObject({ ID: 0.9, abroad: 0.2 });
  expect(judgedRows(uneven, asked, "classes")[0]).toMatchObject({ ID: 0.75, abroad: 0.5 });
  // Without groups of the class there is nothing to go by.
  const plain = { ...uneven, measured: { sets: uneven.measured.sets.slice(0, 2), empty: [] } };
  expect(() => judgedRows(plain, asked, "classes")).toThrow("no images to judge");
});
