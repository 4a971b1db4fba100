import type { Model } from "../../../../src/contract/answers/GatewayAnswers.ts"
import type { ServerInfo } from "../../../../src/contract/answers/MachineAnswers.ts"
import { type Health, readHealth } from "../checks/readHealth.ts"
import type { Client } from "../client/Client.ts"
import { createObservable } from "../common/Observable.ts"
import { readModels } from "../sessions/models.ts"
import { readUpdate, type UpdateView } from "./gatewayFacts.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"

const KEPT_SAMPLES = 20
/** A gateway call that costs it almost nothing. */
const SMALL_CALL = "cron.status"

/** What is known about the gateway and the console's server. */
export class GatewayStore {
  readonly health: LiveQuery<Health>
  readonly server: LiveQuery<ServerInfo>
  readonly models: LiveQuery<ReadonlyArray<Model>>
  /** Only requested when someone looks: the server asks the code host. */
  readonly update: LiveQuery<UpdateView>
  /** Milliseconds a small call took from this page to the gateway and back, newest last. */
  readonly latencies = createObservable<ReadonlyArray<number>>([])
  private readonly client: Client

  constructor(client: Client) {
    this.client = client
    const now = Date.now
    const back = [gatewayBack(client), streamBack(client.events)]
    this.health = new LiveQuery({
      now,
      sources: back,
      load: () => readHealth(client.api)
    })
    this.server = new LiveQuery({ now, sources: back, load: () => client.api.serverInfo() })
    this.models = new LiveQuery({
      now,
      sources: back,
      load: () => readModels(client.api)
    })
    this.update = new LiveQuery({
      now,
      sources: [streamBack(client.events)],
      load: () => client.api.request("GET", "/api/version/check", readUpdate)
    })
  }

  /** Measures now, and on each tick of the gateway, until the returned function is called. */
  followLatency(): () => void {
    const measure = () => void this.measure()
    measure()
    const stops = [gatewayEvent(this.client.link, "tick")(measure), gatewayBack(this.client)(measure)]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async measure(): Promise<void> {
    if (this.client.link.state.get().phase !== "ready") return
    const from = performance.now()
    const done = await this.client.link.request(SMALL_CALL, {}).then(
      () => true,
      () => false
    )
    if (done) this.latencies.set([...this.latencies.get(), performance.now() - from].slice(-KEPT_SAMPLES))
  }
}

const stores = new WeakMap<Client, GatewayStore>()

/** A console's store, created on first use. */
export const gatewayStore = (client: Client): GatewayStore => {
  const store = stores.get(client) ?? new GatewayStore(client)
  stores.set(client, store)
  return store
}
