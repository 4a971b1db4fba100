import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { makeSessionActivity } from "../../../../src/services/gateway/activity/SessionActivity.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { makeListedSessions } from "../../../../src/services/gateway/sessions/ListedSessions.ts"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"

/** A gateway with these sessions in its list, and these messages in every history. */
const startActivity = Effect.fnUntraced(function* (
  sessions: ReadonlyArray<object>,
  messages: ReadonlyArray<object> = []
) {
  const gateway = yield* makeAnsweringGateway(({ method }) =>
    Effect.succeed(method === "chat.history" ? { messages } : { sessions })
  )
  const client = Context.get(yield* Layer.build(gateway.layer), GatewayClient)
  const activity = yield* makeSessionActivity(client, yield* makeListedSessions(client))
  const begin = (sessionKey: string, runId: string) =>
    gateway.emit("agent", { stream: "lifecycle", runId, sessionKey, data: { phase: "start" } })
  const end = (runId: string, state = "final") => gateway.emit("chat", { runId, state })
  return { activity, begin, end, gateway }
})

describe("what runs in a gateway's sessions", () => {
  it.effect("is known from the moment at which a run begins and ends, by its session and by its id", () =>
    Effect.gen(function* () {
      const { activity, begin, end } = yield* startActivity([])
      assert.isFalse(activity.isBusy("a"))
      yield* begin("a", "r-1")
      assert.isTrue(activity.isBusy("a"))
      assert.isTrue(activity.isRunning("r-1"))
      assert.deepStrictEqual(activity.busySessions(), ["a"])
      yield* end("r-1", "delta")
      assert.isTrue(activity.isBusy("a"))
      yield* end("r-1")
      assert.isFalse(activity.isBusy("a"))
      assert.strictEqual(activity.sessionOf("r-1"), "a", "events about it may follow")
    })
  )

  it.effect("includes what the console has begun itself, until it is over or the gateway says that nothing runs", () =>
    Effect.gen(function* () {
      const { activity } = yield* startActivity([])
      activity.began("a", "r-1")
      activity.began("b", "r-2")
      activity.ended("a", "r-1")
      assert.deepStrictEqual(activity.busySessions(), ["b"])
      activity.cleared("b")
      assert.deepStrictEqual(activity.busySessions(), [])
    })
  )

  it.effect("is corrected by the gateway's list, where an older one's claims are looked at in the history", () =>
    Effect.gen(function* () {
      const answered = { role: "assistant", stopReason: "stop", timestamp: 20 }
      const { activity, begin } = yield* startActivity(
        [
          { key: "listed", hasActiveRun: true },
          { key: "idle", hasActiveRun: false },
          { key: "claimed", status: "running", startedAt: 10 }
        ],
        [answered]
      )
      yield* begin("idle", "r-1")
      yield* begin("other", "r-2")
      yield* activity.ask(new Set(["listed", "idle", "claimed"]))
      assert.sameMembers([...activity.busySessions()], ["listed", "other"])
      assert.isFalse(yield* activity.isListed("claimed"))
      assert.isTrue(yield* activity.isListed("listed"))
    })
  )
})
