import { $, type QRL, type Signal, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { type Check, type CheckInput, consoleChecks } from "../core/checks/consoleChecks.ts"
import { readDoctor } from "../core/checks/readDoctor.ts"
import { readHealth } from "../core/checks/readHealth.ts"
import type { Console } from "../core/types.ts"

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.localhost$/

/** What the server found, once for each page: looking takes it seconds, and it is asked wherever a chat is empty. */
const examined = new WeakMap<Console, Promise<ReadonlyArray<Check> | null>>()

const examine = (console: Console, anew: boolean): Promise<ReadonlyArray<Check> | null> => {
  const known = anew ? undefined : examined.get(console)
  const found = known ?? readDoctor(console.api)
  examined.set(console, found)
  return found
}

interface Checks {
  readonly checks: Signal<ReadonlyArray<Check>>
  /** The server has said what it finds, or that it cannot. */
  readonly complete: Signal<boolean>
  /** Has the server look again. */
  readonly ask: QRL<() => Promise<void>>
}

/** The checks as they stand now. They follow the connection by themselves. */
export const useChecks = (): Checks => {
  const { console } = useServices()
  const health = useSignal<CheckInput["health"]>(null)
  const server = useSignal<CheckInput["server"]>(null)
  const complete = useSignal(false)
  const link = useReadable(console.link.state)
  const hello = useReadable(console.link.hello)
  const gatewayStatus = useReadable(console.gatewayStatus)
  const defaults = useReadable(console.connectDefaults)
  const checks = useSignal<ReadonlyArray<Check>>([])

  const look = $(async (anew: boolean) => {
    const [nowHealth, nowServer] = await Promise.all([readHealth(console.api), examine(console, anew)])
    health.value = nowHealth
    server.value = nowServer
    complete.value = true
  })
  const ask = $(() => look(true))

  useVisibleTask$(
    ({ track }) => {
      checks.value = consoleChecks({
        health: track(() => health.value),
        server: track(() => server.value),
        gatewayStatus: track(() => gatewayStatus.value),
        link: track(() => link.value),
        hello: track(() => hello.value),
        defaults: track(() => defaults.value),
        isSecure: window.isSecureContext,
        isLoopback: LOOPBACK.test(window.location.hostname)
      })
    },
    { strategy: "document-ready" }
  )
  useVisibleTask$(
    ({ track }) => {
      // A connection that comes or goes is a reason to ask what the server says now.
      track(() => link.value.phase)
      void look(false)
    },
    { strategy: "document-ready" }
  )
  return { checks, complete, ask }
}
