import { Effect, FiberSet } from "effect"
import { diffHeads, diffSets } from "../../contract/diffItems.ts"
import type { Why } from "../../contract/failure.ts"
import { DEFAULT_SESSIONS, MAX_SESSIONS, type SessionRow, type SessionsHead } from "../../contract/schema/sessionRow.ts"
import { SessionLists, type SessionsQuery } from "../../services/sessions/SessionLists.ts"
import type { LiveChannel, ShownState } from "./LiveChannel.ts"
import type { Reach } from "./Reach.ts"

interface Parameters {
  readonly archived?: boolean | undefined
  readonly gateway?: string | undefined
  readonly limit?: number | undefined
}

const queryOf = ({ archived = false, gateway, limit = DEFAULT_SESSIONS }: Parameters): SessionsQuery => ({
  archived,
  gateway,
  limit: Math.min(limit, MAX_SESSIONS)
})

interface Published {
  readonly rows: ReadonlyMap<string, SessionRow>
  readonly head: SessionsHead
}

/** What some channels show. */
interface View {
  readonly name: string
  readonly query: SessionsQuery
  readonly reach: Reach
  readonly channels: Set<LiveChannel>
  published: Published
}

/** The topic `sessions`: channels that show the same share one view, so a change is looked at once for all of them. */
export const makeSessionTopic = Effect.gen(function* () {
  const lists = yield* SessionLists
  const run = yield* FiberSet.makeRuntime<never>()
  const views = new Map<string, View>()
  const names = new WeakMap<Reach, number>()
  let reaches = 0

  const reachName = (reach: Reach): number => {
    const name = names.get(reach) ?? ++reaches
    names.set(reach, name)
    return name
  }
  const published = ({ query, reach }: Pick<View, "query" | "reach">): Published => {
    const { head, items } = lists.view(query, reach.has)
    return { rows: new Map(items.map((row) => [row.key, row])), head }
  }
  const stateOf = ({ published: { head, rows } }: View) => ({ items: [...rows.values()], head })

  /** Brings a view up to date, and tells its channels what has changed. */
  const refresh = (view: View) => {
    const before = view.published
    view.published = published(view)
    const ops = diffSets(before.rows, view.published.rows)
    const head = diffHeads(before.head, view.published.head)
    for (const channel of view.channels) channel.patch(ops, head)
  }

  let stopListening: (() => void) | undefined
  const listen = () => {
    stopListening ??= lists.onChange(() => {
      for (const view of views.values()) refresh(view)
    })
  }
  lists.onRemoved((gatewayId) => {
    for (const { channels, query } of [...views.values()]) {
      if (query.gateway !== gatewayId) continue
      for (const channel of [...channels]) channel.end({ code: "GATEWAY_REMOVED" })
    }
  })

  const join = (channel: LiveChannel, query: SessionsQuery, reach: Reach): View => {
    const name = JSON.stringify([reach.isEverything ? 0 : reachName(reach), query.limit, query.archived, query.gateway])
    const view = views.get(name) ?? { name, query, reach, channels: new Set(), published: published({ query, reach }) }
    views.set(name, view)
    refresh(view)
    view.channels.add(channel)
    listen()
    run(lists.ensure(query, reach.has))
    return view
  }
  const leave = (view: View, channel: LiveChannel) => {
    view.channels.delete(channel)
    if (view.channels.size === 0) views.delete(view.name)
    if (views.size > 0) return
    stopListening?.()
    stopListening = undefined
  }

  /** Why a gateway's sessions can't be had. */
  const refused = ({ gateway }: SessionsQuery, reach: Reach): Why | undefined => {
    if (gateway === undefined) return undefined
    if (!reach.has(gateway)) return { code: "NOT_TRUSTED" }
    return lists.has(gateway) ? undefined : { code: "UNKNOWN_GATEWAY" }
  }

  return {
    /** What a channel shows; or why it can't. */
    open: (channel: LiveChannel, parameters: Parameters, reach: Reach): ShownState | Why => {
      let query = queryOf(parameters)
      const why = refused(query, reach)
      if (why !== undefined) return why
      let view = join(channel, query, reach)
      return {
        read: () => stateOf(view),
        close: () => leave(view, channel),
        set: ({ archived, gateway, limit }) => {
          query = queryOf({
            limit: limit ?? query.limit,
            archived: archived ?? query.archived,
            gateway: gateway ?? query.gateway
          })
          const reason = refused(query, reach)
          if (reason !== undefined) return channel.end(reason)
          const before = view
          view = join(channel, query, reach)
          if (view === before) return
          leave(before, channel)
          channel.patch(
            diffSets(before.published.rows, view.published.rows),
            diffHeads(before.published.head, view.published.head)
          )
        }
      }
    },
    look: (viewer: object, key: string | null, reach: Reach): void => {
      if (key === null || reach.hasSession(key)) lists.look(viewer, key)
    }
  }
})
