const WINDOW_MS = 60_000
const LOCK_MS = 300_000
const MAX_FAILURES = 10

/** Counts wrong secrets from browsers: ten within a minute lock them out for five minutes. */
export class AuthFailures {
  private failures: ReadonlyArray<number> = []
  private lockedUntil = 0

  /** Records a wrong secret. */
  record(now: number): void {
    this.failures = [...this.failures.filter((at) => at > now - WINDOW_MS), now]
    if (this.failures.length >= MAX_FAILURES) this.lockedUntil = now + LOCK_MS
  }

  /** Whether everyone is currently locked out. */
  locked(now: number): boolean {
    return now < this.lockedUntil
  }
}
