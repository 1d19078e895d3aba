import { afterAll, expect, test } from "vitest";
import { testRandom } from "../../test/engine/helpers.ts";
import { Executable } from "./executable.ts";
import { add, dropout, full, gather, input, mul, randomUniform, stateInput, sum } from "./expressions.ts";
import { interpret } from "./interpret.ts";
import type { Program } from "./program.ts";
import { State } from "./state.ts";
import { runsUncopied } from "./uncopied.ts";

const open: Executable[] = [];
afterAll(() => Promise.all(open.map((executable) => executable.close())));

async function compile(program: Program): Promise<Executable> {
  const executable = await Executable.compile(program);
  open.push(executable);
  return executable;
}

test("state moves on, by swapping two buffers", async () => {
  const counter = stateInput("counter", [2]);
  const executable = await compile({
    outputs: { total: sum(counter) },
    next: { counter: add(counter, input("by", [])) },
  });
  const state = new State();
  state.set("counter", [1, 2]);
  const buffers = new Set<Float32Array>();
  for (let i = 0; i < 5; i++) {
    const { total } = await executable.run({ by: Float32Array.of(10) }, { state });
    expect(total![0]).toBe(3 + 20 * i);
    buffers.add(state.get("counter"));
  }
  expect([...state.get("counter")]).toEqual([51, 52]);
  expect(buffers.size).toBe(2);
});

test("results are written once: the runtime makes no copies of them", async () => {
  expect(await runsUncopied()).toBe(true);
  const length = 1e6;
  const executable = await compile({ outputs: {}, next: { s: add(stateInput("s", [length]), 1) } });
  const state = new State();
  state.set("s", new Float32Array(length));
  await executable.run({}, { state });
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 4; i++) await executable.run({}, { state });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * length);
  expect(state.get("s").every((value) => value === 5)).toBe(true);
});

test("what fails in the runtime is told, and the state stays", async () => {
  const s = stateInput("s", [2]);
  const executable = await compile({
    outputs: { picked: gather(s, input("at", [1], "int")) },
    next: { s: add(s, 1) },
  });
  const state = new State();
  state.set("s", [1, 2]);
  await expect(executable.run({ at: Int32Array.of(7) }, { state })).rejects.toThrow(/out of.*bounds/);
  expect([...state.get("s")]).toEqual([1, 2]);
  expect([...(await executable.run({ at: Int32Array.of(1) }, { state })).picked!]).toEqual([2]);
});

test("two runs at once never move one state", async () => {
  const s = stateInput("s", [2]);
  const executable = await compile({ outputs: {}, next: { s: add(s, 1) } });
  const state = new State();
  state.set("s", [1, 2]);
  const [first, second] = await Promise.allSettled([
    executable.run({}, { state }),
    executable.run({}, { state }),
  ]);
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({ reason: { message: expect.stringMatching(/another run is moving/) } });
  expect([...state.get("s")]).toEqual([2, 3]);
  await executable.run({}, { state });
  expect([...state.get("s")]).toEqual([3, 4]);
});

test("an array that was a truth value may be a byte later", async () => {
  const flags = await compile({ outputs: { y: input("x", [2], "bool") } });
  const bytes = await compile({ outputs: { y: input("x", [2], "byte") } });
  const { y } = await flags.run({ x: Uint8Array.of(1, 0) });
  expect([...(await bytes.run({ x: y! })).y!]).toEqual([1, 0]);
});

test("two programs share state, and untouched state stays", async () => {
  const weight = stateInput("weight", [2]);
  const train = await compile({ outputs: {}, next: { weight: mul(weight, 2) } });
  const evaluate = await compile({ outputs: { weight } });
  const state = new State();
  state.set("weight", [1, 3]);
  await train.run({}, { state });
  expect([...(await evaluate.run({}, { state })).weight!]).toEqual([2, 6]);
  expect([...(await evaluate.run({}, { state })).weight!]).toEqual([2, 6]);
});

test("random numbers come from their key, equally in runtime and interpreter", async () => {
  const outputs = {
    a: randomUniform("a", [3]),
    b: randomUniform("b", [3]),
    again: mul(randomUniform("a", [3]), 1),
  };
  const executable = await compile({ outputs });
  const result = await executable.run({}, { random: testRandom });
  expect(result.a).toEqual(result.again);
  expect(result.a).not.toEqual(result.b);
  expect([...result.a!]).toEqual([...interpret([outputs.a], {}, testRandom)[0]!]);
  await expect(executable.run({})).rejects.toThrow(/no random source/);
});

test("dropout keeps the mean and drops about the rate", () => {
  const [kept] = interpret([dropout(full([4000], 1), 0.3, "drop")], {}, testRandom);
  const dropped = kept!.filter((value) => value === 0).length / 4000;
  expect(dropped).toBeGreaterThan(0.27);
  expect(dropped).toBeLessThan(0.33);
});

test("outputs may be inputs, constants, or the same tensor twice", async () => {
  const x = input("x", [2]);
  const y = mul(x, 3);
  const executable = await compile({ outputs: { x, y, z: y, one: full([2], 1) } });
  const result = await executable.run({ x: Float32Array.of(1, 2) });
  expect(Object.values(result).map((values) => [...values])).toEqual([
    [1, 2],
    [3, 6],
    [3, 6],
    [1, 1],
  ]);
});

test("wrong feeds are refused by name", async () => {
  const executable = await compile({ outputs: { y: mul(input("x", [2]), 2) } });
  await expect(executable.run({})).rejects.toThrow(
    /input "x" has the wrong type[\s\S]*a Float32Array[\s\S]*nothing/,
  );
  await expect(executable.run({ x: Int32Array.of(1, 2) })).rejects.toThrow(/Int32Array/);
  await expect(executable.run({ x: Float32Array.of(1) })).rejects.toThrow(
    /2 values for \[2\][\s\S]*1 values/,
  );
});

test("one name for two different inputs, or a state that changes shape, is refused", async () => {
  const clash = add(sum(input("x", [2])), sum(input("x", [3])));
  await expect(Executable.compile({ outputs: { clash } })).rejects.toThrow(
    /two different inputs are called "x"/,
  );
  const state = stateInput("s", [2]);
  const program = { outputs: { state }, next: { s: sum(state) } };
  await expect(Executable.compile(program)).rejects.toThrow(/state "s" changes its shape/);
});

test("a device that is not there says what to install; auto falls back", async () => {
  const program = { outputs: { y: mul(input("x", [2]), 2) } };
  await expect(Executable.compile(program, { device: "cuda" })).rejects.toThrow(
    /device "cuda" is not available[\s\S]*CUDA 12[\s\S]*--device cpu/,
  );
  const executable = await Executable.compile(program, { device: "auto" });
  open.push(executable);
  expect([...(await executable.run({ x: Float32Array.of(1, 2) })).y!]).toEqual([2, 4]);
});
