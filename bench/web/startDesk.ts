import { ManagedRuntime } from "effect"
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import type { DemoAgent } from "../../practice-gateway/src/demo/steps.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { startServer } from "../support/ServerProcess.ts"

/** A built console with its own gateway and a browser. */
export interface Desk {
  readonly url: string
  readonly browser: Browser
  /** A page in a new profile, with the browser's instruments; `observe.js` runs in it. */
  readonly open: () => Promise<{ readonly page: Page; readonly cdp: CDPSession; readonly close: () => Promise<void> }>
  readonly stop: () => Promise<void>
}

/**
 * Runs in every page: sums up layout shifts, notes long tasks, the first paint and when the composer can be typed in,
 * and measures the time between two frames while asked to.
 */
const OBSERVER = `
  window.bench = { shift: 0, longTasks: [], paint: 0, usable: 0, frames: [], measuring: false }
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) bench.shift += entry.value })
  watch("longtask", (entry) => bench.longTasks.push(entry.duration))
  watch("paint", (entry) => { if (entry.name === "first-contentful-paint") bench.paint = entry.startTime })
  const look = () => {
    const composer = document.querySelector("#composer")
    if (composer === null || composer.disabled) return requestAnimationFrame(look)
    bench.usable = performance.now()
    document.documentElement.dataset.usable = "yes"
  }
  requestAnimationFrame(look)
  bench.begin = () => {
    bench.frames = []
    bench.longTasks = []
    bench.measuring = true
    let last = performance.now()
    const frame = (now) => {
      bench.frames.push(now - last)
      last = now
      if (bench.measuring) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  }
  bench.end = () => { bench.measuring = false; return { frames: bench.frames.slice(1), longTasks: bench.longTasks } }
`

/** Starts everything; the agent decides what is streamed. `cli` is of another build, to compare with. */
export const startDesk = async (agent: DemoAgent, cli?: string): Promise<Desk> => {
  const gateway = ManagedRuntime.make(practiceGateway({ token: "bench", agent, record: false }))
  const { url } = await gateway.runPromise(EmbeddedGateway)
  const server = await startServer("console", { GATEWAY_URL: url, GATEWAY_TOKEN: "bench", HOST: "127.0.0.1" }, cli)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    browser,
    open: async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      await page.addInitScript(OBSERVER)
      return { page, cdp: await context.newCDPSession(page), close: () => context.close() }
    },
    stop: async () => {
      await browser.close()
      await server.stop()
      await gateway.dispose()
    }
  }
}
