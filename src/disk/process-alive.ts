/** Whether a process of this machine is still there, by its number. */

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    // Not allowed to signal it means that it is there.
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}
