/** How a domain is cut into a part for training and one for measuring, where its owner has not done so. */

import { createHash } from "node:crypto";

/** The attribute that tells the domain. */
export const environmentName = "environment";

/** Share of each domain that is kept for measuring. */
const outShare = 0.2;

interface DomainImage {
  path: string;
  domain: string;
  /** The folders that say what it is, wherever those lie. */
  name: string;
}

/** Paths of the fifth of each domain whose names come first by digest: the same ones on every machine. */
export function outParts(images: readonly DomainImage[]): Set<string> {
  const byDomain = new Map<string, { path: string; digest: string }[]>();
  for (const { path, domain, name } of images) {
    const file = path.slice(path.lastIndexOf("/") + 1);
    const digest = createHash("sha256").update(`${name}/${file}`).digest("hex");
    const members = byDomain.get(domain);
    if (members) members.push({ path, digest });
    else byDomain.set(domain, [{ path, digest }]);
  }
  const out = new Set<string>();
  for (const members of byDomain.values()) {
    const ranked = members.sort((a, b) => (a.digest < b.digest ? -1 : 1));
    for (const { path } of ranked.slice(0, Math.floor(outShare * ranked.length))) out.add(path);
  }
  return out;
}
