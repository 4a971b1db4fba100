import type { OutboxDecision } from "../../../../src/contract/outbox.ts"
import type { AppServices } from "../../base/AppContext.ts"
import { putBack } from "../../base/putBack.ts"
import type { ActionResult } from "../../core/common/Observable.ts"
import { nowMode } from "../../core/composer/composerRules.ts"
import type { ChatStore, UserItem } from "../../core/conversation/chatTypes.ts"
import type { MessageChange, OutboxStore } from "../../core/outbox/outboxTypes.ts"

/** The held messages of a conversation, in their order. */
export const heldIn = ({ state }: Pick<ChatStore, "state">): ReadonlyArray<UserItem> =>
  state.get().items.flatMap((item) => (item.kind === "user" && item.delivery === "held" ? [item] : []))

export interface QueueActions {
  /** The held messages, in their order. */
  held(): ReadonlyArray<UserItem>
  change(item: UserItem, change: MessageChange): Promise<boolean>
  decide(item: UserItem, decision: OutboxDecision): Promise<boolean>
  /** Hands a message to the running response, or stops that where the gateway can't do it. */
  sendNow(item: UserItem): Promise<void>
  /** Moves a held message before or behind another one. */
  move(item: UserItem, to: UserItem | undefined): Promise<boolean>
  /** Takes a message out of the queue and puts it into the composer. */
  takeBack(item: UserItem): Promise<void>
  /** Answers the question that the agent asks with a message that waits. */
  answer(item: UserItem): Promise<void>
  retry(item: UserItem): void
}

/** What a person does with a message that waits, failed or may not have arrived; what fails is said in a notice. */
export function createQueueActions(app: AppServices, sessionKey: string): QueueActions {
  const chat = app.client.chat(sessionKey)

  const change = ({ waits }: UserItem, change: MessageChange): Promise<boolean> =>
    run((store) => store.change(waits?.id ?? "", change))

  async function run(action: (store: OutboxStore) => Promise<ActionResult>): Promise<boolean> {
    const done = await app.client.outbox.act(action)
    if (!done.ok) fail(done)
    return done.ok
  }

  const fail = ({ message }: Extract<ActionResult, { ok: false }>) => app.notices.show("error", message)

  return {
    held: () => heldIn(chat),
    change,
    decide: ({ waits }, decision) => run((store) => store.decide(waits?.id ?? "", decision)),
    sendNow: async (item) => {
      const { inbox, link } = app.client
      // The gateway would use it as the answer to a question that was asked just now.
      if (!inbox.asked.get().has(chat.state.get().sessionKey)) await change(item, { mode: nowMode(link) })
    },
    move: async (item, to) => {
      const position = to?.waits?.position
      return position !== undefined && (await change(item, { position }))
    },
    takeBack: async (item) => {
      const done = await chat.takeBack(item.key)
      if (done.ok) putBack(app, sessionKey, done.value)
      else fail(done)
    },
    answer: async (item) => {
      const { inbox } = app.client
      const asked = inbox.asked.get().get(chat.state.get().sessionKey)
      if (asked === undefined) return
      const taken = await chat.takeBack(item.key)
      if (!taken.ok) return fail(taken)
      const done = await inbox.act((store) => store.say(asked, taken.value.text))
      if (done.ok) return
      fail(done)
      putBack(app, sessionKey, taken.value)
    },
    retry: (item) => chat.retry(item.key)
  }
}
