/** Failures that come from a machine which gives too little, and would look like our own mistakes. */

import { CuelabError } from "../core/errors.ts";
import { diskError } from "../disk/disk-error.ts";

/** Node opens modules by the hundred, and takes one that it cannot open for one that is not there. */
const fewFiles = 256;

/** The same error in words, where the machine is what failed. */
export function scarce(cause: unknown): unknown {
  if (cause instanceof CuelabError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const open = openFiles();
  const isAboutFiles =
    code === "EMFILE" || code === "ERR_MODULE_NOT_FOUND" || /EMFILE|Too many open/i.test(message);
  if (isAboutFiles && open < fewFiles) {
    return new CuelabError({
      kind: "failure",
      what: "too few files may be open in this process",
      expected: `at least ${fewFiles}`,
      got: `${open}`,
      todo: "allow more, such as with 'ulimit -n 4096'",
      cause,
    });
  }
  const isAboutMemory =
    ["ENOMEM", "ERR_WORKER_OUT_OF_MEMORY", "ERR_MEMORY_ALLOCATION_FAILED"].includes(code ?? "") ||
    (cause instanceof RangeError && /allocat/i.test(message));
  if (isAboutMemory) {
    return new CuelabError({
      kind: "failure",
      what: "there is not enough memory",
      got: message,
      todo: "close other programs, allow more, or ask for less at a time, such as with fewer --workers",
      cause,
    });
  }
  const { path = "a file" } = cause as NodeJS.ErrnoException;
  return code === undefined ? cause : diskError(cause, path);
}

/** Infinite where the system does not tell. */
function openFiles(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return soft > 0 ? soft : Number.POSITIVE_INFINITY;
}
