import { writeSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Logger, PubSub, Redacted } from "effect"
import type { InboxItem } from "../../../src/contract/schema/inbox.ts"
import { SqliteLive } from "../../../src/layers/Sqlite.ts"
import { Board } from "../../../src/services/board/Board.ts"
import { SessionProposals } from "../../../src/services/board/proposals/SessionProposals.ts"
import { BoardRuns } from "../../../src/services/board/runs/BoardRuns.ts"
import { SqliteBoard } from "../../../src/services/board/store/sqliteBoard.ts"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { DeviceIdentity } from "../../../src/services/gateway/device/DeviceIdentity.ts"
import { GatewayFeed } from "../../../src/services/gateway/feed/GatewayFeed.ts"
import { EveryGateway } from "../../../src/services/gateway/registry/EveryGateway.ts"
import { Inbox } from "../../../src/services/inbox/Inbox.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../../src/services/platform/ServerReady.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../support/testSettings.ts"

/** Decides every other thing that waits at the gateway, as fast as it can; its parent kills it. */
const [svcHome = "", gatewayUrl = "", token = ""] = process.argv.slice(2)

const settings = testSettings({ svcHome, gatewayUrl, gatewayToken: Redacted.make(token) })

const Console = Inbox.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(BoardRuns.layer, SessionProposals)),
  Layer.provideMerge(Board.layer),
  Layer.provideMerge(EveryGateway.primaryOnly),
  Layer.provideMerge(GatewayFeed.layer),
  Layer.provideMerge(GatewayClient.layer),
  Layer.provideMerge(DeviceIdentity.layer),
  Layer.provide(SqliteBoard),
  Layer.provideMerge(Layer.mergeAll(SqliteLive, EventBus.layer)),
  Layer.provideMerge(ServerReadyLive),
  Layer.provideMerge(Settings.layerOf(settings)),
  Layer.provide(NodeServices.layer),
  Layer.provide(Logger.layer([]))
)

const live = Effect.gen(function* () {
  // As in production, nothing is heard of a gateway before everything that follows it is there.
  yield* Effect.flatMap(ServerReady, ({ open }) => open)
  const inbox = yield* Inbox
  const bus = yield* EventBus
  const events = yield* bus.subscribe
  let count = 0
  const decide = ({ actions, id, kind }: InboxItem) => {
    count += 1
    const action = actions.at(count % 2 === 0 ? -1 : 0)?.id ?? ""
    const isWanted = count % 3 > 0 && (kind === "approval" || (kind === "question" && action === "skip"))
    return isWanted ? Effect.forkScoped(Effect.ignore(inbox.resolve(id, { action }))) : Effect.void
  }
  const { items } = yield* inbox.list({ state: "open", kinds: [], limit: 200, offset: 0 })
  writeSync(1, "ready\n")
  for (const item of items) yield* decide(item)
  for (;;) {
    const event = yield* PubSub.take(events)
    if (event.event === "inbox.changed" && event.data.action === "opened") yield* decide(event.data.item)
  }
})

await Effect.runPromise(live.pipe(Effect.scoped, Effect.provide(Console)))
