import type { ServerInfo } from "../../../../src/contract/schema/machine.ts"
import type { Model } from "../../../../src/contract/schema/session.ts"
import { type Health, readHealth } from "../checks/consoleChecks.ts"
import type { Client } from "../client/Client.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import { type GatewayRow, readGateways } from "../gateways/GatewaysStore.ts"
import { loadMachineTexts } from "../link/machineTexts.ts"
import { readModels } from "../sessions/sessionChoices.ts"
import { readUpdate, type UpdateView } from "./gatewayFacts.ts"
import { createLiveQuery, type LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"

const KEPT_SAMPLES = 20
/** A gateway call that costs it almost nothing. */
const SMALL_CALL = "cron.status"

export interface GatewayStore {
  readonly health: LiveQuery<Health>
  readonly server: LiveQuery<ServerInfo>
  /** All gateways of this console, with their addresses. */
  readonly gateways: LiveQuery<ReadonlyArray<GatewayRow>>
  readonly models: LiveQuery<ReadonlyArray<Model>>
  /** Only requested when someone looks: the server asks the code host. */
  readonly update: LiveQuery<UpdateView>
  /** Milliseconds a small call took from this page to the gateway and back, newest last. */
  readonly latencies: Readable<ReadonlyArray<number>>
  /** Measures now, and on each tick of the gateway, until the returned function is called. */
  followLatency(): () => void
  measure(): Promise<void>
}

/** What is known about the gateway and the console's server. */
export function createGatewayStore(client: Client): GatewayStore {
  const latencies = createObservable<ReadonlyArray<number>>([])
  const now = Date.now
  const back = [gatewayBack(client), streamBack(client.events)]
  const health = createLiveQuery({ now, sources: back, load: () => readHealth(client.api) })
  const server = createLiveQuery({ now, sources: back, load: () => client.api.serverInfo() })
  const gateways = createLiveQuery({
    now,
    sources: back,
    load: () => client.api.request("GET", "/api/gateways", readGateways)
  })
  const models = createLiveQuery({ now, sources: back, load: () => readModels(client.api) })
  const update = createLiveQuery({
    now,
    sources: [streamBack(client.events)],
    load: () => loadMachineTexts().then(() => client.api.request("GET", "/api/version/check", readUpdate))
  })

  async function measure(): Promise<void> {
    if (client.link.state.get().phase !== "ready") return
    const from = performance.now()
    const done = await client.link.request(SMALL_CALL, {}).then(
      () => true,
      () => false
    )
    if (done) latencies.set([...latencies.get(), performance.now() - from].slice(-KEPT_SAMPLES))
  }

  return {
    health,
    server,
    gateways,
    models,
    update,
    latencies,
    followLatency: () => {
      const look = () => void measure()
      look()
      const stops = [gatewayEvent(client.link, "tick")(look), gatewayBack(client)(look)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    measure
  }
}

const stores = new WeakMap<Client, GatewayStore>()

/** A console's store, created on first use. */
export const gatewayStore = (client: Client): GatewayStore => {
  const store = stores.get(client) ?? createGatewayStore(client)
  stores.set(client, store)
  return store
}
