import { afterAll, test } from "@effect/vitest"
import type { Browser } from "playwright-core"
import { DEMO_AGENTS } from "../../../practice-gateway/src/demo/demoFiles.ts"
import { launchBrowser, type PageOpener } from "./browser.ts"
import { type RunningConsole, startConsole } from "./startConsole.ts"
import { startGateway, type TestGateway } from "./startGateway.ts"

/** The resources that a worker keeps between files, and closes after the last one. */
interface Kept {
  readonly browser: () => Promise<Browser>
  /** A console of the demonstration whose home is clean; the next one starts while the tests use it. */
  readonly console: () => Promise<RunningConsole>
}

const keeping = test
  .extend("starts", { scope: "worker" }, { browser: () => launchBrowser(), console: startConsole })
  .extend("kept", { scope: "worker" }, async ({ starts }, { onCleanup }): Promise<Kept> => {
    let browser: Promise<Browser> | undefined
    let next: Promise<RunningConsole> | undefined
    onCleanup(async () => {
      // A failed start has already failed its tests.
      await Promise.allSettled([next?.then((spare) => spare.stop()), browser?.then((running) => running.close())])
    })
    return {
      browser: () => {
        browser ??= starts.browser()
        return browser
      },
      console: () => {
        const taken = next ?? starts.console()
        next = taken.then(() => starts.console())
        next.catch(() => {})
        return taken
      }
    }
  })

/**
 * Starts something before the tests of the `describe` or file that calls it, and ends it after them. Hooks run in the
 * order of the calls, and the ones after the tests the other way round: what is named last may use what is named first.
 */
const during = <A>(start: (kept: Kept) => Promise<A>, end: (running: A) => Promise<unknown>): (() => A) => {
  let running: A | undefined
  keeping.beforeAll(async ({ kept }) => {
    running = await start(kept)
  })
  afterAll(async () => {
    if (running !== undefined) await end(running)
  })
  return () => {
    if (running === undefined) throw new Error("Not started yet: read this inside a test or a hook")
    return running
  }
}

/** Pages left open by one file would slow down or affect the next. */
const closeContexts = (browser: Browser) => Promise.all(browser.contexts().map((context) => context.close()))

/**
 * A browser for the tests. It's the worker's own, which outlives the file: what belongs to a profile ends with its
 * context. Tests that need further switches get a browser to themselves.
 */
export const useBrowser = (switches?: ReadonlyArray<string>): PageOpener => {
  const browser =
    switches === undefined
      ? during((kept) => kept.browser(), closeContexts)
      : during(
          () => launchBrowser(switches),
          (running) => running.close()
        )
  return { newContext: (options) => browser().newContext(options) }
}

/** The whole browser, for tests of what its engine alone doesn't have: notifications, and windows that others open. */
export const useWholeBrowser = (): PageOpener => {
  const browser = during(
    () => launchBrowser([], "whole"),
    (running) => running.close()
  )
  return { newContext: (options) => browser().newContext(options) }
}

/**
 * A console with a home of its own for the tests, see `startConsole`; an environment that only hooks know is given as
 * a function. `prepare` fills the folder it starts in.
 */
export const useConsole = (
  env?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>),
  prepare?: (home: string) => void
): Omit<RunningConsole, "stop"> => {
  const console = during(
    (kept) => (env === undefined ? kept.console() : startConsole(typeof env === "function" ? env() : env, prepare)),
    (running) => running.stop()
  )
  return {
    get url() {
      return console().url
    },
    get port() {
      return console().port
    },
    get workspace() {
      return console().workspace
    },
    output: () => console().output(),
    restart: () => console().restart()
  }
}

/** A gateway for the tests, see `startGateway`; `useConsole(() => gateway.env)` puts a console in front of it. */
export const useGateway = (...options: Parameters<typeof startGateway>): Omit<TestGateway, "stop"> => {
  const gateway = during(
    () => startGateway(...options),
    (running) => running.stop()
  )
  return {
    get env() {
      return gateway().env
    },
    run: (lever) => gateway().run(lever),
    forget: () => gateway().forget()
  }
}

/** A console for tests that begin when an answer is over: the demonstration's agents say all of theirs at once. */
export const useQuickConsole = (): Omit<RunningConsole, "stop"> => {
  const gateway = useGateway({ tokenMs: 0, seed: true, agents: DEMO_AGENTS })
  return useConsole(() => gateway.env)
}
