/** What of a foreign graph is not read, and what to do about it. */

import { CuelabError } from "../../core/errors.ts";
import type { StoredNode } from "../../engine/onnx/decode-model.ts";
import { operatorReaders } from "./operators/index.ts";

const quantised = /[Qq]uantize|^QLinear|Integer$/;
const repeating = new Set(["If", "Loop", "Scan", "SequenceMap"]);

/** Every operator set before this one has other forms of what networks are made of. */
export const oldestOpset = 11;

/** Throws where one of the nodes is of a kind that has no reader: before anything else is looked at. */
export function requireReaders(nodes: readonly StoredNode[], opset: number, where: string): void {
  for (const node of nodes) {
    if (node.domain === "" && operatorReaders.has(node.operator)) continue;
    const { operator, domain } = node;
    const title = `node "${node.name || node.outputs[0]}" (${domain === "" ? "" : `${domain}.`}${operator}, opset ${opset})`;
    const fail = (what: string, todo: string) =>
      new CuelabError({
        kind: "input",
        what: `${title} ${what}`,
        where,
        todo,
      });
    if (quantised.test(operator))
      throw fail("computes with quantised numbers", "give the network in floats that it was quantised from");
    if (repeating.has(operator))
      throw fail(
        "is control flow",
        "export the network in evaluation mode for images of one size, so that nothing is left to decide",
      );
    if (domain !== "")
      throw fail(
        "is not one of ONNX's own operators",
        "export the network without a runtime's optimisations; docs/networks.md lists what is read",
      );
    throw fail(
      "has no reader",
      "export with another opset, which may write it out; docs/networks.md lists what is read",
    );
  }
}

export function oldOpset(opset: number | undefined, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the network uses an old operator set",
    where,
    expected: `opset ${oldestOpset} or later`,
    got: opset === undefined ? "none" : `opset ${opset}`,
    todo: "export it again, or convert it with onnx.version_converter",
  });
}
