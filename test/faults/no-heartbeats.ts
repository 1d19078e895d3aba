/**
 * A lock is renewed every fifteen seconds, so that a command makes more changes the slower the machine is, and places of faults would have
 * other numbers each time. No command of the cases lives as long as a lock may be silent.
 */

/** Far more often than that the program does nothing for the disk. */
const seldomMs = 10_000;

export function stopHeartbeats(): void {
  const original = globalThis.setInterval;
  globalThis.setInterval = ((work: () => void, ms = 0) =>
    original(ms < seldomMs ? work : () => {}, ms)) as typeof setInterval;
}
