import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { practiceGateway } from "../../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../../practice-gateway/src/EmbeddedGateway.ts"
import type { ChatStore } from "../../../../src/core/conversation/chatTypes.ts"
import { removedParts } from "../../../../src/core/conversation/removedParts.ts"
import { keepsVersions } from "../../../../src/core/conversation/versions/keepsVersions.ts"
import {
  createVersionsStore,
  type KnownVersions,
  type VersionsStore
} from "../../../../src/core/conversation/versions/VersionsStore.ts"
import { shortOf } from "../../support/chatHarness.ts"
import { EmbeddedConsole, until } from "../../support/embeddedConsole.ts"

const KEY = "agent:main:versions"
const users = (chat: ChatStore) => chat.state.get().items.filter(({ kind }) => kind === "user")
const questions = (chat: ChatStore) => users(chat).map(shortOf)

/** A page on the conversation, as one that was just opened. */
const opened = Effect.fnUntraced(function* () {
  const gateway = yield* EmbeddedGateway
  const app = yield* Effect.acquireRelease(
    Effect.sync(() => new EmbeddedConsole(gateway.wsUrl, Redacted.value(gateway.token))),
    (open) => Effect.sync(() => open.dispose())
  )
  yield* Effect.promise(() => app.connect())
  const chat = app.open(KEY)
  yield* Effect.promise(() => until(chat.state, ({ status }) => status === "ready"))
  const store = yield* Effect.acquireRelease(
    Effect.sync(() => createVersionsStore(app.link, chat)),
    (open) => Effect.sync(() => open.dispose())
  )
  return { app, chat, store }
})

const answered = (chat: ChatStore, question: string) =>
  Effect.promise(() =>
    until(
      chat.state,
      ({ running, items }) =>
        !running && items.at(-1)?.kind === "assistant" && questions(chat).at(-1) === `user: ${question}`
    )
  )

const ask = Effect.fnUntraced(function* (chat: ChatStore, question: string) {
  chat.send(question)
  yield* answered(chat, question)
})

const edit = Effect.fnUntraced(function* (chat: ChatStore, place: number, question: string) {
  const key = () => users(chat)[place]?.key ?? ""
  yield* Effect.promise(() => until(chat.state, () => chat.removedBy(key()).length > 0))
  const done = yield* Effect.promise(() => chat.askAgain(key(), question))
  assert.isTrue(done.ok)
  yield* answered(chat, question)
})

/** The places of the questions with versions and which of how many is on screen, once there are so many tips. */
const shown = Effect.fnUntraced(function* (chat: ChatStore, store: VersionsStore, tips: number, marks: number) {
  const placeOf = (messageId: string) => users(chat).findIndex(({ key }) => chat.keysOf(messageId).includes(key))
  const isOnScreen = (known: KnownVersions) => known.versions.every(({ messageId }) => placeOf(messageId) >= 0)
  yield* Effect.promise(() =>
    until(store.known, (known) => known.tips.length === tips && known.versions.length === marks && isOnScreen(known))
  )
  return store.known
    .get()
    .versions.map(({ messageId, leaves }) => `${placeOf(messageId)}: ${leaves.indexOf(null) + 1}/${leaves.length}`)
})

const Wordless = practiceGateway({
  generation: "new",
  tokenMs: 0,
  seed: false,
  agent: () => [{ type: "text", text: "👍" }]
})
const Fast = practiceGateway({ generation: "new", tokenMs: 0, seed: false })

describe("versions of a conversation at a gateway that keeps them", () => {
  it.live("are switched between, also by a page that didn't see them being left, and nothing is lost", () =>
    Effect.gen(function* () {
      const { app, chat, store } = yield* opened()
      for (const question of ["alpha", "beta"]) yield* ask(chat, question)
      yield* edit(chat, 1, "beta two")
      assert.deepStrictEqual(yield* shown(chat, store, 1, 1), ["1: 2/2"])
      yield* edit(chat, 1, "beta three")
      assert.deepStrictEqual(yield* shown(chat, store, 2, 1), ["1: 3/3"])
      yield* edit(chat, 0, "alpha two")
      assert.deepStrictEqual(yield* shown(chat, store, 3, 1), ["0: 2/2"])
      assert.deepStrictEqual(questions(chat), ["user: alpha two"])
      assert.deepStrictEqual(removedParts(app.env.storage, KEY), [])

      const other = yield* opened()
      assert.deepStrictEqual(yield* shown(other.chat, other.store, 3, 1), ["0: 2/2"])
      const [back] = other.store.known.get().versions[0]?.leaves ?? []
      assert.isTrue((yield* Effect.promise(() => other.store.switchTo(back ?? ""))).ok)
      for (const page of [{ chat, store }, other]) {
        yield* Effect.promise(() => until(page.chat.state, () => questions(page.chat).length === 2))
        assert.deepStrictEqual(questions(page.chat), ["user: alpha", "user: beta three"])
        assert.deepStrictEqual((yield* shown(page.chat, page.store, 3, 2)).toSorted(), ["0: 1/2", "1: 3/3"])
      }
    }).pipe(Effect.provide(Fast), Effect.scoped)
  )

  it.live("are found without words to look for, and a version that is on screen already isn't switched to", () =>
    Effect.gen(function* () {
      const { chat, store } = yield* opened()
      yield* ask(chat, "alpha")
      yield* edit(chat, 0, "alpha two")
      assert.deepStrictEqual(yield* shown(chat, store, 1, 1), ["0: 2/2"])
      const [leaf] = store.known.get().tips
      assert.isTrue((yield* Effect.promise(() => store.switchTo(leaf?.leaf ?? ""))).ok)
      yield* Effect.promise(() => until(chat.state, () => questions(chat)[0] === "user: alpha"))
      assert.deepStrictEqual(yield* shown(chat, store, 1, 1), ["0: 1/2"])
      const again = yield* Effect.promise(() => store.switchTo(leaf?.leaf ?? ""))
      assert.isFalse(again.ok)
      yield* ask(chat, "beta")
      yield* edit(chat, 1, "beta two")
      // Two versions without text can't be distinguished: they're listed without a question.
      assert.deepStrictEqual(yield* shown(chat, store, 2, 0), [])
    }).pipe(Effect.provide(Wordless), Effect.scoped)
  )

  it.live("aren't asked for at an older gateway", () =>
    Effect.gen(function* () {
      const { app, chat, store } = yield* opened()
      yield* ask(chat, "alpha")
      assert.isFalse(keepsVersions(app.link))
      assert.deepStrictEqual(store.known.get().tips, [])
    }).pipe(Effect.provide(practiceGateway({ generation: "old", tokenMs: 0, seed: false })), Effect.scoped)
  )
})
