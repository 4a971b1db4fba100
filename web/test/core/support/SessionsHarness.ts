import { vi } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import type { Channel, Environment } from "../../../src/core/link/Environment.ts"
import { createGatewayLink } from "../../../src/core/link/GatewayLink.ts"
import type { GatewayLink } from "../../../src/core/link/linkTypes.ts"
import { createSessionsStore } from "../../../src/core/sessions/SessionsStore.ts"
import type { SessionsStore } from "../../../src/core/sessions/sessionTypes.ts"
import { FakeGateway, type Request } from "./FakeGateway.ts"

/** Channels between the tabs of one browser. */
const channels = () => {
  const open: Array<{ readonly name: string; readonly hear: (message: unknown) => void; readonly self: object }> = []
  return (name: string): Channel => {
    const self = {}
    return {
      post: (message) => {
        for (const other of open) if (other.name === name && other.self !== self) other.hear(message)
      },
      onMessage: (hear) => void open.push({ name, hear, self }),
      close: () => open.splice(0, open.length, ...open.filter((entry) => entry.self !== self))
    }
  }
}

/** A page with its list of sessions, in front of a scripted gateway, on fake timers. */
export class SessionsHarness {
  readonly gateway: FakeGateway
  private readonly env: Environment
  private link: GatewayLink
  private readonly waiting = createObservable<ReadonlySet<string>>(new Set())
  store: SessionsStore

  /** The second tab of a browser shares the gateway and the environment of the first; some browsers have no channels. */
  constructor(first?: SessionsHarness, openChannel: Environment["openChannel"] = channels()) {
    if (first === undefined) vi.useFakeTimers({ now: 1_000_000_000 })
    this.gateway = first?.gateway ?? new FakeGateway()
    this.env = first?.env ?? { ...this.gateway.env, openChannel }
    this.link = this.makeLink()
    this.store = createSessionsStore(this.link, this.env, { waiting: this.waiting })
  }

  private makeLink = () => createGatewayLink({ env: this.env, needsLogin: async () => false, clientVersion: "1" })

  /** Lets what is under way happen; a part of the page that is loaded for it arrives at once. */
  settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(1)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(1)
  }
  pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

  async connect(...sessions: ReadonlyArray<object>): Promise<void> {
    if (sessions.length > 0) this.gateway.sessions = [...sessions]
    this.link.connect()
    await this.settle()
  }

  /** The link breaks and comes back. */
  async reconnect(): Promise<void> {
    this.gateway.socket.drop()
    await this.pass(1_100)
  }

  /** The page is loaded again in the same browser. */
  async reload(...sessions: ReadonlyArray<object>): Promise<void> {
    this.dispose()
    this.link = this.makeLink()
    this.store = createSessionsStore(this.link, this.env, { waiting: this.waiting })
    await this.connect(...sessions)
  }

  changed(payload: object): void {
    this.gateway.socket.event("sessions.changed", payload)
  }

  state = (key: string): string | undefined => this.store.find(key)?.state
  title = (key: string): string | undefined => this.store.find(key)?.title

  /** The histories that were asked for on the present connection. */
  get histories(): ReadonlyArray<Request> {
    return this.gateway.socket.requests.filter(({ method }) => method === "chat.history")
  }

  dispose(): void {
    this.store.dispose()
    this.link.dispose()
  }
}
