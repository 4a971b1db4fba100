import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { keyParts, PRIMARY } from "../../contract/qualifiedKey.ts"
import { DEFAULT_SESSIONS } from "../../contract/schema/sessionRow.ts"
import { Conversations } from "../../services/conversations/Conversations.ts"
import { Drafts } from "../../services/drafts/Drafts.ts"
import { Crons } from "../../services/gateway/crons/Crons.ts"
import { Models } from "../../services/gateway/models/Models.ts"
import { Gateways } from "../../services/gateway/registry/Gateways.ts"
import { SessionMarks } from "../../services/gateway/sessions/SessionMarks.ts"
import { SessionSettings } from "../../services/gateway/sessions/SessionSettings.ts"
import { MAIN_SESSION } from "../../services/gateway/sessions/sessionSchemas.ts"
import { Skills } from "../../services/gateway/skills/Skills.ts"
import { Inbox } from "../../services/inbox/Inbox.ts"
import { Outbox } from "../../services/outbox/Outbox.ts"
import { PushDevices } from "../../services/push/PushDevices.ts"
import { PushSender } from "../../services/push/PushSender.ts"
import { SeenItems } from "../../services/push/SeenItems.ts"
import { VapidIdentity } from "../../services/push/VapidIdentity.ts"
import { SessionCommands } from "../../services/sessions/SessionCommands.ts"
import { SessionLists } from "../../services/sessions/SessionLists.ts"
import { routeHandlers } from "../Api.ts"
import { gatewayTrust } from "../gatewayTrust.ts"
import { mediaHeaders } from "../knowledge/files/fileResponse.ts"
import { gatewayService } from "../serviceErrors.ts"

const OK = { ok: true } as const

export const OutboxHandlers = routeHandlers(
  "outbox",
  Effect.fn(function* (handlers) {
    const outbox = yield* Outbox
    const trusted = yield* gatewayTrust
    /** Of a message that isn't there, as of anything else that names no gateway, the primary's token is needed. */
    const trustedWith = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      yield* trusted(request, (yield* outbox.gatewayOf(id)) ?? PRIMARY)
    })
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { gateway = PRIMARY, sessionKey }, request }) {
        yield* trusted(request, gateway)
        const session = sessionKey === undefined ? undefined : { gatewayId: gateway, sessionKey }
        return { items: yield* outbox.list(session) }
      }),
      add: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, payload.gatewayId ?? PRIMARY)
        return yield* outbox.add(payload)
      }),
      change: Effect.fnUntraced(function* ({ params, payload, request }) {
        yield* trustedWith(request, params.id)
        return yield* outbox.change(params.id, payload)
      }),
      attachment: Effect.fnUntraced(function* ({ params, request }) {
        yield* trustedWith(request, params.id)
        const { content, name, type } = yield* outbox.attachment(params.id, Number(params.index))
        return HttpServerResponse.uint8Array(content, {
          contentType: type,
          headers: mediaHeaders(type, request.headers["sec-fetch-dest"], name)
        })
      }),
      remove: Effect.fnUntraced(function* ({ params, request }) {
        yield* trustedWith(request, params.id)
        yield* outbox.remove(params.id)
        return OK
      }),
      resolve: Effect.fnUntraced(function* ({ params, payload, request }) {
        yield* trustedWith(request, params.id)
        yield* outbox.resolve(params.id, payload)
        return OK
      })
    })
  })
)

export const GatewaysHandlers = routeHandlers(
  "gateways",
  Effect.fn(function* (handlers) {
    const gateways = yield* Gateways
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      list: () => Effect.map(gateways.list, (list) => ({ gateways: list })),
      add: ({ payload }) => gateways.add(payload),
      change: ({ params, payload }) => gateways.change(params.id, payload),
      remove: ({ params }) => Effect.as(gateways.remove(params.id), OK),
      retry: Effect.fnUntraced(function* ({ params, request }) {
        yield* trusted(request, params.id)
        yield* gateways.retry(params.id)
        return OK
      }),
      probe: Effect.fnUntraced(function* ({ params, request }) {
        yield* trusted(request, params.id)
        return { ms: yield* gateways.probe(params.id) }
      })
    })
  })
)

export const SessionsHandlers = routeHandlers(
  "sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* SessionCommands
    const conversations = yield* Conversations
    const lists = yield* SessionLists
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query, request }) {
        const { archived, cursor, gateway, limit = DEFAULT_SESSIONS } = query
        const reach = yield* trusted(request, gateway ?? PRIMARY)
        return yield* lists.page({ archived: archived === "true", cursor, gateway, limit }, reach.has)
      }),
      change: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        return yield* sessions.change(payload)
      }),
      reset: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        return yield* sessions.reset(payload.sessionKey)
      }),
      remove: Effect.fnUntraced(function* ({ query, request }) {
        yield* trusted(request, keyParts(query.sessionKey).gatewayId)
        yield* sessions.remove(query.sessionKey)
        return OK
      }),
      compact: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        return { ...OK, compacted: yield* sessions.compact(payload.sessionKey) }
      }),
      stop: Effect.fnUntraced(function* ({ payload, request }) {
        yield* trusted(request, keyParts(payload.sessionKey).gatewayId)
        const { runId, sessionKey, tab } = payload
        // Who looks at the conversation sees that it's being stopped, and then by whom.
        const stopping = conversations.held(sessionKey)?.stopping(tab)
        const runIds = yield* sessions
          .stop(sessionKey, runId)
          .pipe(Effect.tapError(({ _tag }) => Effect.sync(() => stopping?.notStopped(_tag === "NothingToStop"))))
        stopping?.stopped(runIds)
        return { ...OK, runIds }
      })
    })
  })
)

export const GatewayOpsHandlers = routeHandlers(
  "gatewayOps",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      models: Effect.fnUntraced(function* ({ query, request }) {
        yield* trusted(request, query.gateway ?? PRIMARY)
        const { list } = yield* serviceOf(Models, query)
        return { models: yield* list }
      }),
      sessionInfo: Effect.fnUntraced(function* ({ query, request }) {
        yield* trusted(request, query.gateway ?? PRIMARY)
        const sessions = yield* serviceOf(SessionSettings, query)
        return yield* sessions.info(query.sessionKey ?? MAIN_SESSION)
      }),
      sessionPatch: Effect.fnUntraced(function* ({ payload, query, request }) {
        yield* trusted(request, query.gateway ?? PRIMARY)
        const sessions = yield* serviceOf(SessionSettings, query)
        return { ok: true as const, ...(yield* sessions.patch(payload)) }
      })
    })
  })
)

export const SessionMarksHandlers = routeHandlers(
  "sessionMarks",
  Effect.fn(function* (handlers) {
    const marks = yield* SessionMarks
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ request }) {
        const reach = yield* trusted(request, PRIMARY)
        const { marks: all, seenSince } = yield* marks.all
        return {
          marks: all.filter(({ sessionKey }) => reach.hasSession(sessionKey)),
          seenSince: seenSince.filter(({ gatewayId }) => reach.has(gatewayId))
        }
      }),
      change: ({ payload, request }) =>
        Effect.andThen(trusted(request, keyParts(payload.sessionKey).gatewayId), marks.change(payload))
    })
  })
)

const DEFAULT_PAGE = 50

export const InboxHandlers = routeHandlers(
  "inbox",
  Effect.fn(function* (handlers) {
    const inbox = yield* Inbox
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      list: ({ query: { state, kind = [], limit = DEFAULT_PAGE, offset = 0 } }) =>
        inbox.list({ state, kinds: kind, limit, offset }),
      get: ({ params }) => inbox.get(params.id),
      resolve: Effect.fnUntraced(function* ({ params, payload, request }) {
        const of = yield* Effect.catchTag(inbox.get(params.id), "ItemNotFound", () => Effect.succeed(undefined))
        yield* trusted(request, of?.gatewayId ?? PRIMARY)
        return yield* inbox.resolve(params.id, payload)
      })
    })
  })
)

export const DraftsHandlers = routeHandlers(
  "drafts",
  Effect.fn(function* (handlers) {
    const drafts = yield* Drafts
    const trusted = yield* gatewayTrust
    return handlers.handleAll({
      get: ({ query, request }) =>
        Effect.andThen(trusted(request, keyParts(query.sessionKey).gatewayId), drafts.get(query.sessionKey)),
      put: ({ payload, request }) =>
        Effect.andThen(trusted(request, keyParts(payload.sessionKey).gatewayId), drafts.put(payload))
    })
  })
)

export const PushHandlers = routeHandlers(
  "push",
  Effect.fn(function* (handlers) {
    const devices = yield* PushDevices
    const sender = yield* PushSender
    const seen = yield* SeenItems
    const vapid = yield* VapidIdentity
    return handlers.handleAll({
      overview: () =>
        Effect.all({
          publicKey: Effect.map(vapid.key, ({ publicKey }) => publicKey),
          subscriptions: Effect.map(devices.list, (list) => list.map(({ device }) => device)),
          ...(devices.off === undefined
            ? {}
            : {
                off: Effect.succeed(devices.off.message),
                ...(devices.off.why === undefined ? {} : { why: Effect.succeed(devices.off.why) })
              })
        }),
      subscribe: ({ payload }) =>
        Effect.map(devices.subscribe(payload), ({ device, isNew }) =>
          isNew ? device : HttpServerResponse.jsonUnsafe(device)
        ),
      change: ({ params, payload }) => devices.change(params.id, payload),
      remove: ({ params }) => Effect.as(devices.remove(params.id), OK),
      test: ({ params }) => Effect.as(sender.test(params.id), OK),
      seen: ({ payload }) => Effect.as(seen.mark(payload.ids), OK)
    })
  })
)

const ok = true as const

export const CronsHandlers = routeHandlers(
  "crons",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ok, result: { jobs: yield* crons.list } }
      }),
      create: Effect.fnUntraced(function* ({ payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.create(payload.job)), ok }
      }),
      patch: Effect.fnUntraced(function* ({ params, payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.patch(params.id, payload.patch)), ok }
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        yield* crons.remove(params.id)
        return { ok, id: params.id }
      }),
      toggle: Effect.fnUntraced(function* ({ params, payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.setEnabled(params.id, payload.enabled)), ok }
      }),
      run: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.run(params.id)), ok }
      }),
      runs: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ok, result: { entries: yield* crons.runs(params.id) } }
      })
    })
  })
)

export const SkillsHandlers = routeHandlers(
  "skills",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { list } = yield* serviceOf(Skills, query)
        return { ok: true as const, skills: yield* list }
      })
    })
  })
)
