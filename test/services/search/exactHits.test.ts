import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { openDatabase } from "../../../src/services/platform/sqlite/openDatabase.ts"
import type { SqlConnection } from "../../../src/services/platform/sqlite/Sqlite.ts"
import { parseQuery } from "../../../src/services/search/query/parseQuery.ts"
import { ANYWHERE, conversation, type SearchOrder } from "../../../src/services/search/searchTypes.ts"
import { claimAdded, putEntry } from "../../../src/services/search/store/entryRows.ts"
import { findEntries } from "../../../src/services/search/store/findRows.ts"
import { searchMigrations } from "../../../src/services/search/store/searchMigrations.ts"
import { Fuzz } from "../../support/fuzz.ts"
import { plain, type Scanned, scanned, split } from "../../support/plainScan.ts"
import { corpusText, makeVocabulary } from "../../support/searchCorpus.ts"

const START = 1_795_169_882_487

const ORDER: Omit<SearchOrder, "terms"> = { ...ANYWHERE, limit: 100 }

const openIndex = () => {
  const options = { path: ":memory:", what: "the index", migrations: searchMigrations, onDamage: "fail" } as const
  const database = Result.getOrThrow(openDatabase(options, "2026-11-20T00:00:00.000Z"))
  const use = <A>(body: (db: SqlConnection) => A): A =>
    Result.getOrThrow(Result.getOrThrow(database.transaction((db) => Result.succeed(body(db)))))
  const put = (texts: ReadonlyArray<string>, from = 0) =>
    use((db) => {
      const added = claimAdded(db)
      for (const [index, text] of texts.entries()) {
        const place = conversation("primary", `agent:main:${(from + index) % 7}`)
        // Several of them at the same millisecond.
        const at = START + Math.floor((from + index) / 3)
        putEntry(db, { place, key: String(from + index), at, role: "user", text, stamp: "" }, { added })
      }
    })
  const page = (q: string, more: Partial<SearchOrder> = {}) =>
    use((db) => findEntries(db, { ...ORDER, ...more, terms: parseQuery(q) }))
  /** The keys of all hits, page by page. */
  const all = (q: string, more: Partial<SearchOrder> = {}): ReadonlyArray<number> => {
    const { finds, next } = page(q, more)
    const keys = finds.map(({ key }) => Number(key))
    return next === undefined ? keys : [...keys, ...all(q, { ...more, cursor: next })]
  }
  return { use, put, page, all }
}

describe("what's found", () => {
  const fuzz = new Fuzz(7)
  const vocabulary = makeVocabulary(fuzz, 400)
  const texts = Array.from({ length: 1500 }, () => corpusText(fuzz, vocabulary, 20 + fuzz.below(300)))
  const looked = texts.map(scanned)
  const index = openIndex()
  index.put(texts)

  const newestFirst = (a: number, b: number) => Math.floor(b / 3) - Math.floor(a / 3) || b - a
  const expectSame = (query: string, isHit: (text: Scanned) => boolean) => {
    const expected = looked.flatMap((text, key) => (isHit(text) ? [key] : [])).sort(newestFirst)
    assert.deepStrictEqual(index.all(query), expected, query)
    return expected.length
  }
  const words = [...vocabulary.latin, ...vocabulary.cyrillic].map((word) => plain(word))
  const word = () => words[fuzz.below(words.length)] ?? ""
  const someText = () => texts[fuzz.below(texts.length)] ?? ""

  it("is what a look through every text finds: words, also in other case and with accents", () => {
    let found = 0
    for (const each of words) found += expectSame(each, (text) => text.hasWord(each))
    assert.isAbove(found, 10_000)
    for (const each of words.slice(0, 50)) expectSame(each.toUpperCase(), (text) => text.hasWord(each))
    for (const each of vocabulary.latin.slice(0, 50)) expectSame(each.replace("e", "é"), (text) => text.hasWord(each))
  })

  it("is the same for several words, without others, and prefixes", () => {
    for (let round = 0; round < 200; round += 1) {
      const [a, b] = [word(), word()]
      expectSame(`${a} ${b}`, (text) => text.hasWord(a) && text.hasWord(b))
      expectSame(`${a} -${b}`, (text) => text.hasWord(a) && !text.hasWord(b))
      const start = a.slice(0, 2 + fuzz.below(2))
      expectSame(`${start}*`, (text) => text.hasPrefix(start))
    }
    expectSame(`-${words[0]}`, (text) => !text.hasWord(words[0] ?? ""))
  })

  it("is the same for phrases", () => {
    let found = 0
    for (let round = 0; round < 300; round += 1) {
      const tokens = split(someText())
        .map(plain)
        .filter((token) => !/\p{scx=Han}/u.test(token))
      const from = fuzz.below(Math.max(1, tokens.length - 3))
      const phrase = tokens.slice(from, from + 2 + fuzz.below(2)).join(" ")
      if (phrase.includes(" ")) found += expectSame(`"${phrase}"`, (text) => text.hasPhrase(phrase))
    }
    assert.isAbove(found, 300)
  })

  it("is the same for any part of a text without spaces", () => {
    let found = 0
    for (let round = 0; round < 600; round += 1) {
      const run = /\p{scx=Han}+/u.exec(someText().slice(fuzz.below(40)))?.[0]?.slice(0, 1 + fuzz.below(4))
      if (run !== undefined) found += expectSame(run, (text) => text.has(run))
    }
    assert.isAbove(found, 300)
  })

  it("marks something in every hit's snippet", () => {
    for (let round = 0; round < 200; round += 1) {
      const query = word()
      for (const { snippet } of index.page(query).finds)
        assert.isTrue(
          snippet.some(({ hit }) => hit),
          query
        )
    }
  })
})

describe("as what it is", () => {
  /** Which of these texts a query finds; each hit has something marked. */
  const finder = (...texts: ReadonlyArray<string>) => {
    const index = openIndex()
    index.put(texts)
    return (query: string) => {
      for (const { snippet } of index.page(query).finds) {
        assert.isTrue(
          snippet.some(({ hit }) => hit),
          query
        )
      }
      return index
        .all(query)
        .toSorted((a, b) => a - b)
        .map((key) => texts[key])
    }
  }

  it("is found a name with its signs, and not without them", () => {
    const [plus, sharp, plain, address, net, asp, word] = [
      "Port it to C++, please",
      "Rewrite in C#.",
      "The C compiler",
      "https://example.com/?b=c&d=e",
      "Move to .NET 10",
      "ASP.NET on a server",
      "A net of fishes; count++ and page.html#top"
    ]
    const found = finder(plus, sharp, plain, address, net, asp, word, "C++20 modules")
    assert.deepStrictEqual(found("C++"), [plus, "C++20 modules"])
    assert.deepStrictEqual(found("c#"), [sharp])
    assert.deepStrictEqual(found("C"), [plain, address])
    assert.deepStrictEqual(found("Ｃ＃"), [sharp])
    assert.deepStrictEqual(found(".NET"), [net, asp])
    assert.deepStrictEqual(found("net"), [net, asp, word])
    assert.deepStrictEqual(found("net -.NET"), [word])
    assert.deepStrictEqual(found("count"), [word])
    assert.deepStrictEqual(found("count++"), [word])
    assert.deepStrictEqual(found("example.com"), [address])
    assert.deepStrictEqual(found('"C please"'), [])
    assert.deepStrictEqual(found('"to C++"'), [plus])
  })

  it("are found pieces of a name of several parts, in any case", () => {
    const [ledger, remote, other] = ["see fetchRemoteLedger_v2(accountId)", "a remote ledger, v2", "fetch, then ledger"]
    const found = finder(ledger, remote, other, "src/RemoteLedger.ts")
    for (const query of ["RemoteLedger", "remoteledger"]) {
      assert.deepStrictEqual(found(query), [ledger, "src/RemoteLedger.ts"], query)
    }
    for (const query of ["Ledger_v2", "fetchRemote", "fetchRemoteLedger", "fetchRemote*", "RemoteLed*"]) {
      assert.include(found(query), ledger, query)
      assert.notInclude(found(query), other, query)
    }
    assert.deepStrictEqual(found("RemoteLedger_v2"), [ledger])
    assert.deepStrictEqual(found("fetchRemoteLedger_v2"), [ledger])
    assert.deepStrictEqual(found("fetchRemoteLedger_v3"), [])
    assert.deepStrictEqual(found("LedgerRemote"), [])
    assert.deepStrictEqual(found("remote ledger"), [ledger, remote, "src/RemoteLedger.ts"])
  })

  it("are found any parts of Thai, Lao, Khmer and Burmese", () => {
    const texts = ["เราจะไปกรุงเทพมหานครพรุ่งนี้", "ຂ້ອຍຈະໄປວຽງຈັນມື້ອື່ນ", "ខ្ញុំនឹងទៅភ្នំពេញថ្ងៃស្អែក", "မနက်ဖြန်ရန်ကုန်သွားမယ်"]
    const found = finder(...texts)
    for (const [index, part] of ["กรุงเทพ", "ວຽງຈັນ", "ភ្នំពេញ", "ရန်ကုန်"].entries()) {
      assert.deepStrictEqual(found(part), [texts[index]], part)
    }
    assert.deepStrictEqual(found("ก"), [texts[0]])
    assert.deepStrictEqual(finder("น้ำดื่ม")("น้\u0e4d\u0e32"), ["น้ำดื่ม"])
  })

  it("are found other ways of writing the same letters", () => {
    const found = finder("Die Straße", "ＡＢＣ株式会社", "The oﬃce", "ｶﾀｶﾅ", "GROSSE STRASSE", "Ⅻ. Kapitel")
    assert.deepStrictEqual(found("strasse"), ["Die Straße", "GROSSE STRASSE"])
    assert.deepStrictEqual(found("Straße"), ["Die Straße", "GROSSE STRASSE"])
    assert.deepStrictEqual(found("abc"), ["ＡＢＣ株式会社"])
    assert.deepStrictEqual(found("ＡＢＣ"), ["ＡＢＣ株式会社"])
    assert.deepStrictEqual(found("office"), ["The oﬃce"])
    assert.deepStrictEqual(found("カタカナ"), ["ｶﾀｶﾅ"])
    assert.deepStrictEqual(found("ﬃ"), [])
  })

  it("are found emoji, beside words too", () => {
    const found = finder("Done 🎉 at last", "Family 👨‍👩‍👧 trip", "Ok 👍🏽", "I ❤️ it", "I ❤ it", "🇩🇪 flag", "nothing")
    assert.deepStrictEqual(found("🎉"), ["Done 🎉 at last"])
    assert.deepStrictEqual(found("done🎉"), ["Done 🎉 at last"])
    assert.deepStrictEqual(found('"done at last"'), ["Done 🎉 at last"])
    assert.deepStrictEqual(found("👨‍👩‍👧"), ["Family 👨‍👩‍👧 trip"])
    assert.deepStrictEqual(found("❤"), ["I ❤️ it", "I ❤ it"])
    assert.deepStrictEqual(found("❤️"), ["I ❤️ it", "I ❤ it"])
    assert.deepStrictEqual(found("🇩🇪 -nothing"), ["🇩🇪 flag"])
    assert.deepStrictEqual(found("i -❤"), [])
  })
})

describe("pages", () => {
  it("stay as they are while the index grows, in both orders", () => {
    for (const sort of ["newest", "relevance"] as const) {
      const index = openIndex()
      index.put(Array.from({ length: 50 }, (_, at) => `pump ${at % 5 === 0 ? "pump " : ""}${"x ".repeat(at % 9)}`))
      const before = index.all("pump", { sort })
      const first = index.page("pump", { sort, limit: 20 })
      index.put(
        Array.from({ length: 30 }, () => "pump pump pump"),
        50
      )
      const rest = index.all("pump", { sort, limit: 20, cursor: first.next })
      assert.deepStrictEqual([...first.finds.map(({ key }) => Number(key)), ...rest], before)
      assert.lengthOf(index.all("pump", { sort }), 80)
    }
  })

  it("end when the last one is full", () => {
    const index = openIndex()
    index.put(["pump", "pump"])
    assert.isUndefined(index.page("pump", { limit: 2 }).next)
    assert.isDefined(index.page("pump", { limit: 1 }).next)
  })
})

describe("a hostile query", () => {
  it("is never an error: 20,000 of them", () => {
    const fuzz = new Fuzz()
    const index = openIndex()
    index.put(["NEAR OR AND NOT pump", 'text parts tags : ^ + - * ( ) { } "', "好世界 مرحبا"])
    const operators = [
      "AND",
      "OR",
      "NOT",
      "NEAR(",
      '"',
      "*",
      "^",
      ":",
      "text:",
      "{parts} :",
      "-",
      "(",
      ")",
      "+",
      "好",
      "🙂",
      "مرحبا",
      "'; DROP TABLE words; --",
      "\0",
      "a",
      "pump"
    ] as const
    for (let round = 0; round < 20_000; round += 1) {
      const made = Array.from({ length: fuzz.below(8) }, () => fuzz.pick(operators)).join(fuzz.chance(0.5) ? " " : "")
      const q = fuzz.chance(0.3) ? fuzz.text().slice(0, 10_240) : made
      index.page(q, { sort: fuzz.chance(0.1) ? "relevance" : "newest" })
    }
    assert.lengthOf(index.all("pump"), 1)
  }, 60_000)
})
