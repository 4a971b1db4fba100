import { assert, it } from "@effect/vitest"
import { type Kept, workerInMemory } from "../support/workerInMemory.ts"

const BASE = "/console"
const PART = "/assets/Board-1.js"
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", html: "text/html", css: "text/css" }
const OFFLINE = '<link href="/icon.svg"><script src="/theme.js"></script><a href="?">Try again</a>'

const worker = (kept: Kept = new Map()) => {
  const asked: Array<string> = []
  let isAway = false
  const running = workerInMemory({
    basePath: BASE,
    files: { [PART]: "board()", "/offline.html": OFFLINE },
    shell: [],
    later: [PART],
    kept,
    answer: (path) => {
      if (isAway) throw new TypeError("Failed to fetch")
      asked.push(path)
      const file = path.slice(BASE.length)
      const body = file === PART ? "board()" : file === "/offline.html" ? OFFLINE : file
      return new Response(body, { headers: { "content-type": TYPES[file.split(".").at(-1) ?? ""] ?? "image/svg+xml" } })
    }
  })
  return Object.assign(running, {
    asked,
    goAway: () => {
      isAway = true
    }
  })
}

it("a worker below a path loads and keeps the files there, and leaves the rest of the host alone", async () => {
  const running = worker()
  await running.send("install")
  await running.keepAll()
  assert.isTrue(running.asked.every((path) => path.startsWith(`${BASE}/`)))
  assert.isTrue([...running.kept.values()].every((files) => [...files.keys()].every((path) => path.startsWith(BASE))))
  running.goAway()
  assert.strictEqual(await (await running.ask(`${BASE}${PART}`))?.text(), "board()")
  for (const path of [PART, "/offline.html", "/consoles/assets/x.js", `${BASE}/api/version`, `${BASE}/ws`])
    assert.isUndefined(await running.ask(path), path)
})

it("keeps its files apart from those of another console of the host", async () => {
  const kept: Kept = new Map([
    ["shell-000000000000", new Map([["/offline.html", new Response("another's")]])],
    [`shell${BASE}-000000000000`, new Map()]
  ])
  const running = worker(kept)
  await running.send("install")
  await running.send("activate")
  await running.keepAll()
  assert.isTrue(kept.has("shell-000000000000"))
  assert.isFalse(kept.has(`shell${BASE}-000000000000`))
})

it("opens what a notification names, which has the path already", async () => {
  const running = worker()
  await running.press("", { id: "i1", path: `${BASE}/inbox/i1`, actions: [] })
  assert.deepStrictEqual(running.opened, [`${BASE}/inbox/i1`])
})
