import { assert, describe, it } from "@effect/vitest"
import { type Kept, redirected, workerInMemory } from "../support/workerInMemory.ts"

const INDEX = "/assets/index-1.js"
const BOARD = "/assets/Board-1.js"
const STYLE = "/assets/Board-1.css"
const FILES: Readonly<Record<string, string>> = {
  [INDEX]: "index()",
  [BOARD]: "board()",
  [STYLE]: ".board{}",
  "/assets/font-1.woff2": "font"
}
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  svg: "image/svg+xml"
}

const answerWith = (body: string, type: string, status = 200) =>
  new Response(body, { status, headers: { "content-type": type } })
const own = (path: string) =>
  path.startsWith("/assets/") && FILES[path] === undefined
    ? answerWith('{"error":"not_found"}', "application/json", 404)
    : answerWith(FILES[path] ?? path, TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream")

/** What people meet in front of a console: each as an answer for any path. */
const FOREIGN: ReadonlyArray<readonly [string, (path: string) => Response]> = [
  ["a sign-in page", () => answerWith("<!doctype html>Sign in", "text/html")],
  ["a sign-in page in capitals", () => answerWith("<!doctype html>Sign in", "Text/HTML; charset=UTF-8")],
  ["a sign-in page after a redirect", () => redirected(answerWith("<!doctype html>Sign in", "text/html"))],
  ["a page without a type", () => new Response(new TextEncoder().encode("<!doctype html>"))],
  ["an XHTML page", () => answerWith("<html/>", "application/xhtml+xml")],
  ["a text", () => answerWith("Please sign in", "text/plain")],
  ["a script from elsewhere", (path) => redirected(answerWith(FILES[path] ?? "", "text/javascript"))],
  ["an empty answer", () => new Response(null, { status: 204 })]
]

/** A worker behind something that can be put in front of its console. */
const worker = (kept?: Kept, later: ReadonlyArray<string> = [BOARD, STYLE]) => {
  const asked: Array<string> = []
  let front: ((path: string) => Response) | undefined
  const running = workerInMemory({
    files: FILES,
    shell: [INDEX],
    later,
    ...(kept === undefined ? {} : { kept }),
    answer: (path, { cache }) => {
      asked.push(cache === "default" ? path : `${path} ${cache}`)
      return front === undefined ? own(path) : front(path)
    }
  })
  return Object.assign(running, {
    asked,
    putInFront: (answer: ((path: string) => Response) | undefined) => {
      front = answer
    }
  })
}

const keptIn = (kept: Kept) => [...kept.values()].flatMap((entries) => [...entries.keys()]).sort()
const bodiesIn = async (kept: Kept) => {
  const all: Array<string> = []
  for (const entries of kept.values()) for (const answer of entries.values()) all.push(await answer.clone().text())
  return all
}

describe("the parts that the worker keeps", () => {
  it("are those of the build", async () => {
    const running = worker()
    await running.send("install")
    await running.keepAll()
    assert.includeMembers(keptIn(running.kept), [INDEX, BOARD, STYLE, "/offline.html", "/theme.js"])
    running.putInFront(() => Response.error())
    assert.strictEqual(await (await running.ask(BOARD))?.text(), "board()")
  })

  for (const [name, foreign] of FOREIGN) {
    it(`are never ${name}, and what is missing is fetched again afterwards`, async () => {
      const running = worker()
      await running.send("install")
      running.putInFront(foreign)
      await running.keepAll()
      for (const path of [BOARD, STYLE]) {
        const answer = await running.ask(path)
        assert.isTrue(answer?.type === "error" || answer?.ok === false, path)
      }
      assert.notInclude(keptIn(running.kept), BOARD)
      running.putInFront(undefined)
      assert.strictEqual(await (await running.ask(BOARD))?.text(), "board()")
      assert.strictEqual(await (await running.ask(STYLE))?.text(), ".board{}")
      assert.includeMembers(keptIn(running.kept), [BOARD, STYLE])
    })

    it(`aren't asked for one by one once ${name} has come`, async () => {
      const running = worker()
      await running.send("install")
      running.putInFront(foreign)
      running.asked.length = 0
      await running.keepAll()
      assert.isTrue(running.asked.every((path) => path.startsWith(BOARD)))
    })
  }

  it("don't include another script of the same type, though a page may use what a proxy has changed", async () => {
    const running = worker()
    await running.send("install")
    running.putInFront((path) => answerWith(`${FILES[path]};counted()`, "text/javascript"))
    await running.keepAll()
    assert.strictEqual(await (await running.ask(BOARD))?.text(), "board();counted()")
    assert.notInclude(keptIn(running.kept), BOARD)
  })

  it("are asked for past the browser's own cache where that holds somebody else's page", async () => {
    const running = worker()
    await running.send("install")
    running.putInFront(() => answerWith("<p>Sign in", "text/html"))
    running.asked.length = 0
    await running.ask(BOARD)
    assert.deepStrictEqual(running.asked, [BOARD, `${BOARD} reload`])
  })

  it("are dropped and fetched anew where an earlier worker kept a page for them", async () => {
    const page = () => answerWith("<p>Sign in", "text/html")
    const kept: Kept = new Map([
      ["shell-earlier", new Map([BOARD, STYLE, INDEX].map((path) => [path, page()] as const))],
      ["shell-before", new Map([[BOARD, answerWith("board()", TYPES.js ?? "")]])]
    ])
    const running = worker(kept)
    running.putInFront(() => Response.error())
    assert.strictEqual(await (await running.ask(BOARD))?.text(), "board()", "another cache has it")
    running.putInFront(undefined)
    assert.strictEqual(await (await running.ask(STYLE))?.text(), ".board{}")
    assert.strictEqual(await (await running.ask(INDEX))?.text(), "index()")
    for (const body of await bodiesIn(kept)) assert.notInclude(body, "Sign in")
  })

  it("replace a page that this worker's own cache holds", async () => {
    const first = worker()
    await first.send("install")
    for (const entries of first.kept.values()) entries.set(BOARD, answerWith("<p>Sign in", "text/html"))
    const running = worker(first.kept)
    await running.keepAll()
    for (const body of await bodiesIn(running.kept)) assert.notInclude(body, "Sign in")
    assert.include(await bodiesIn(running.kept), "board()")
  })

  it.each(FOREIGN.filter(([name]) => !name.startsWith("a script")))(
    "of other kinds aren't %s either",
    async (_name, foreign) => {
      const running = worker()
      running.putInFront(foreign)
      assert.strictEqual((await running.ask("/assets/font-1.woff2"))?.type, "error")
      running.putInFront(undefined)
      assert.strictEqual(await (await running.ask("/assets/font-1.woff2"))?.text(), "font")
    }
  )

  it("leave a missing one a 404", async () => {
    assert.strictEqual((await worker().ask("/assets/nothing-1.js"))?.status, 404)
  })
})

describe("a worker that's installed behind somebody else's page", () => {
  for (const [name, foreign] of FOREIGN) {
    it(`doesn't take the place of the one before, with ${name}`, async () => {
      const running = worker()
      running.putInFront(foreign)
      const installed = await running.send("install").then(
        () => true,
        () => false
      )
      assert.isFalse(installed)
      assert.deepStrictEqual(keptIn(running.kept), [])
    })
  }

  it("is installed where a proxy changes scripts, and keeps none of those", async () => {
    const running = worker()
    running.putInFront((path) => (path === INDEX ? answerWith("index();counted()", "text/javascript") : own(path)))
    await running.send("install")
    assert.notInclude(keptIn(running.kept), INDEX)
    assert.include(keptIn(running.kept), "/offline.html")
  })
})

describe("the small files beside the parts", () => {
  it("are the kept ones while a page answers for them, and a page is never kept as a language", async () => {
    const running = worker()
    await running.send("install")
    await running.ask("/languages/de.js")
    running.putInFront(() => answerWith("<p>Sign in", "text/html"))
    assert.strictEqual(await (await running.ask("/languages/de.js"))?.text(), "/languages/de.js")
    assert.strictEqual(await (await running.ask("/theme.js"))?.text(), "/theme.js")
    assert.strictEqual((await running.ask("/languages/fr.js"))?.type, "error")
    for (const body of await bodiesIn(running.kept)) assert.notInclude(body, "Sign in")
  })
})
