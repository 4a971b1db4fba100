import { assert, describe, it } from "@effect/vitest"
import { cutSnippet } from "../../../src/services/search/query/cutSnippet.ts"
import { hitRanges } from "../../../src/services/search/query/hitRanges.ts"
import { matchExpression } from "../../../src/services/search/query/matchExpression.ts"
import { parseQuery } from "../../../src/services/search/query/parseQuery.ts"
import { decodeCursor, encodeCursor } from "../../../src/services/search/searchTypes.ts"
import { messageEntry } from "../../../src/services/search/sources/histories.ts"
import { readMessageLine } from "../../../src/services/search/text/conversationText.ts"
import { indexedText } from "../../../src/services/search/text/indexedText.ts"
import { fold, identifierParts, normalise, wordsOf } from "../../../src/services/search/text/words.ts"
import { Fuzz } from "../../support/fuzz.ts"

const folded = (text: string) => Array.from(wordsOf(normalise(text)), (word) => word.folded)
const marked = (text: string, query: string) => {
  const known = normalise(text)
  return hitRanges(known, parseQuery(query)).map(({ start, end }) => known.slice(start, end))
}
const shown = (text: string, query: string) =>
  cutSnippet(normalise(text), hitRanges(normalise(text), parseQuery(query)))

const marks = (text: string, query: string) =>
  shown(text, query)
    .map(({ text }) => text)
    .join("")

describe("words", () => {
  it("are compared without case and accents", () => {
    assert.deepStrictEqual(folded("Crème BRÛLÉE, Ёлка ΣΟΦΟΣ"), ["creme", "brulee", "елка", "σοφοσ"])
    assert.strictEqual(fold("İstanbul"), "istanbul")
    assert.deepStrictEqual(folded("שָׁלוֹם مُحَمَّد"), ["שלום", "محمد"])
  })
  it("end at what isn't written in words, underscores and slashes included", () => {
    assert.deepStrictEqual(folded("/src/get_user.ts: don't 3.14"), ["src", "get", "user", "ts", "don", "t", "3", "14"])
  })
  it("are distinguished from runs without spaces, and are the same decomposed", () => {
    const words = Array.from(wordsOf(normalise("abc你好 한국어 e\u0301t\u00e9")), ({ folded: text, isRun }) => [
      text,
      isRun
    ])
    assert.deepStrictEqual(words, [
      ["abc", false],
      ["你好", true],
      ["한국어", true],
      ["ete", false]
    ])
  })
})

describe("names in camel case", () => {
  it("have their parts", () => {
    assert.deepStrictEqual(identifierParts("getUserName"), ["get", "User", "Name"])
    assert.deepStrictEqual(identifierParts("XMLHttpRequest"), ["XML", "Http", "Request"])
    assert.deepStrictEqual(identifierParts("utf8Decoder"), ["utf8", "Decoder"])
    assert.deepStrictEqual(identifierParts("iPhone"), ["i", "Phone"])
  })
  it("are no other words", () => {
    for (const word of ["garden", "Garden", "GARDEN", "sha256", "2026"])
      assert.deepStrictEqual(identifierParts(word), [])
  })
})

describe("what the index keeps", () => {
  it("is pairs of characters without spaces, and at last the last one", () => {
    assert.strictEqual(indexedText("好世界 ok").text, "好世 世界 界 ok")
    assert.strictEqual(indexedText("好").text, "好")
  })
  it("is words in their order, and the parts of names besides", () => {
    assert.deepStrictEqual(indexedText("call getUserName twice"), {
      text: "call getusername twice",
      parts: "get getuser user username name",
      names: ""
    })
    assert.strictEqual(indexedText("see fetchRemoteLedger_v2(accountId)").names, "fetch remote ledger v2")
  })
})

describe("a query", () => {
  it("has words, phrases, what must not occur, and prefixes", () => {
    const terms = parseQuery('pump "new house" -old green* -"very old"')
    assert.deepStrictEqual(
      terms.map(({ words, ...rest }) => [words.map((word) => word.folded).join(" "), rest.isPrefix, rest.isWithout]),
      [
        ["pump", false, false],
        ["new house", false, false],
        ["old", false, true],
        ["green", true, false],
        ["very old", false, true]
      ]
    )
  })
  it("looks for a flag as it's typed, and for names with a hyphen as a phrase", () => {
    assert.deepStrictEqual(
      parseQuery("--verbose").map(({ isWithout }) => isWithout),
      [false]
    )
    assert.strictEqual(matchExpression(parseQuery("dry-run"), []), '({text} : "dry run")')
  })
  it("may have nothing to look for", () => {
    for (const query of ['"', "* - ()", "+ # .", "\0", '""', "-"]) assert.deepStrictEqual(parseQuery(query), [])
    assert.isUndefined(matchExpression([], [["k0"]]))
  })
  it("is never more than the index can take", () => {
    const words = parseQuery("word ".repeat(5000))
    assert.isAtMost(words.length, 64)
    assert.isAtMost(parseQuery("a-".repeat(5000)).flatMap((term) => term.words).length, 256)
  })
})

describe("what's shown", () => {
  it("marks the hits", () => {
    assert.deepStrictEqual(shown("The pump, the PUMP and pumps", "pump"), [
      { text: "The ", hit: false },
      { text: "pump", hit: true },
      { text: ", the ", hit: false },
      { text: "PUMP", hit: true },
      { text: " and pumps", hit: false }
    ])
  })
  it("marks phrases, prefixes, names by their parts and parts of runs", () => {
    assert.deepStrictEqual(marked("new house, new old house", '"new house"'), ["new house"])
    assert.deepStrictEqual(marked("greenhouse green gray", "green*"), ["greenhouse", "green"])
    assert.deepStrictEqual(marked("getUserName()", "user"), ["getUserName"])
    assert.deepStrictEqual(marked("你好世界", "好世"), ["好世"])
    assert.deepStrictEqual(marked("学中文 abc", "文abc"), ["文 abc"])
    assert.deepStrictEqual(marked("Ein Café", "cafe -tea"), ["Café"])
  })
  it("is where most of the words are, in one line, with dots where the text goes on", () => {
    const text = `pump ${"x ".repeat(300)}the\nnew pump ${"y ".repeat(300)}`
    const parts = shown(text, "new pump")
    assert.strictEqual(parts[0]?.text, "…")
    assert.deepStrictEqual(
      parts.filter(({ hit }) => hit).map((part) => part.text),
      ["new", "pump"]
    )
    assert.isTrue(parts.at(-1)?.text.endsWith("…"))
    assert.isFalse(parts.some((part) => part.text.includes("\n")))
  })
  it("is found far down in a long text, across lines, and where most of the words are", () => {
    const filler = "nothing here to see ".repeat(400)
    const hits = (text: string, query: string) =>
      shown(text, query)
        .filter(({ hit }) => hit)
        .map((part) => part.text)
    assert.deepStrictEqual(hits(`${filler}Le CAFÉ noir`, "cafe"), ["CAFÉ"])
    assert.deepStrictEqual(hits(`${filler}getUserName`, "user"), ["getUserName"])
    assert.deepStrictEqual(hits(`${filler}、新世界の人`, "世界"), ["世界"])
    // Wherever the text is cut into pieces, a phrase goes on.
    for (let length = 480; length < 540; length++)
      assert.deepStrictEqual(hits(`${"x".repeat(length)} the new\n\npump`, '"the new pump"'), ["the new pump"])
    // The first place with all words, not the first one with some.
    assert.deepStrictEqual(hits(`pump ${filler} a new pump, ${filler} new`, "pump new"), ["new", "pump"])
  })

  it("is how Markdown reads, while hits and everything else stay as they are", () => {
    const read = (text: string, query: string) =>
      cutSnippet(normalise(text), hitRanges(normalise(text), parseQuery(query)), true)
        .map(({ text, hit }) => (hit ? `[${text}]` : text))
        .join("")
    assert.strictEqual(
      read("## Projects\n\nThe **Linux** box runs `cron`.", "linux"),
      "Projects The [Linux] box runs cron."
    )
    assert.strictEqual(
      read("| Part | Where |\n|---|:-:|\n| Composer | below |", "composer").trim(),
      "Part · Where [Composer] · below"
    )
    assert.strictEqual(read("> said **once again**, *and again*:", '"said once"'), "[said once] again, and again:")
    assert.strictEqual(
      read("a | b, 2**3, src/**/x.ts, issue # 5, deploy*", "deploy"),
      "a | b, 2**3, src/**/x.ts, issue # 5, [deploy]*"
    )
    assert.strictEqual(
      read("Short and friendly:\n\n- the new commands, one each\n* thanks to all\n1. [x] a word", "thanks"),
      "Short and friendly: the new commands, one each · [thanks] to all · a word"
    )
    assert.strictEqual(
      read("# Day\n\n## Lamp\n- new glass\n## Letters\ntwo", "glass"),
      "Day · Lamp · new [glass] · Letters two"
    )
    assert.strictEqual(read("Plan\n- 3 - 2 is one\n--- a", "plan"), "[Plan] · 3 - 2 is one --- a")
    const far = `${"word ".repeat(100)}**the long ${"way ".repeat(10)}home** end`
    assert.notInclude(read(far, "home"), "*")
    assert.include(marks(far, "home"), "**")
  })
  it("never parts a character", () => {
    const fuzz = new Fuzz()
    for (let round = 0; round < 1000; round += 1) {
      const text = fuzz.text()
      for (const part of shown(text, text.slice(fuzz.below(20)))) assert.isTrue(part.text.isWellFormed())
    }
  })
})

describe("a cursor", () => {
  it("comes back as it was given out", () => {
    for (const cursor of [
      { sort: "newest", before: 1_795_169_882_487 * 1024 + 3 } as const,
      { sort: "relevance", added: 12, position: 30 } as const
    ])
      assert.deepStrictEqual(decodeCursor(encodeCursor(cursor)), cursor)
  })
  it("is refused when it's damaged", () => {
    const whole = encodeCursor({ sort: "newest", before: 1024 })
    for (const text of [
      "",
      "x",
      whole.slice(1),
      whole.slice(0, -1),
      `${whole}A`,
      `${whole}=`,
      whole.toUpperCase(),
      "é",
      "'; DROP TABLE"
    ])
      assert.isUndefined(decodeCursor(text), text)
    const fuzz = new Fuzz()
    for (let round = 0; round < 2000; round += 1) {
      const text = fuzz.mutate(whole)
      assert.isTrue(text === whole || decodeCursor(text) === undefined, text)
    }
  })
})

describe("what a person typed", () => {
  const sender = 'Sender (untrusted metadata):\n```json\n{\n  "label": "x"\n}\n```\n\n'
  const switched = "System: [2026-11-20 11:00:59 UTC] Model switched to demo/swift.\n\n"
  it.each([
    [`${sender}[Fri 2026-11-20 11:01 UTC] hello [there]`, "hello [there]"],
    [`${switched}${sender}[Fri 2026-11-20 11:01 UTC] hello`, "hello"],
    [`${sender}${switched}hello`, "hello"],
    [`${sender}${switched}${sender}hello`, "hello"],
    [`${sender.replaceAll(/\s+/g, " ")}[Fri 2026-11-20 11:01 UTC] hello`, "hello"],
    ["[x] hello", "[x] hello"]
  ])(
    "is found without what older gateways store in front of it, from transcripts and from the gateway: %j",
    (text, typed) => {
      const message = { role: "user", content: [{ type: "text", text }], timestamp: 1_000 }
      const line = readMessageLine(JSON.stringify({ type: "message", id: "m", message }))
      assert.strictEqual(line?.text, typed)
      const events = { sessionKey: "agent:main:main", id: "m", at: 1_000, message, isCut: false, runId: undefined }
      assert.strictEqual(messageEntry("default", events)?.text, typed)
      const answer = { ...events, message: { ...message, role: "assistant" } }
      assert.strictEqual(messageEntry("default", answer)?.text, text)
    }
  )
})
