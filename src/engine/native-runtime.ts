/**
 * The only file that loads onnxruntime: `onnxruntime-node` where it is installed in our version (in a clone, and by those who
 * want CUDA or another platform), else the copy that the package carries. It is carried because on Linux x64 that package's
 * install script fetches CUDA files from a foreign host, and fails where there is none.
 */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type * as common from "onnxruntime-common";
import { CuelabError } from "../core/errors.ts";
import { packageAbout, packageFile } from "../core/package-files.ts";

export type Runtime = typeof common & { listSupportedBackends(): { name: string; bundled: boolean }[] };

/** Platforms whose binaries the build takes along. */
export const carriedPlatforms = ["linux-x64", "linux-arm64", "darwin-arm64"] as const;

/** Platforms that `onnxruntime-node` has besides; a quarter of a gigabyte more, for machines we have not tried. */
const otherPlatforms: readonly string[] = ["win32-x64", "win32-arm64"];

const require = createRequire(import.meta.url);
let loaded: Runtime | undefined;

export function nativeRuntime(): Runtime {
  loaded ??= load(`${process.platform}-${process.arch}`);
  return loaded;
}

/** The version that all of this was tried with; another one may give other bits. */
export function runtimeVersion(): string {
  return packageAbout().peerDependencies["onnxruntime-node"]!;
}

function load(platform: string): Runtime {
  const path = installedRuntime() ?? carriedRuntime(platform);
  if (path === undefined) throw noRuntime(platform);
  try {
    const runtime = require(path) as Runtime;
    // Errors arrive as exceptions; the runtime need not print them as well.
    runtime.env.logLevel = "fatal";
    return runtime;
  } catch (cause) {
    throw new CuelabError({
      kind: "failure",
      what: `onnxruntime cannot be loaded: ${cause instanceof Error ? cause.message.split("\n")[0] : String(cause)}`,
      where: path,
      expected: "a system that its binaries are built for; on Linux one with glibc, which Alpine has not",
      got: `${platform}, Node ${process.versions.node}`,
      cause,
    });
  }
}

function installedRuntime(): string | undefined {
  try {
    const { version } = require("onnxruntime-node/package.json") as { version: string };
    return version === runtimeVersion() ? require.resolve("onnxruntime-node") : undefined;
  } catch {
    return undefined;
  }
}

function carriedRuntime(platform: string): string | undefined {
  const binaries = packageFile("dist/runtime/bin/napi-v6", ...platform.split("-"));
  return existsSync(binaries) ? packageFile("dist/runtime/dist/index.js") : undefined;
}

/** Where there is no runtime, with the way to one. */
export function noRuntime(platform: string): CuelabError {
  const version = runtimeVersion();
  const elsewhere = [...carriedPlatforms, ...otherPlatforms].includes(platform);
  return new CuelabError({
    kind: "failure",
    what: `there is no onnxruntime for ${platform}; networks can neither be trained nor run`,
    expected: `${carriedPlatforms.join(", ")}, which the package carries, or onnxruntime-node ${version} beside it`,
    todo: elsewhere
      ? `npm install onnxruntime-node@${version}`
      : `onnxruntime-node ${version} has ${[...carriedPlatforms, ...otherPlatforms].join(", ")}: use such a machine`,
  });
}
