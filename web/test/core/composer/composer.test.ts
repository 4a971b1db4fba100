import { assert, describe, it } from "@effect/vitest"
import { startsCommand } from "../../../src/core/composer/composerRules.ts"
import { draftImages } from "../../../src/core/composer/draftFiles.ts"
import { fitsFrame, fitted } from "../../../src/core/composer/imageSize.ts"
import { createPromptHistory } from "../../../src/core/composer/PromptHistory.ts"
import { completions } from "../../../src/core/composer/slashCommands.ts"
import type { ChatItem } from "../../../src/core/conversation/chatTypes.ts"
import { thinkingChoices } from "../../../src/core/sessions/sessionChoices.ts"

const own = (text: string): ChatItem => ({
  kind: "user",
  key: text,
  at: 1,
  text,
  images: [],
  delivery: "sent",
  error: null
})
const items = [own("one"), own("two"), own(" "), own("one"), { kind: "aborted", key: "x", at: 2 } as const]

describe("own messages under the up key", () => {
  it("come newest first, each once, and what was written comes back at the end", () => {
    const history = createPromptHistory()
    assert.strictEqual(history.older(items, ""), "one")
    assert.strictEqual(history.older(items, "one"), "two")
    assert.isNull(history.older(items, "two"))
    assert.isTrue(history.shows("two"))
    assert.strictEqual(history.newer("two"), "one")
    assert.strictEqual(history.newer("one"), "")
    assert.isNull(history.newer(""))
  })

  it("begin anew after a change", () => {
    const history = createPromptHistory()
    assert.strictEqual(history.older(items, ""), "one")
    assert.isFalse(history.shows("one more"))
    assert.isNull(history.newer("one more"))
    assert.strictEqual(history.older([own("only")], ""), "only")
    assert.isNull(createPromptHistory().older([], ""))
  })
})

describe("commands", () => {
  const values = {
    model: [
      { id: "demo/swift", name: "Demo Swift" },
      { id: "x/y", name: "x/y" }
    ],
    thinking: [{ id: "low", label: "low" }]
  }
  const texts = (text: string) => completions(text, values).map((completion) => completion.text)

  it("are completed by name, then by the values of their argument", () => {
    assert.strictEqual(texts("/").length, 8)
    assert.deepStrictEqual(texts("/mo"), ["/model "])
    assert.deepStrictEqual(texts("/model "), ["/model demo/swift", "/model x/y"])
    assert.deepStrictEqual(texts("/MODEL Swi"), ["/model demo/swift"])
    assert.deepStrictEqual(texts("/think lo"), ["/think low"])
    assert.deepStrictEqual(texts("/think low"), [])
  })

  it("are offered for nothing else", () => {
    for (const text of ["", "a /stop", "/stop", "/a\nb", "/usr/bin", "/status now", "//"])
      assert.deepStrictEqual(texts(text), [], text)
    assert.isFalse(startsCommand("/usr/bin"))
  })
})

describe("pictures", () => {
  it("are made to fit, and never larger", () => {
    assert.deepStrictEqual(fitted(4_096, 1_024), { width: 2_048, height: 512 })
    assert.deepStrictEqual(fitted(100, 50), { width: 100, height: 50 })
    assert.deepStrictEqual(fitted(100_000, 1), { width: 2_048, height: 1 })
    assert.isTrue(fitsFrame([1_000_000], 2_000_000))
    assert.isFalse(fitsFrame([1_000_000, 900_000], 2_000_000))
  })

  it("of unsent messages stay with their session", () => {
    const image = { mimeType: "image/png", fileName: "a.png", content: "AA" }
    draftImages.set("s", [image])
    assert.deepStrictEqual([draftImages.get("s"), draftImages.get("t")], [[image], []])
    draftImages.set("s", [])
    assert.deepStrictEqual(draftImages.get("s"), [])
  })
})

describe("thinking levels", () => {
  it("are the session's own, else the common ones", () => {
    assert.deepStrictEqual(thinkingChoices({ thinkingLevels: [{ id: "max", label: "Max" }] }), [
      { id: "max", label: "Max" }
    ])
    assert.strictEqual(thinkingChoices(null).length, 5)
  })
})
