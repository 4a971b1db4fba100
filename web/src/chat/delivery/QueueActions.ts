import type { OutboxDecision } from "../../../../src/contract/answers/OutboxAnswers.ts"
import type { AppServices } from "../../base/AppContext.ts"
import { compose } from "../../base/compose.ts"
import type { ActionResult } from "../../core/common/readable.ts"
import { nowMode } from "../../core/composer/composerRules.ts"
import type { ChatStore, UserItem } from "../../core/conversation/chatTypes.ts"
import type { MessageChange, OutboxStore } from "../../core/outbox/outboxTypes.ts"

/** The held messages of a conversation, in their order. */
export const heldIn = ({ state }: Pick<ChatStore, "state">): ReadonlyArray<UserItem> =>
  state.get().items.flatMap((item) => (item.kind === "user" && item.delivery === "held" ? [item] : []))

/** What a person does with a message that waits, failed or may not have arrived; what fails is said in a notice. */
export class QueueActions {
  private readonly app: AppServices
  private readonly chat: ChatStore

  constructor(app: AppServices, sessionKey: string) {
    this.app = app
    this.chat = app.client.chat(sessionKey)
  }

  /** The held messages, in their order. */
  held(): ReadonlyArray<UserItem> {
    return heldIn(this.chat)
  }

  change({ waits }: UserItem, change: MessageChange): Promise<boolean> {
    return this.run((store) => store.change(waits?.id ?? "", change))
  }

  decide({ waits }: UserItem, decision: OutboxDecision): Promise<boolean> {
    return this.run((store) => store.decide(waits?.id ?? "", decision))
  }

  /** Hands a message to the running response, or stops that where the gateway can't do it. */
  async sendNow(item: UserItem): Promise<void> {
    const { inbox, link } = this.app.client
    // The gateway would take it as the answer to a question that came up in this moment.
    if (!inbox.asked.get().has(this.chat.state.get().sessionKey)) await this.change(item, { mode: nowMode(link) })
  }

  /** Moves a held message before or behind another one. */
  async move(item: UserItem, to: UserItem | undefined): Promise<boolean> {
    const position = to?.waits?.position
    return position !== undefined && (await this.change(item, { position }))
  }

  /** Takes a message out of the queue and puts it into the composer. */
  async takeBack(item: UserItem): Promise<void> {
    const done = await this.chat.takeBack(item.key)
    if (done.ok) compose(done.value)
    else this.fail(done)
  }

  /** Answers the question that the agent asks with a message that waits. */
  async answer(item: UserItem): Promise<void> {
    const { inbox } = this.app.client
    const asked = inbox.asked.get().get(this.chat.state.get().sessionKey)
    if (asked === undefined) return
    const taken = await this.chat.takeBack(item.key)
    if (!taken.ok) return this.fail(taken)
    const done = await inbox.act((store) => store.say(asked.item, taken.value.text))
    if (done.ok) return
    this.fail(done)
    compose(taken.value)
  }

  retry(item: UserItem): void {
    this.chat.retry(item.key)
  }

  private async run(action: (store: OutboxStore) => Promise<ActionResult>): Promise<boolean> {
    const done = await this.app.client.outbox.act(action)
    if (!done.ok) this.fail(done)
    return done.ok
  }

  private fail({ message }: Extract<ActionResult, { ok: false }>): void {
    this.app.notices.show("error", message)
  }
}
