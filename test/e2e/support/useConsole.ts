import { afterAll, beforeAll } from "@effect/vitest"
import { launchBrowser, type PageOpener } from "./browser.ts"
import { type RunningConsole, startConsole } from "./startConsole.ts"
import { startGateway, type TestGateway } from "./startGateway.ts"

/**
 * Starts something before the tests of the `describe` or file that calls it, and ends it after them. Hooks run in the
 * order of the calls, and the ones after the tests the other way round: what is named last may use what is named first.
 */
const during = <A>(start: () => Promise<A>, end: (running: A) => Promise<void>): (() => A) => {
  let running: A | undefined
  beforeAll(async () => {
    running = await start()
  })
  afterAll(async () => {
    if (running !== undefined) await end(running)
  })
  return () => {
    if (running === undefined) throw new Error("Not started yet: read this inside a test or a hook")
    return running
  }
}

/** A browser for the tests, with further switches where they need them. */
export const useBrowser = (switches?: ReadonlyArray<string>): PageOpener => {
  const browser = during(
    () => launchBrowser(switches),
    (running) => running.close()
  )
  return { newContext: (options) => browser().newContext(options) }
}

/** A console for the tests, see `startConsole`; an environment that only hooks know is given as a function. */
export const useConsole = (
  env: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) = {}
): Omit<RunningConsole, "stop"> => {
  const console = during(
    () => startConsole(typeof env === "function" ? env() : env),
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
