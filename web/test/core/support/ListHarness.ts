import { vi } from "@effect/vitest"
import type { SessionRow } from "../../../../src/contract/schema/sessionRow.ts"
import type { ApiClient, ApiFailure } from "../../../src/core/link/apiTypes.ts"
import { createLiveLink } from "../../../src/core/link/LiveLink.ts"
import { createSessionsView } from "../../../src/core/sessions/SessionsView.ts"
import { asAnswer } from "./asAnswer.ts"
import { FakeGateway } from "./FakeGateway.ts"
import type { FakeLiveSocket } from "./FakeLive.ts"

/** A session as the console lists it, of which a test names what matters. */
export const listed = (change: Partial<SessionRow> = {}): SessionRow => ({
  key: "agent:main:main",
  gatewayId: "primary",
  agentId: "main",
  kind: "direct",
  state: "idle",
  running: false,
  failed: false,
  denied: false,
  unread: false,
  pinned: false,
  archived: false,
  updatedAt: 0,
  thinkingLevels: [],
  ...change
})

/** What the page asked for. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** A page with its list of sessions, in front of a console that a test plays, on fake timers. */
export class ListHarness {
  readonly browser = new FakeGateway()
  readonly asked: Array<Asked> = []
  /** What the console answers; a text refuses with it. */
  answer: (asked: Asked) => object | string | Promise<object | string> = () => listed()
  private live = createLiveLink(this.browser.env)
  view = this.open()

  constructor() {
    this.browser.live.isThere = true
  }

  private open() {
    const request: ApiClient["request"] = async (method, path, decode, options) => {
      const asked = { method, path, body: options?.body }
      this.asked.push(asked)
      const answer = await this.answer(asked)
      const refused = (message: string): { readonly ok: false; readonly error: ApiFailure } => ({
        ok: false,
        error: { kind: "invalid", status: 400, message, retryAfterMs: null, body: null }
      })
      if (typeof answer === "string") return refused(answer)
      const value = decode(asAnswer(answer))
      return value === null ? refused("?") : { ok: true, value }
    }
    const mainKeyOf = (id: string) => (id === "primary" ? "agent:main:main" : `@${id}:agent:main:main`)
    return createSessionsView({ api: { request }, env: this.browser.env, live: this.live, mainKeyOf })
  }

  /** The page is loaded again in the same browser. */
  async reload(): Promise<void> {
    this.dispose()
    this.live = createLiveLink(this.browser.env)
    this.view = this.open()
    await this.connect()
  }

  get socket(): FakeLiveSocket {
    return this.browser.live.socket
  }

  /** Connects to a console with these sessions. */
  async connect(...sessions: ReadonlyArray<SessionRow>): Promise<void> {
    if (sessions.length > 0) this.browser.live.sessions = sessions
    this.live.start()
    await this.settle()
  }

  /** The console has these sessions from now on. */
  list(sessions: ReadonlyArray<SessionRow>, head?: object): void {
    this.browser.live.list(sessions, head)
  }

  settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1)
  keys = (): ReadonlyArray<string> => this.view.state.get().rows.map(({ key }) => key)

  dispose(): void {
    this.view.dispose()
    this.live.stop()
  }
}
