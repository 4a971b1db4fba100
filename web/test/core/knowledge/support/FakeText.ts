import type { TextSource } from "../../../../src/core/knowledge/TextSource.ts"
import type { ApiFailureKind, ApiResult } from "../../../../src/core/link/apiTypes.ts"

const failed = <A>(kind: ApiFailureKind, retryAfterMs: number | null = null): ApiResult<A> => ({
  ok: false,
  error: { kind, status: 0, message: `said ${kind}`, retryAfterMs, body: null }
})

/** A stored text that others change too; the version counts its changes. */
export class FakeText {
  text: string | null
  version = 1
  reads = 0
  failing: ApiFailureKind | null = null
  /** Runs before an answer is given. */
  before: () => Promise<void> = async () => {}
  readonly source: TextSource

  constructor(text: string | null, key = "file:a.md") {
    this.text = text
    this.source = {
      key,
      read: async () => {
        this.reads += 1
        const now = { text: this.text, version: this.version, failing: this.failing }
        await this.before()
        if (now.failing !== null) return failed(now.failing, now.failing === "rate_limited" ? 5_000 : null)
        if (now.text === null) return failed("not_found")
        return { ok: true, value: { text: now.text, version: String(now.version) } }
      },
      write: async (text, version) => {
        await this.before()
        if (this.failing !== null) return failed(this.failing)
        if (version !== (this.text === null ? null : String(this.version))) return failed("conflict")
        this.save(text)
        return { ok: true, value: String(this.version) }
      }
    }
  }

  save(text: string | null): void {
    this.text = text
    this.version += 1
  }
}
