import { createSocket } from "node:dgram"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { accessProblems } from "./support/accessProblems.ts"
import { keepPicture, withPage } from "./support/browser.ts"
import { connected, finishedAnswer, say } from "./support/conversation.ts"
import { gatewayCall, gatewayCalls } from "./support/gatewayHistory.ts"
import { useConsole, useWholeBrowser } from "./support/useConsole.ts"

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

const FLOW = "flowchart LR\n  a[Start] --> b{Enough?}\n  b -- no --> a\n  b -- yes --> c([End])"

const HOSTILE_DIAGRAMS = [
  'flowchart LR\n  a["<img src=x onerror=alert(1)>"] --> b["<script>alert(1)</script>"]',
  'flowchart LR\n  a --> b\n  click a "javascript:alert(1)"\n  click b call alert(1)',
  "flowchart LR\n  a --> b\n  classDef x fill:url(https://evil.example/x)",
  'flowchart LR\n  a@{ img: "https://evil.example/x.png" }',
  '%%{init: {"securityLevel": "loose", "theme": "forest", "themeCSS": "*{display:none}"}}%%\nflowchart LR\n  a["<b onclick=alert(1)>x</b>"] --> b',
  "---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart LR\n  a[\"<iframe src='javascript:alert(1)'></iframe>\"]",
  'sequenceDiagram\n  participant A as <a href="javascript:alert(1)">x</a>\n  A->>A: <svg onload=alert(1)>',
  "flowchart LR\n  a --> ["
]

/** What a page tries that must fail, each with its name; the result is written into the page. */
const ATTACKS = `
  const tries = {
    cookie: () => document.cookie,
    storage: () => localStorage.length,
    parent: () => parent.document.body.innerHTML,
    top: () => top.document.body.innerHTML,
    leave: () => { top.location.href = "https://evil.example/" },
    opener: () => opener.document,
    popup: () => { if (open("https://evil.example/") === null) throw new Error("none") },
    own: async () => { await fetch(new URL("/api/version", document.referrer || "http://127.0.0.1")) },
    outside: async () => { await fetch("https://evil.example/") },
    socket: () => new Promise((done, fail) => { const s = new WebSocket("wss://evil.example/"); s.onopen = done; s.onerror = () => fail(new Error("no")) }),
    worker: () => new Promise((done, fail) => { const w = new Worker("data:text/javascript,postMessage(1)"); w.onmessage = done; w.onerror = () => fail(new Error("no")) }),
    picture: () => new Promise((done, fail) => { const i = new Image(); i.onload = done; i.onerror = () => fail(new Error("no")); i.src = "https://evil.example/x.png" })
  }
  const reached = []
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt(); reached.push(name) } catch { }
  }
  try { if (alert("hello") === undefined) void 0 } catch { }
  document.body.dataset.origin = String(self.origin)
  document.body.dataset.reached = reached.join(" ") || "nothing"`

const HOSTILE_PAGE = `<!doctype html><html><head><base href="https://evil.example/"><meta http-equiv="refresh" content="60;url=https://evil.example/">
<link rel="stylesheet" href="https://evil.example/x.css"><style>h1{color:rgb(1, 2, 3);background:url(https://evil.example/y.png)}</style></head>
<body onload="document.body.dataset.loaded = ''"><h1>Hostile</h1><img src="https://evil.example/x.png"><iframe src="/api/version"></iframe>
<a href="https://evil.example/">away</a><form action="https://evil.example/"><button>Send</button></form>
<script type="module">${ATTACKS}</script></body></html>`

/** The first Chromium that was seen to stop direct connections of a page that may connect to nothing. */
const KNOWS_ALLOWLIST = 156

/** Opens a direct connection by way of a server, from the document itself and from a frame it makes. */
const connectingPage = (port: number) => {
  const server = `{ urls: "turn:127.0.0.1:${port}", username: "what the page knows", credential: "x" }`
  const script = `const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${port}" }, ${server}] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o))`
  return `<!doctype html><html><body><h1>Caller</h1><iframe srcdoc="<script>${script.replaceAll('"', "&quot;")}</script>"></iframe><script>${script}</script></body></html>`
}

describe("formulas, diagrams and pages in a conversation", () => {
  const console = useConsole()
  const browser = useWholeBrowser()
  let sessions = 0

  /** Opens a session of its own in which an agent said this. */
  const openWith = async (page: Page, ...texts: ReadonlyArray<string>): Promise<void> => {
    const key = `agent:main:drawn-${++sessions}`
    await gatewayCall(console.url, "sessions.create", { key })
    await gatewayCalls(
      console.url,
      "chat.inject",
      texts.map((message) => ({ sessionKey: key, message }))
    )
    await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
    await connected(page)
    await page.locator("#log .message").last().waitFor()
  }

  const loadsOf = (page: Page) => {
    const loads: Array<string> = []
    page.on("request", (request) => loads.push(request.url()))
    return loads
  }

  it("draws formulas with letters of its own, for screen readers too, and loads nothing for prices", () =>
    withPage(browser, {}, async (page) => {
      const loads = loadsOf(page)
      await openWith(page, "From $5 to $10, and `$x$`.")
      await page.getByText("From $5 to $10").waitFor()
      await page.locator(".markdown").waitFor()
      assert.deepStrictEqual(
        loads.filter((url) => /katex/i.test(url)),
        []
      )
      await openWith(
        page,
        "Let $a^2 + b^2 = c^2$, so\n\n$$\nc = \\sqrt{a^2 + b^2}\n$$\n\nbut $\\frac{a$ stays, as does \\(\\href{javascript:alert(1)}{x}\\)."
      )
      await page.locator(".formula.is-display .katex-html").waitFor()
      assert.strictEqual(await page.locator(".formula math").count(), 3)
      await page.locator("code.math", { hasText: "\\frac{a" }).waitFor()
      assert.strictEqual(await page.locator(".formula a").count(), 0)
      assert.isNotEmpty(loads.filter((url) => /KaTeX_Main-Regular.*\.woff2$/.test(url)))
      assert.deepStrictEqual(
        loads.filter((url) => new URL(url).origin !== new URL(console.url).origin),
        []
      )
      assert.deepStrictEqual(await accessProblems(page), [])
    }))

  it("draws diagrams in the page's theme, with their code beside them, and says which have a mistake", () =>
    withPage(browser, {}, async (page) => {
      const loads = loadsOf(page)
      await openWith(page, "No diagram here.")
      await page.locator(".markdown").waitFor()
      assert.deepStrictEqual(
        loads.filter((url) => /drawDiagram|mermaid|flowDiagram/.test(url)),
        []
      )
      await openWith(page, `Look:\n${fenced("mermaid", FLOW)}\nand so on`)
      const picture = page
        .getByRole("img", { name: "Diagram: Start, Enough?, End, no, yes" })
        .or(page.locator(".diagram-view img"))
      await picture.first().waitFor({ timeout: 60_000 })
      assert.match((await picture.first().getAttribute("alt")) ?? "", /^Diagram: .*Start.*End/)
      assert.deepStrictEqual(
        loads.filter((url) => /cytoscape|katex|sequenceDiagram|elk/i.test(url)),
        []
      )
      assert.deepStrictEqual(await accessProblems(page), [])
      const light = await picture.first().getAttribute("src")
      await page.emulateMedia({ colorScheme: "dark" })
      await page.waitForFunction(
        (before) => document.querySelector(".diagram-view img")?.getAttribute("src") !== before,
        light
      )
      await keepPicture(page, "diagram-dark")
      await page.getByRole("button", { name: "Enlarge" }).click()
      const dialog = page.getByRole("dialog", { name: "Diagram" })
      await dialog.getByRole("button", { name: "Zoom in" }).click()
      await dialog.getByText("125 %").waitFor()
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      await page.locator(".diagram").getByRole("button", { name: "Copy" }).click()
      assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), FLOW)
      await page.locator(".diagram").getByRole("button", { name: "Code" }).click()
      await page.locator(".diagram pre", { hasText: "flowchart LR" }).waitFor()
    }))

  it("runs and loads nothing of hostile diagrams", () =>
    withPage(
      browser,
      {
        prepare: async (page) => {
          await page.addInitScript("globalThis.alert = () => { globalThis.alerted = true }")
        }
      },
      async (page) => {
        const loads = loadsOf(page)
        await openWith(page, ...HOSTILE_DIAGRAMS.map((diagram) => fenced("mermaid", diagram)), fenced("mermaid", FLOW))
        await page.locator(".entry").last().locator(".diagram img").waitFor({ timeout: 60_000 })
        await page.waitForFunction(
          (count) => document.querySelectorAll(".diagram, .diagram-note").length === count,
          HOSTILE_DIAGRAMS.length + 1
        )
        assert.isAtLeast(await page.locator(".diagram-note").count(), 3)
        assert.strictEqual(await page.evaluate("globalThis.alerted"), undefined)
        assert.deepStrictEqual(
          loads.filter((url) => !url.startsWith("data:") && new URL(url).origin !== new URL(console.url).origin),
          []
        )
        assert.strictEqual(
          await page.locator("#log :is(script, iframe, foreignObject, a[href^=javascript])").count(),
          0
        )
        assert.isTrue(await page.locator("#log").isVisible())
      }
    ))

  it("shows a page beside the conversation, where it does nothing, and runs it in a tab, where it reaches nothing", () =>
    withPage(browser, { expectedErrors: [/evil\.example/, /sandbox/i, /127\.0\.0\.1/, /Worker/] }, async (page) => {
      const loads = loadsOf(page)
      await openWith(page, `Here:\n\n${fenced("html", HOSTILE_PAGE)}`)
      const opener = page.getByRole("button", { name: "Preview", exact: true })
      await opener.click()
      const panel = page.getByRole("region", { name: "Preview" })
      const frame = panel.locator("iframe")
      await frame.waitFor()
      assert.strictEqual(await frame.getAttribute("sandbox"), "")
      const inside = page.frameLocator(".preview iframe")
      await inside.getByRole("heading", { name: "Hostile" }).waitFor()
      assert.strictEqual(await inside.locator("script, iframe, base[href], link, [onload]").count(), 0)
      assert.isTrue(await page.locator("#composer").isVisible())
      await page.locator("#composer").fill("still here")
      assert.deepStrictEqual(await accessProblems(page), [])

      const edge = panel.getByRole("separator", { name: "Width of the preview" })
      const width = Number(await edge.getAttribute("aria-valuenow"))
      await edge.focus()
      await page.keyboard.press("ArrowLeft")
      await panel
        .getByRole("separator")
        .and(page.locator(`[aria-valuenow="${width + 5}"]`))
        .waitFor()
      await panel.getByRole("button", { name: "Code", exact: true }).click()
      await panel.locator("pre", { hasText: "evil.example" }).waitFor()
      await panel.getByRole("button", { name: "Preview", exact: true }).click()
      await page.keyboard.press("Escape")
      await panel.waitFor({ state: "detached" })
      assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
      assert.deepStrictEqual(
        loads.filter((url) => url.includes("evil.example")),
        []
      )

      await page.reload()
      await opener.click()
      await page.locator(`[role="separator"][aria-valuenow="${width + 5}"]`).waitFor()
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        panel.getByRole("button", { name: "Run in a new tab" }).click()
      ])
      const dialogs: Array<string> = []
      tab.on("dialog", (dialog) => dialogs.push(dialog.message()))
      const body = tab.frameLocator("iframe").locator("body[data-origin]")
      await body.waitFor()
      assert.strictEqual(await body.getAttribute("data-origin"), "null")
      assert.strictEqual(await body.getAttribute("data-reached"), "nothing")
      assert.deepStrictEqual(dialogs, [])
      const inner = tab.frames().at(1)
      await inner?.evaluate("setTimeout(() => { location.href = 'https://evil.example/' })")
      await body.waitFor({ state: "detached" })
      assert.notInclude(
        tab
          .frames()
          .map((frame) => frame.url())
          .join(" "),
        "evil.example"
      )
      assert.strictEqual(page.context().pages().length, 2)
      assert.strictEqual(new URL(tab.url()).pathname, "/api/preview")
      assert.strictEqual(await tab.evaluate("self.origin"), "null")
      assert.strictEqual(new URL(page.url()).origin, new URL(console.url).origin)
    }))

  it.each(["desktop", "phone"] as const)(
    "says on a %s, beside the button, what scripts can still do in a tab",
    (size) =>
      withPage(browser, { size }, async (page) => {
        await openWith(page, fenced("html", connectingPage(9)))
        await page.getByRole("button", { name: "Preview", exact: true }).first().click()
        const note = page.locator(".preview-note", { has: page.getByRole("button", { name: "Run in a new tab" }) })
        await note.getByText("Only some browsers also stop direct connections (WebRTC).").waitFor()
        const box = await note.boundingBox()
        const button = await note.getByRole("button").boundingBox()
        assert.isAtMost((button?.x ?? 0) + (button?.width ?? 0), (box?.x ?? 0) + (box?.width ?? 0))
        await keepPicture(page, `preview-note-${size}`)
        assert.deepStrictEqual(await accessProblems(page), [])
      })
  )

  it("lets no direct connection out of the tab, and the console stays (needs Chromium 156 or newer)", (test) =>
    withPage(browser, {}, async (page) => {
      const version = Number.parseInt(page.context().browser()?.version() ?? "0", 10)
      if (version < KNOWS_ALLOWLIST) return test.skip(`Chromium ${version} doesn't stop direct connections`)
      let packets = 0
      const server = createSocket("udp4").on("message", () => {
        packets++
      })
      await new Promise<void>((done) => server.bind(0, "127.0.0.1", done))
      try {
        await openWith(page, fenced("html", connectingPage(server.address().port)))
        await page.getByRole("button", { name: "Preview", exact: true }).click()
        const ended = new Promise((done) => page.context().once("page", (tab) => tab.once("crash", done)))
        await page.getByRole("button", { name: "Run in a new tab" }).click()
        await ended
        await page.locator("#composer").fill("still here")
        assert.strictEqual(packets, 0)
      } finally {
        server.close()
      }
    }))

  it("shows a drawing over the conversation on a phone, where a tap brings a message's controls", () =>
    withPage(browser, { size: "phone" }, async (page) => {
      await openWith(
        page,
        "First.",
        fenced(
          "svg",
          '<svg viewBox="0 0 9 9"><title>Dot</title><circle cx="4" cy="4" r="4" onclick="alert(1)"/></svg>'
        ),
        "Last."
      )
      const message = page.locator(".entry[data-kind=user]", { hasText: "hello" }).first()
      await say(page, "hello")
      await finishedAnswer(page, "You said: “hello”")
      await say(page, "again")
      await finishedAnswer(page, "You said: “again”")
      const copy = await message.getByRole("button", { name: "Copy message" }).elementHandle()
      const hasOpacity = (wanted: string) =>
        page.waitForFunction(
          ([element, value]) => element instanceof Element && getComputedStyle(element).opacity === value,
          [copy, wanted] as const
        )
      await hasOpacity("0")
      const before = await page.locator(".entry").last().boundingBox()
      await message.getByText("hello").tap()
      await hasOpacity("1")
      assert.deepStrictEqual(await page.locator(".entry").last().boundingBox(), before)
      await page.locator(".message.is-assistant", { hasText: "You said: “again”" }).tap()
      await hasOpacity("0")

      await page.getByRole("button", { name: "Preview", exact: true }).tap()
      const dialog = page.getByRole("dialog", { name: "Preview" })
      await page.frameLocator("dialog iframe").locator("circle").waitFor()
      await keepPicture(page, "preview-phone")
      assert.deepStrictEqual(await accessProblems(page), [])
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
    }))

  it("brings a reader back to where they were, with a line before what is new", () =>
    withPage(browser, {}, async (page) => {
      const texts = Array.from({ length: 130 }, (_, index) => `Entry number ${index}.\n\nWith a **second** line.`)
      await openWith(page, ...texts)
      const key = `agent:main:drawn-${sessions}`
      await page.getByText("Entry number 129.").waitFor()
      await page.locator("#log").hover()
      const offsetOf = (text: string) =>
        page.getByText(text).evaluate((element) => {
          const entry = element.closest("[data-item]")
          const log = document.getElementById("log")
          if (entry === null || log === null) throw new Error("not in the log")
          return Math.round(entry.getBoundingClientRect().top - log.getBoundingClientRect().top)
        })
      // Far enough that the message is on an older page after a reload.
      while (!(await page.getByText("Entry number 20.").isVisible())) {
        await page.mouse.wheel(0, -900)
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      }
      await page.getByText("Entry number 20.").scrollIntoViewIfNeeded()
      await page.waitForFunction(
        () => {
          const log = document.getElementById("log")
          const seen = Reflect.get(globalThis, "seenTop")
          Reflect.set(globalThis, "seenTop", log?.scrollTop)
          return log !== null && seen === log.scrollTop
        },
        null,
        { polling: 300 }
      )
      const place = await offsetOf("Entry number 20.")
      await gatewayCalls(console.url, "chat.inject", [
        { sessionKey: key, message: "News one." },
        { sessionKey: key, message: "News two." }
      ])
      await page.getByRole("button", { name: "Jump to latest (2 new)" }).waitFor()
      await page.goto("about:blank")
      await gatewayCalls(console.url, "chat.inject", [{ sessionKey: key, message: "News three." }])
      await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
      await page.getByText("Entry number 20.").waitFor()
      await page.waitForFunction((wanted) => {
        const log = document.getElementById("log")
        const entry = [...document.querySelectorAll("[data-item]")].find((one) =>
          one.textContent?.includes("Entry number 20.")
        )
        if (log === null || entry === undefined) return false
        return Math.abs(entry.getBoundingClientRect().top - log.getBoundingClientRect().top - wanted) <= 2
      }, place)
      await page.getByRole("button", { name: "Jump to latest (1 new)" }).click()
      const line = page.locator(".log-new")
      await line.waitFor()
      assert.include(await line.locator("xpath=..").textContent(), "News three.")

      // At the end one stays at the end.
      const atEnd = () =>
        page.waitForFunction(() => {
          const log = document.getElementById("log")
          return log !== null && log.scrollHeight - log.clientHeight - log.scrollTop < 24
        })
      await page.locator("#log").hover()
      await page.mouse.wheel(0, 4_000)
      await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" })
      await atEnd()
      await page.goto("about:blank")
      await gatewayCalls(console.url, "chat.inject", [{ sessionKey: key, message: "News four." }])
      await page.goto(`${console.url}/chat/${encodeURIComponent(key)}`)
      await page.getByText("News four.").waitFor()
      await atEnd()
      assert.include(await page.locator(".log-new").locator("xpath=..").textContent(), "News four.")
    }))
})
