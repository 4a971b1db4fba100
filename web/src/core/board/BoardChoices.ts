import { fieldsOf, filledText, recordsOf } from "../../../../src/contract/looseFields.ts"
import type { Model } from "../../../../src/contract/schema/session.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
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

export interface BoardChoices {
  readonly state: Readable<Choices>
  /** Asks again unless that was just done; what can't be loaded stays as it was. */
  refresh(): Promise<void>
}

/** The options in a card's pickers; requested when a card is opened, at most once a minute. */
export function createBoardChoices(source: ChoiceSource, calls: Pick<BoardApi, "models">): BoardChoices {
  const state = createObservable<Choices>({ models: [], agents: ["agent:main"] })
  let askedAt = Number.NEGATIVE_INFINITY
  /** Someone asked, and not everything could be loaded. */
  let wanted = false

  async function refresh(): Promise<void> {
    const now = performance.now()
    if (now - askedAt < STALE_MS) return
    askedAt = now
    const [models, agents] = await Promise.all([calls.models(), readAgents()])
    const known = state.get()
    wanted = !models.ok || agents === null
    if (wanted) askedAt = Number.NEGATIVE_INFINITY
    state.set({ models: models.ok ? models.value : known.models, agents: agents ?? known.agents })
  }

  /** The gateway's agents, and the helpers in the session list. */
  async function readAgents(): Promise<ReadonlyArray<string> | null> {
    try {
      const answer = fieldsOf(await source.link.request("agents.list", {}))
      const ids = recordsOf(answer.agents).flatMap((agent) => filledText(agent.id) ?? [])
      const helpers = source.sessions.state
        .get()
        .rows.flatMap((row) =>
          row.kind === "subagent" && row.label !== null && LABEL.test(row.label) ? [row.label] : []
        )
      return [...new Set(["main", ...ids, ...helpers])].map((name) => `agent:${name}`)
    } catch {
      return null
    }
  }

  // A page opened on a card asks before the gateway is connected.
  source.link.hello.subscribe((greeting) => {
    if (greeting !== null && wanted) void refresh()
  })

  return { state, refresh }
}
