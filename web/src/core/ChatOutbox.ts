import type { Conversation } from "./Conversation.ts"
import type { OutgoingImage, TakenBack } from "./chatTypes.ts"
import { fieldsOf, textOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { failureSentence, GatewayCallError } from "./GatewayCallError.ts"
import { type Entry, waits } from "./liveTurn.ts"
import { FORGOTTEN, NOT_CONFIRMED, NOT_CONNECTED, type Outgoing, outgoingEntry, withDelivery } from "./outgoing.ts"
import type { GatewayLink } from "./types.ts"

const SEND_LIMIT = 30_000

const isHeld = ({ item }: Entry): boolean => item.kind === "user" && item.delivery === "held"

/** Sends a session's messages; each is on screen at once and never lost, whatever becomes of it. */
export class ChatOutbox {
  private readonly conversation: Conversation
  private readonly link: GatewayLink
  private readonly env: Environment
  private readonly read: (whole: boolean) => Promise<void>
  private readonly messages = new Map<string, Outgoing>()

  constructor(
    conversation: Conversation,
    link: GatewayLink,
    env: Environment,
    read: (whole: boolean) => Promise<void>
  ) {
    this.conversation = conversation
    this.link = link
    this.env = env
    this.read = read
  }

  /** Sends a message, or holds it behind a running turn and what waits already; answers its key. */
  send(text: string, images: ReadonlyArray<OutgoingImage> = []): string | null {
    if (text.trim() === "" && images.length === 0) return null
    const runId = this.env.uuid()
    const key = `u:${runId}`
    const message: Outgoing = { text, images, unsure: false, refused: false }
    const { conversation } = this
    // A command is for the gateway, which answers it whatever the agent does.
    const isCommand = text.startsWith("/") && images.length === 0
    const holds = !isCommand && (conversation.isRunning || conversation.timeline.some(isHeld))
    this.show(runId, key, this.env.now(), message, holds ? "held" : "sending")
    if (holds) conversation.publish()
    else void this.deliver(key, runId, message)
    return key
  }

  /** Sends the oldest held message, now that no turn runs. A session that was emptied meanwhile gives all of them back. */
  flush(): void {
    const { conversation } = this
    const next = conversation.timeline.find(isHeld)
    const isSending = conversation.timeline.some(({ item }) => item.kind === "user" && item.delivery === "sending")
    if (next === undefined || conversation.isRunning || conversation.keepsHeld || isSending) return
    if (conversation.timeline.every(({ item }) => waits(item)))
      conversation.timeline = withDelivery(
        conversation.timeline,
        (item) => item.delivery === "held",
        "failed",
        FORGOTTEN
      )
    else this.release(next.item.key)
  }

  /** Sends a held message now; `steer` hands it to the turn that runs. False when it is not held any more. */
  release(key: string, steer = false): boolean {
    const entry = this.conversation.timeline.find(({ item }) => item.key === key)
    const message = this.messages.get(key)
    if (entry === undefined || message === undefined || !isHeld(entry) || entry.runId === null) return false
    this.show(entry.runId, key, entry.item.at ?? this.env.now(), message)
    void this.deliver(key, entry.runId, message, steer)
    return true
  }

  takeHeld(): ReadonlyArray<TakenBack> {
    const keys = this.conversation.timeline.filter(isHeld).map(({ item }) => item.key)
    return keys.flatMap((key) => this.takeBack(key) ?? [])
  }

  /** The pictures of a message this page sent. */
  imagesOf(key: string): ReadonlyArray<OutgoingImage> {
    return this.messages.get(key)?.images ?? []
  }

  private show(runId: string, key: string, at: number, message: Outgoing, delivery?: "sending" | "held"): void {
    const { conversation } = this
    this.messages.set(key, message)
    const others = conversation.timeline.filter(({ item }) => item.key !== key)
    const shown = outgoingEntry(runId, key, at, message, delivery)
    const behind = delivery === "held" ? others.length : others.length - others.filter(isHeld).length
    conversation.timeline = others.toSpliced(behind, 0, shown)
  }

  /** A message whose turn was heard of is delivered, whatever a late answer says: it is `sent` and stays so. */
  private fail(key: string, sentence: string): void {
    const { conversation } = this
    const pending = (delivery: string) => delivery === "sending" || delivery === "queued"
    conversation.timeline = withDelivery(
      conversation.timeline,
      (item) => item.key === key && pending(item.delivery),
      "failed",
      sentence
    )
    conversation.publish()
  }

  private async deliver(key: string, runId: string, message: Outgoing, steer = false): Promise<void> {
    const { conversation } = this
    if (this.link.hello.get() === null) return this.fail(key, NOT_CONNECTED)
    if (!conversation.isRunning) conversation.setActivity("THINKING")
    conversation.publish()
    const attachments = message.images.map((image) => ({ type: "image", ...image }))
    const params = {
      sessionKey: conversation.state.get().sessionKey,
      message: message.text,
      idempotencyKey: runId,
      ...(steer ? { queueMode: "steer" } : {}),
      ...(attachments.length > 0 ? { attachments } : {})
    }
    try {
      const answer = fieldsOf(await this.link.request("chat.send", params, { timeoutMs: SEND_LIMIT }))
      this.accepted(runId, textOf(answer.status))
    } catch (reason) {
      const kind = reason instanceof GatewayCallError ? reason.kind : "refused"
      message.unsure = kind === "disconnected" || kind === "timeout"
      message.refused = kind === "refused"
      if (!conversation.isRunning) conversation.setActivity("IDLE")
      if (!message.unsure) return this.fail(key, failureSentence(reason))
      if (kind === "timeout") void this.read(true)
    }
    conversation.publish()
  }

  /** The gateway took the message: it starts a turn, or waits behind the one that runs. */
  private accepted(runId: string, answer: string | null): void {
    const { conversation } = this
    const { turns } = conversation
    if (turns.isOver(runId)) return
    const others = [...turns.active].some((id) => id !== runId)
    if (answer === "ok") void this.read(false)
    else if (!others) conversation.turnOf(runId)
    conversation.timeline = withDelivery(
      conversation.timeline,
      (item, entry) => entry.runId === runId && item.delivery === "sending",
      others ? "queued" : "sent"
    )
  }

  retry(key: string): void {
    const message = this.messages.get(key)
    const entry = this.conversation.timeline.find(({ item }) => item.key === key)
    if (message === undefined || entry?.item.kind !== "user" || entry.item.delivery !== "failed") return
    // The gateway remembers its answers by key: one that was refused or cancelled needs another key, one of
    // unknown fate keeps its own, so that it cannot run twice.
    const { runId } = entry
    const isSpent = message.refused || runId === null || this.conversation.turns.isOver(runId)
    const next = isSpent ? this.env.uuid() : runId
    message.refused = false
    message.unsure = false
    this.show(next, key, entry.item.at ?? this.env.now(), message)
    void this.deliver(key, next, message)
  }

  takeBack(key: string): TakenBack | null {
    const { conversation } = this
    const entry = conversation.timeline.find(({ item }) => item.key === key)
    if (entry?.item.kind !== "user" || !["failed", "held"].includes(entry.item.delivery)) return null
    const images = this.messages.get(key)?.images ?? []
    this.messages.delete(key)
    conversation.timeline = conversation.timeline.filter((other) => other !== entry)
    conversation.publish()
    return { text: entry.item.text, images }
  }

  /** Shows a message that waits at the gateway, sent before this page was loaded. */
  adoptQueued(runId: string, text: string, at: number): void {
    const { conversation } = this
    const key = `u:${runId}`
    this.show(runId, key, at, { text, images: [], unsure: false, refused: false })
    conversation.turns.close(runId)
    conversation.timeline = withDelivery(conversation.timeline, (item) => item.key === key, "queued")
  }

  /** After the whole history was read: it decides about messages whose sending broke off. */
  confirm(): void {
    const { conversation } = this
    for (const [key, message] of this.messages) {
      const entry = conversation.timeline.find(({ item }) => item.key === key)
      const isStored = entry === undefined || entry.source !== null
      if (message.unsure && !isStored) this.fail(key, NOT_CONFIRMED)
      message.unsure = false
      if (isStored && message.images.length === 0) this.messages.delete(key)
    }
  }

  /** The link is not coming back by itself. */
  failAll(): void {
    for (const key of this.messages.keys()) this.fail(key, NOT_CONFIRMED)
  }
}
