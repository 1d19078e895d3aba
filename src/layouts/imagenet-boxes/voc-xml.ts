/** PASCAL VOC's XML, as ImageNet's boxes come in: the size of an image, and the names and boxes of objects. */

import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { Box } from "../../core/box.ts";
import { decimalOf } from "../../core/decimal-of.ts";
import { CuelabError } from "../../core/errors.ts";
import { guardedNow } from "../../disk/guarded.ts";
import { checkedBox } from "./boxed-photos.ts";

/**
 * What the four numbers mean. `edges`: ImageNet's, which run from 0 to the image's width and height, as lines between
 * pixels. `pixels`: PASCAL VOC's own, the first and the last pixel of the box, counted from 1.
 */
export type Corners = "edges" | "pixels";

export interface VocAnnotation {
  width: number;
  height: number;
  objects: { name: string; box: Box }[];
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  isArray: (name) => name === "object",
  // Numbers of characters; names other than XML's five are refused before.
  htmlEntities: true,
});

type Node = Record<string, unknown> | undefined;

export function readVocXml(path: string, text: string, corners: Corners): VocAnnotation {
  const prefixed = /<[\w.-]+:[\w.-]+/.exec(text)?.[0];
  if (prefixed !== undefined) {
    throw new CuelabError({
      kind: "input",
      what: "the XML file has names with a prefix, which are not read",
      where: path,
      expected: "<annotation> with <size> and <object>, as PASCAL VOC has it",
      got: prefixed,
    });
  }
  requireXmlText(path, text);
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw brokenXml(path, text, valid.err.line);
  const { annotation: root } = guardedNow(
    path,
    () => parser.parse(text) as { annotation?: Node },
    "the XML file cannot be read",
  );
  const size = root?.size as Node;
  const [width, height] = [numberIn(size, "width"), numberIn(size, "height")];
  if (!(Number.isInteger(width) && width > 0 && Number.isInteger(height) && height > 0)) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no image size",
      where: path,
      expected: "<size> with <width> and <height> in whole pixels",
      got: size === undefined ? "none" : JSON.stringify(size),
    });
  }
  const objects = (root?.object ?? []) as Node[];
  if (objects.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no object",
      where: path,
      expected: "at least one <object> with <name> and <bndbox>",
    });
  }
  return {
    width,
    height,
    objects: objects.map((object, i) =>
      objectOf(object, { width, height }, corners, `${path}, object ${i + 1}`),
    ),
  };
}

/** Characters and references that XML does not allow: the parser takes them as they stand, where others refuse the file. */
function requireXmlText(path: string, text: string): void {
  const character = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
  const spoken = text.replaceAll(/<!--.*?-->|<!\[CDATA\[.*?\]\]>/gs, "");
  const references = spoken.match(/&[^;<\s]{0,40};?/g) ?? [];
  const got =
    character.exec(text)?.[0] ??
    references.find((reference) => {
      const number = /^&#(?:x([0-9a-f]+)|(\d+));$/i.exec(reference);
      if (number === null) return !/^&(?:lt|gt|amp|quot|apos);$/.test(reference);
      const code = Number.parseInt(number[1] ?? number[2]!, number[1] === undefined ? 10 : 16);
      return code > 0x10ffff || character.test(String.fromCodePoint(code));
    });
  if (got === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: "the XML file has characters that XML does not allow",
    where: `${path}, line ${text.slice(0, text.indexOf(got)).split("\n").length}`,
    expected: "text, and & only in &lt; &gt; &amp; &quot; &apos; or &#…;",
    got: JSON.stringify(got),
    todo: "unpack or download it again",
  });
}

function brokenXml(path: string, text: string, line: number): CuelabError {
  const todo = "unpack or download it again";
  const whole = text.trimEnd();
  if (whole === "" || (whole.includes("<annotation") && !whole.endsWith("</annotation>"))) {
    const end = whole.split("\n").at(-1)!.trim().slice(-40);
    return new CuelabError({
      kind: "input",
      what: "the XML file is cut off",
      where: `${path}, line ${whole.split("\n").length}`,
      expected: "</annotation> at its end",
      got: end === "" ? "an empty file" : end,
      todo,
    });
  }
  return new CuelabError({
    kind: "input",
    what: "the XML file is broken",
    where: `${path}, line ${line}`,
    expected: "tags that are closed in the order in which they were opened",
    got: text.split("\n")[line - 1]?.trim().slice(0, 60) || "an empty line",
    todo,
  });
}

function objectOf(
  object: Node,
  size: { width: number; height: number },
  corners: Corners,
  where: string,
): VocAnnotation["objects"][number] {
  const name = object?.name;
  const box = object?.bndbox as Node;
  const values = ["xmin", "ymin", "xmax", "ymax"].map((field) => numberIn(box, field));
  if (typeof name !== "string" || name === "" || !values.every(Number.isInteger)) {
    throw new CuelabError({
      kind: "input",
      what: typeof name === "string" && name !== "" ? "an object has no box" : "an object has no name",
      where,
      expected: "<name>, and <bndbox> with <xmin>, <ymin>, <xmax> and <ymax> in whole pixels",
      got: JSON.stringify(object),
    });
  }
  const [left, top, right, bottom] = values as [number, number, number, number];
  const before = corners === "edges" ? 0 : 1;
  return {
    name,
    box: checkedBox(
      {
        left: left - before,
        top: top - before,
        width: right - left + before,
        height: bottom - top + before,
      },
      size,
      where,
    ),
  };
}

function numberIn(node: Node, field: string): number {
  const text = node?.[field];
  return typeof text === "string" ? decimalOf(text) : Number.NaN;
}
