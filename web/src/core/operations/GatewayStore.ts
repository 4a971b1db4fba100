import { Observable } from "../Observable.ts"
import type { Console, ServerInfo } from "../types.ts"
import { type Health, type ModelView, readHealth, readModels, readUpdate, type UpdateView } from "./gatewayFacts.ts"
import { LiveQuery } from "./LiveQuery.ts"
import { gatewayBack, gatewayEvent, streamBack } from "./sources.ts"

const KEPT_SAMPLES = 20
/** A call of the gateway that costs it next to nothing. */
const SMALL_CALL = "cron.status"

/** What there is to know of the gateway and of the console's server. */
export class GatewayStore {
  readonly health: LiveQuery<Health>
  readonly server: LiveQuery<ServerInfo>
  readonly models: LiveQuery<ReadonlyArray<ModelView>>
  /** Asked for only where somebody looks: the server asks the code host. */
  readonly update: LiveQuery<UpdateView>
  /** Milliseconds a small call took from this page to the gateway and back, the newest last. */
  readonly latencies = new Observable<ReadonlyArray<number>>([])
  private readonly console: Console

  constructor(console: Console) {
    this.console = console
    const now = Date.now
    const back = [gatewayBack(console), streamBack(console.events)]
    this.health = new LiveQuery({
      now,
      sources: back,
      load: () => console.api.request("GET", "/health", readHealth)
    })
    this.server = new LiveQuery({ now, sources: back, load: () => console.api.serverInfo() })
    this.models = new LiveQuery({
      now,
      sources: back,
      load: () => console.api.request("GET", "/api/gateway/models", readModels)
    })
    this.update = new LiveQuery({
      now,
      sources: [streamBack(console.events)],
      load: () => console.api.request("GET", "/api/version/check", readUpdate)
    })
  }

  /** Measures now, and with each tick of the gateway, until the returned function is called. */
  followLatency(): () => void {
    const measure = () => void this.measure()
    measure()
    const stops = [gatewayEvent(this.console.link, "tick")(measure), gatewayBack(this.console)(measure)]
    return () => {
      for (const stop of stops) stop()
    }
  }

  async measure(): Promise<void> {
    if (this.console.link.state.get().phase !== "ready") return
    const from = performance.now()
    const done = await this.console.link.request(SMALL_CALL, {}).then(
      () => true,
      () => false
    )
    if (done) this.latencies.set([...this.latencies.get(), performance.now() - from].slice(-KEPT_SAMPLES))
  }
}

const stores = new WeakMap<Console, GatewayStore>()

/** The store of a console, made on first use. */
export const gatewayStore = (console: Console): GatewayStore => {
  const store = stores.get(console) ?? new GatewayStore(console)
  stores.set(console, store)
  return store
}
