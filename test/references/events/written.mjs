/** What is in the file of events: small and large steps, numbers of every kind, names of other alphabets. */

export function eventsFor() {
  return [1, 2, 127, 128, 300, 70_000, 5_000_000_000].map((step, i) => ({
    step,
    wallTime: 1_700_000_001 + i / 4,
    scalars: {
      "epochs/train_loss": 1 / (i + 1),
      "epochs/val_accuracy": i / 7,
      "accuracy/test, Größe ≥ 3": -(2 ** i) * 1e-3,
      // Long enough that lengths take two bytes.
      ["x".repeat(200)]: i,
    },
  }));
}
