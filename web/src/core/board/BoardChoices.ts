import type { Model } from "../../../../src/contract/answers/GatewayAnswers.ts"
import { fieldsOf, filledText, recordsOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { Readable } from "../common/readable.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { SessionsState } from "../sessions/sessionTypes.ts"
import type { BoardApi } from "./boardApi.ts"

export interface Choices {
  readonly models: ReadonlyArray<Model>
  /** Agents that can own a card, as `agent:<id>`. */
  readonly agents: ReadonlyArray<string>
}

/** Where the choices come from: the gateway and its session list. */
export interface ChoiceSource {
  readonly link: Pick<GatewayLink, "hello" | "request">
  readonly sessions: { readonly state: Readable<Pick<SessionsState, "rows">> }
}

const STALE_MS = 60_000
const LABEL = /^[^\s:][^:]{0,60}$/

/** The options in a card's pickers; requested when a card is opened, at most once a minute. */
export class BoardChoices {
  readonly state = createObservable<Choices>({ models: [], agents: ["agent:main"] })
  private readonly source: ChoiceSource
  private readonly calls: Pick<BoardApi, "models">
  private askedAt = Number.NEGATIVE_INFINITY
  /** Someone asked, and not everything could be loaded. */
  private wanted = false

  constructor(source: ChoiceSource, calls: Pick<BoardApi, "models">) {
    this.source = source
    this.calls = calls
    // A page opened on a card asks before the gateway is connected.
    source.link.hello.subscribe((greeting) => {
      if (greeting !== null && this.wanted) void this.refresh()
    })
  }

  /** Asks again unless that was just done; what can't be loaded stays as it was. */
  async refresh(): Promise<void> {
    const now = performance.now()
    if (now - this.askedAt < STALE_MS) return
    this.askedAt = now
    const [models, agents] = await Promise.all([this.calls.models(), this.agents()])
    const known = this.state.get()
    this.wanted = !models.ok || agents === null
    if (this.wanted) this.askedAt = Number.NEGATIVE_INFINITY
    this.state.set({ models: models.ok ? models.value : known.models, agents: agents ?? known.agents })
  }

  /** The gateway's agents, and the helpers in the session list. */
  private async agents(): Promise<ReadonlyArray<string> | null> {
    try {
      const answer = fieldsOf(await this.source.link.request("agents.list", {}))
      const ids = recordsOf(answer.agents).flatMap((agent) => filledText(agent.id) ?? [])
      const helpers = this.source.sessions.state
        .get()
        .rows.flatMap((row) =>
          row.kind === "subagent" && row.label !== null && LABEL.test(row.label) ? [row.label] : []
        )
      return [...new Set(["main", ...ids, ...helpers])].map((name) => `agent:${name}`)
    } catch {
      return null
    }
  }
}
