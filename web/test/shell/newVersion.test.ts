import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { followBuild } from "../../src/shell/newVersion.ts"

/** A page of the build "old": what it shows, and how often it loads itself again, by the builds of its answers. */
const openPage = () => {
  const shown: Array<string> = []
  let hear: (build: string) => void = () => {}
  let reloads = 0
  followBuild(
    {
      build: "old",
      onBuild: (listener) => {
        hear = listener
        return () => {}
      }
    },
    { show: (_tone, text) => shown.push(text) },
    () => (reloads += 1)
  )
  return { answer: (build: string) => hear(build), shown, reloads: () => reloads }
}

describe("a page that gets answers of another build", () => {
  let typed = ""
  beforeEach(() => {
    typed = ""
    vi.stubGlobal("document", {
      addEventListener: () => {},
      querySelector: () => null,
      querySelectorAll: () => [{ value: typed }]
    })
    const kept = new Map<string, string>()
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value)
    })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it("says so once, and loads itself again once for that build, as soon as nothing is typed", () => {
    const page = openPage()
    page.answer("old")
    assert.deepStrictEqual([page.shown, page.reloads()], [[], 0])
    typed = "not sent yet"
    page.answer("next")
    page.answer("next")
    assert.deepStrictEqual([page.shown, page.reloads()], [["A new version is available."], 0])
    typed = ""
    page.answer("next")
    page.answer("next")
    assert.strictEqual(page.reloads(), 1)
  })

  it("leaves the reload to the person where the browser keeps nothing, and goes on", () => {
    vi.stubGlobal("sessionStorage", {
      getItem: () => {
        throw new Error("The operation is insecure.")
      }
    })
    const page = openPage()
    page.answer("next")
    assert.deepStrictEqual([page.shown, page.reloads()], [["A new version is available."], 0])
  })
})
