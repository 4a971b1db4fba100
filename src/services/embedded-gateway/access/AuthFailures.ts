const WINDOW_MS = 60_000
const LOCK_MS = 300_000
const MAX_FAILURES = 10

/** Counts wrong secrets from browsers: ten within a minute lock them out for five. */
export class AuthFailures {
  private failures: ReadonlyArray<number> = []
  private lockedUntil = 0

  /** Notes a wrong secret. */
  record(now: number): void {
    this.failures = [...this.failures.filter((at) => at > now - WINDOW_MS), now]
    if (this.failures.length >= MAX_FAILURES) this.lockedUntil = now + LOCK_MS
  }

  /** Whether nobody is let in at the moment. */
  locked(now: number): boolean {
    return now < this.lockedUntil
  }
}
