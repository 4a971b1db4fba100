import { $, type QRL, type Signal, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { notificationRight } from "../base/callAttention.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { type Check, type CheckInput, consoleChecks, readDoctor, readHealth } from "../core/checks/consoleChecks.ts"
import type { Client } from "../core/client/Client.ts"

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.localhost$/

/** The server's findings, once per page: checking takes it seconds, and every empty chat asks. */
const examined = new WeakMap<Client, Promise<ReadonlyArray<Check> | null>>()

const examine = (client: Client, anew: boolean): Promise<ReadonlyArray<Check> | null> => {
  const known = anew ? undefined : examined.get(client)
  const found = known ?? readDoctor(client.api)
  examined.set(client, found)
  return found
}

const browserSays = (): CheckInput["notifications"] => {
  const right = notificationRight()
  return right === "denied" || right === "missing" ? right : "possible"
}

interface Checks {
  readonly checks: Signal<ReadonlyArray<Check>>
  /** The server has reported its findings, or that it can't. */
  readonly complete: Signal<boolean>
  /** Makes the server check again. */
  readonly ask: QRL<() => Promise<void>>
}

/** The current checks. They follow the connection automatically. */
export const useChecks = (): Checks => {
  const { client } = useServices()
  const health = useSignal<CheckInput["health"]>(null)
  const server = useSignal<CheckInput["server"]>(null)
  const complete = useSignal(false)
  const link = useReadable(client.link.state)
  const hello = useReadable(client.link.hello)
  const gatewayStatus = useReadable(client.gatewayStatus)
  const defaults = useReadable(client.connectDefaults)
  const checks = useSignal<ReadonlyArray<Check>>([])

  const look = $(async (anew: boolean) => {
    const [nowHealth, nowServer] = await Promise.all([readHealth(client.api), examine(client, anew)])
    health.value = nowHealth.ok ? nowHealth.value : nowHealth.error
    server.value = nowServer
    complete.value = true
  })
  const ask = $(() => look(true))

  useBrowserTask$(({ track }) => {
    checks.value = consoleChecks({
      health: track(() => health.value),
      server: track(() => server.value),
      gatewayStatus: track(() => gatewayStatus.value),
      link: track(() => link.value),
      hello: track(() => hello.value),
      defaults: track(() => defaults.value),
      isSecure: window.isSecureContext,
      notifications: browserSays(),
      isLoopback: LOOPBACK.test(window.location.hostname)
    })
  })
  useBrowserTask$(({ track }) => {
    // When the connection comes or goes, ask the server again.
    track(() => link.value.phase)
    void look(false)
  })
  return { checks, complete, ask }
}
