/** Uses plugins in the library as people do, in a process of its own, and prints what came of it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const [what, ...words] = process.argv.slice(2);
const { defineMethod, definePlugin, describeTrainingData, methods, resolveSpec, runInProcess, use } =
  await import("cuelab");
const { z } = await import("zod");

const resources = { checkpointSeconds: 60 };
const settings = { trainPerEnvironment: 60, size: 14 };
const specWith = async (name) =>
  resolveSpec({
    data: await describeTrainingData({ name: "colored-mnist", settings }),
    model: { name: "mlp" },
    method: { name },
    epochs: 1,
    threads: 1,
  });

const did = {
  file: async (path, out) => {
    const { brings, digest } = await use(path);
    const again = (await use(path)).digest === digest;
    const sameZod = methods.get("mine").settings instanceof z.ZodObject;
    const spec = await specWith("mine");
    const inside = await specWith("erm");
    const runs = [out, `${out}-inside`];
    await runInProcess(spec, { out: runs[0], force: false, resources });
    await runInProcess(inside, { out: runs[1], force: false, resources });
    const [own, erm] = runs.map((run) => readFileSync(join(run, "weights.safetensors")));
    const { id } = JSON.parse(readFileSync(join(out, "spec.json"), "utf8"));
    return {
      brings,
      again,
      sameZod,
      names: methods.added.map(({ name }) => name),
      id,
      weights: own.equals(erm),
    };
  },
  object: async () => {
    const inner = defineMethod({
      name: "inner",
      version: 1,
      title: "Inner",
      paper: "",
      supervision: {},
      settings: z.object({}),
      search: {},
      presets: {},
      *stages() {},
    });
    const { brings } = await use(definePlugin({ methods: [inner] }));
    return specWith("inner").then(
      () => ({ brings }),
      ({ message }) => ({ brings, error: message }),
    );
  },
  spec: async (run, out) => {
    const { id: _, ...spec } = JSON.parse(readFileSync(join(run, "spec.json"), "utf8"));
    return runInProcess(spec, { out, force: false, resources }).then(
      ({ state }) => ({ state }),
      ({ message }) => ({ error: message }),
    );
  },
};

console.log(JSON.stringify(await did[what](...words)));
