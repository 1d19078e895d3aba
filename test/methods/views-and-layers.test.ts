/** Settings that name views and layers: ensembles of any views, heads on earlier layers, boxes that are not there. */

import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { handful } from "../../src/contracts/handful.ts";
import { smallRun } from "../../src/contracts/small-run.ts";
import { methods, supervisionOf } from "../../src/methods/index.ts";
import { temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

const words = (name: string, settings: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  data: { name: "urban-cars", identity: "views" },
  model: { name: "small-cnn", options: { width: 2 } },
  method: { name, settings, ...more },
  optimiser: { rate: 0.001 },
  batchSize: 8,
  epochs: 1,
  seed: 3,
  threads: 1,
});

describe("last-layer-ensemble", () => {
  const lle = methods.get("last-layer-ensemble");
  test.each([
    [["background-swap"], { sides: ["mask", "co_occur_obj_mask", "bg_only"] }],
    [["grey", "original"], {}],
    [["grey-box", "jitter", "erase"], { boxes: ["car"] }],
  ])("with the views %j alone", async (views, supervision) => {
    expect(supervisionOf(lle, { views })).toEqual(supervision);
    const dataset = await handful({ sides: ["mask"] });
    const out = join(root, views.join("-"));
    const { accuracy } = (await smallRun(words("last-layer-ensemble", { views }), { out, dataset }))!;
    expect(accuracy.length).toBeGreaterThan(0);
  });
});

describe("lnl", () => {
  const losses = async (layer: string) => {
    const found: number[] = [];
    await smallRun(words("lnl", { layer }, { explicit: ["background"] }), {
      out: join(root, `lnl-${layer}`),
      dataset: await handful({ sides: ["mask"] }),
      hooks: { onEpoch: ({ trainLoss }) => void found.push(trainLoss) },
    });
    return found;
  };

  test("the mean of small-cnn's last map is its features; an earlier map is something else", async () => {
    const last = await losses("features");
    expect(await losses("conv4")).toEqual(last);
    expect(await losses("conv2")).not.toEqual(last);
  });

  test("a layer that is not shown is refused by name", async () => {
    await expect(losses("conv9")).rejects.toThrow(/shows no layer "conv9"[\s\S]*conv1, conv2, conv3, conv4/);
  });
});

describe("cf-f", () => {
  test("a dataset without boxes is refused by the view that needs one", async () => {
    const { boxes: _, ...without } = await handful({ boxes: ["car"] });
    const run = smallRun(words("cf-f", {}), { out: join(root, "no-boxes"), dataset: without });
    await expect(run).rejects.toThrow(/car/);
  });

  test("the box around a mask will do", async () => {
    expect(supervisionOf(methods.get("cf-f"), { from: "mask", name: "mask" })).toEqual({ sides: ["mask"] });
  });
});
