import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { createFileLookup } from "../../../src/core/composer/FileLookup.ts"
import type { ApiClient } from "../../../src/core/link/apiTypes.ts"
import { asAnswer } from "../support/asAnswer.ts"

const PATHS = ["books/plan.md", "books/plans/2026.md", "src/planner.ts", "README.md"]

/** A console that finds what begins with the letters, two at a time. */
const makeApi = () => {
  const asked: Array<string> = []
  let failure: string | null = null
  const api: Pick<ApiClient, "request"> = {
    request: async (_method, path, decode) => {
      asked.push(path)
      const error = { kind: "forbidden", status: 403, message: failure ?? "", retryAfterMs: null, body: null } as const
      if (failure !== null) return { ok: false, error }
      const query = new URL(path, "http://x").searchParams.get("q") ?? ""
      const found = PATHS.filter((entry) => entry.includes(query))
      const body = {
        entries: found.slice(0, 2).map((entry) => ({ path: entry, type: "file" })),
        isCut: found.length > 2
      }
      const value = decode(asAnswer(body))
      return value === null ? { ok: false, error } : { ok: true, value }
    }
  }
  return {
    api,
    asked,
    fail: (message: string) => {
      failure = message
    }
  }
}

describe("files found while a path is typed", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("are asked for at once, then after a pause, and the last ones at the end", async () => {
    const { api, asked } = makeApi()
    const lookup = createFileLookup(api, "agent:helper:main")
    for (const query of ["", "p", "pl", "pla"]) {
      lookup.want(query)
      await vi.advanceTimersByTimeAsync(20)
    }
    await vi.advanceTimersByTimeAsync(500)
    assert.deepStrictEqual(
      asked.map((path) => new URL(path, "http://x").searchParams.get("q")),
      ["", "pla"]
    )
    assert.include(asked[0], "agent=helper")
    assert.deepStrictEqual(
      lookup.of("pla").entries.map(({ path }) => path),
      ["books/plan.md", "books/plans/2026.md"]
    )
  })

  it("are narrowed from what is known while the answer is on its way", async () => {
    const { api } = makeApi()
    const lookup = createFileLookup(api, "@work:agent:main:main")
    lookup.want("p")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(
      lookup.of("p2026").entries.map(({ path }) => path),
      ["books/plans/2026.md"]
    )
    assert.deepStrictEqual(lookup.of("zzz").entries, [])
  })

  it("aren't asked for again where there are none", async () => {
    const { api, asked } = makeApi()
    const lookup = createFileLookup(api, "agent:main:main")
    lookup.want("zz")
    await vi.advanceTimersByTimeAsync(0)
    lookup.want("zzz")
    await vi.advanceTimersByTimeAsync(500)
    assert.strictEqual(asked.length, 1)
  })

  it("come with the reason where the gateway shows none", async () => {
    const { api, fail } = makeApi()
    fail("This gateway doesn't show its agents' files.")
    const lookup = createFileLookup(api, "@work:agent:main:main")
    lookup.want("p")
    await vi.advanceTimersByTimeAsync(0)
    assert.deepStrictEqual(lookup.of("p"), { entries: [], problem: "This gateway doesn't show its agents' files." })
  })
})
