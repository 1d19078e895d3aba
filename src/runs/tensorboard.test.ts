import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import { eventsFor } from "../../test/references/events/written.mjs";
import { TensorboardLog } from "./tensorboard.ts";
import { crc32c, firstRecord, scalarRecord } from "./tensorboard-events.ts";

interface ReadEvents {
  records: number;
  fileVersion: number;
  firstTime: number;
  scalars: { [tag: string]: [step: number, wallTime: number, value: number][] };
}

const stored = storedReference<ReadEvents>("tensorboard_events");
const file = "test/references/events/events.out.tfevents.1700000000.own";

test("CRC-32C is that of the standard", () => {
  // RFC 3720, appendix B.4, and the usual check value.
  expect(crc32c(Buffer.from("123456789")).toString(16)).toBe("e3069283");
  expect(crc32c(Buffer.alloc(32)).toString(16)).toBe("8a9136aa");
});

test("TensorBoard has read every number of the file that we write", () => {
  const events = eventsFor();
  const bytes = Buffer.concat([firstRecord(1_700_000_000.5), ...events.map(scalarRecord)]);
  expect(bytes.equals(readFileSync(file))).toBe(true);
  expect(stored).toMatchObject({ records: events.length + 1, fileVersion: 2, firstTime: 1_700_000_000.5 });
  const tags = Object.keys(events[0]!.scalars);
  expect(Object.keys(stored.scalars).toSorted()).toEqual(tags.toSorted());
  for (const tag of tags)
    expect(stored.scalars[tag]).toEqual(
      events.map(({ step, wallTime, scalars }) => [step, wallTime, Math.fround(scalars[tag]!)]),
    );
});

test("a log grows by whole records", async () => {
  const folder = join(temporaryFolder(), "run");
  const log = await TensorboardLog.begin(folder);
  log.epoch({ stage: "train", epoch: 1, numbers: { train_loss: 0.5, val_loss: null } });
  log.accuracies(1, [{ slice: "test", distribution: "OOD", count: 3, accuracy: 0.25 }]);
  await log.end();
  const [name] = readdirSync(folder);
  const text = readFileSync(join(folder, name!)).toString("latin1");
  expect(name).toMatch(/^events\.out\.tfevents\.\d+\./);
  expect(text).toContain("epochs/train_loss");
  expect(text).not.toContain("val_loss");
  expect(text).toContain("accuracy/test");
});
