import type { AppServices } from "../base/AppContext.ts"
import { COMPOSE_EVENT, composed } from "../base/compose.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { ActionResult } from "../core/common/readable.ts"
import { composedText, listStep, nowMode, type SendStep, sendStep } from "../core/composer/composerRules.ts"
import { draftImages } from "../core/composer/draftImages.ts"
import { PromptHistory } from "../core/composer/PromptHistory.ts"
import { type ArgumentValues, type Completion, completions, startsCommand } from "../core/composer/slashCommands.ts"
import type { ChatStore, OutgoingImage } from "../core/conversation/chatTypes.ts"
import type { InboxItem } from "../core/inbox/inboxTypes.ts"
import { plainWords } from "../core/voice/spokenText.ts"
import { growWithText } from "../ui/growWithText.ts"
import { sendsMessage, steersMessage, walksHistory } from "./composerKeys.ts"

/** What the composer shows besides its text. */
export interface ComposerView {
  readonly empty: (empty: boolean) => void
  readonly images: (images: ReadonlyArray<OutgoingImage>) => void
  /** The command being typed, and which line of its list is highlighted; null for none. */
  readonly command: (command: { readonly text: string; readonly marked: number } | null) => void
  /** Pictures are being read. */
  readonly reading: (reading: boolean) => void
  /** The message being edited; null for none. */
  readonly editing: (key: string | null) => void
}

interface ComposerOptions {
  readonly app: AppServices
  readonly chat: ChatStore
  readonly sessionKey: string
  readonly area: HTMLTextAreaElement
  readonly view: ComposerView
  readonly stop: () => void
}

/** Files that were pasted or dropped. */
const filesIn = (data: DataTransfer | null): ReadonlyArray<File> => [...(data?.files ?? [])]

/** The composer's text field and its keys. */
export class ComposerControl {
  private readonly options: ComposerOptions
  private readonly history = new PromptHistory()
  private readonly stops: Array<() => void> = []
  private images: ReadonlyArray<OutgoingImage>
  /** What the list of commands knows of their arguments; null until it is loaded. */
  private values: ArgumentValues | null = null
  private marked = 0
  private commandText: string | null = null
  private editing: string | null = null
  /** What was being written before an earlier message took its place. */
  private aside = ""

  constructor(options: ComposerOptions) {
    this.options = options
    const { area, app, sessionKey } = options
    this.images = draftImages.get(sessionKey)
    options.view.images(this.images)
    this.listen(area, "input", () => this.write(area.value))
    this.listen(area, "keydown", (event) => this.onKey(event))
    this.listen(area, "blur", () => this.showCommand(null))
    this.listen(area, "paste", (event) => {
      const files = filesIn(event.clipboardData)
      if (files.length === 0) return
      event.preventDefault()
      void this.attach(files)
    })
    this.listen(document, "dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
    })
    this.listen(document, "drop", (event) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return
      event.preventDefault()
      void this.attach(filesIn(event.dataTransfer))
    })
    const onCompose = (event: Event) => this.onCompose(event)
    window.addEventListener(COMPOSE_EVENT, onCompose)
    this.stops.push(() => window.removeEventListener(COMPOSE_EVENT, onCompose))
    this.show(app.client.drafts.get(sessionKey))
    if (window.matchMedia("(pointer: fine)").matches) area.focus()
  }

  dispose(): void {
    for (const stop of this.stops) stop()
  }

  /**
   * Sends the text; `steer` hands it to the running turn. While the agent is asking something, the text is the
   * answer, unless it is meant as a `message`.
   */
  send(steer = false, message = false): void {
    const { area, chat } = this.options
    const text = area.value
    const { editing } = this
    const question = message ? null : this.asked(text)
    const isRunning = chat.state.get().running
    const step = sendStep({ text, isRunning, editing, isAsked: question !== null })
    if (step === "nothing") return
    if (step === "clear") {
      const clear = () => this.hand("message", text, steer, null)
      sessionRequest.set({ kind: "reset", key: this.options.sessionKey, clear })
    } else this.hand(step, text, steer, question)
  }

  /** Hands a text to where it belongs. */
  private hand(
    step: Exclude<SendStep, "nothing" | "clear">,
    text: string,
    steer: boolean,
    question: InboxItem | null
  ): void {
    const { area, chat, app, stop } = this.options
    const { editing } = this
    // While the agent asks something, whatever is sent counts as the answer: what isn't meant as one waits.
    const now = steer && this.asks() === null
    if (step !== "message" || chat.send(text, this.images, now ? nowMode(app.client.link) : "next")) this.clear()
    if (step === "stop") {
      stop()
      return
    }
    if (step === "edit" && editing !== null) this.orGiveBack(chat.askAgain(editing, text), text)
    if (step === "answer" && question !== null) {
      const said = app.client.inbox.act((store) => store.say(question, text))
      this.orGiveBack(said, text)
    }
    area.focus()
  }

  /** The question that a text would answer: commands and pictures go to the conversation. */
  private asked(text: string): InboxItem | null {
    if (text.trim() === "" || startsCommand(text) || this.images.length > 0) return null
    return this.asks()
  }

  /** The question that a message would answer. */
  private asks(): InboxItem | null {
    return this.options.app.client.inbox.asked.get().get(this.options.sessionKey)?.item ?? null
  }

  /** Puts a rejected text back, below what has been typed since. */
  private orGiveBack(action: Promise<ActionResult>, text: string): void {
    const { app, area } = this.options
    void action.then((done) => {
      if (done.ok) return
      app.notices.show("error", done.message)
      this.write(composedText(area.value, text, null))
    })
  }

  /** Stops editing an earlier message. */
  cancelEdit(): void {
    this.stopEditing()
    this.options.area.focus()
  }

  /** Reads pictures and attaches them. */
  async attach(files: ReadonlyArray<File>): Promise<void> {
    const { app, view } = this.options
    view.reading(true)
    const maxPayload = app.client.link.hello.get()?.maxPayload ?? 26_214_400
    try {
      const { readImages } = await import("./readImages.ts")
      const result = await readImages(files, this.images, maxPayload)
      this.setImages([...this.images, ...result.images])
      if (result.problem !== null) app.notices.show("error", result.problem)
    } catch {
      app.notices.show("error", "Couldn't read the pictures. Check the connection and try again.")
    }
    view.reading(false)
  }

  detach(index: number): void {
    this.setImages(this.images.filter((_, at) => at !== index))
  }

  /** What the list of commands offers from now on. */
  offer(values: ArgumentValues): void {
    this.values = values
    this.markOption()
  }

  /** The lines for what stands in the field at this very moment: keys may be faster than the list is drawn. */
  private lines(): ReadonlyArray<Completion> {
    return this.commandText === null || this.values === null ? [] : completions(this.commandText, this.values)
  }

  /** Tells assistive technology which line of the list is highlighted. */
  private markOption(): void {
    const { area } = this.options
    const count = this.lines().length
    if (count === 0) area.removeAttribute("aria-activedescendant")
    else area.setAttribute("aria-activedescendant", `command-${this.marked % count}`)
  }

  /** Accepts a line of the command list. */
  choose(text: string): void {
    this.write(text)
    // What is complete is sent by the next Enter, though more lines may begin with it.
    if (!text.endsWith(" ")) this.showCommand(null)
    this.options.area.focus()
  }

  private clear(): void {
    this.setImages([])
    this.stopEditing()
  }

  /** Empties the field, or puts back what was being written before an earlier message was edited. */
  private stopEditing(): void {
    this.setEditing(null)
    this.write(this.aside)
    this.aside = ""
  }

  private setImages(images: ReadonlyArray<OutgoingImage>): void {
    this.images = images
    draftImages.set(this.options.sessionKey, images)
    this.options.view.images(images)
  }

  private setEditing(key: string | null): void {
    this.editing = key
    this.options.view.editing(key)
  }

  private show(text: string): void {
    const { area, view } = this.options
    area.value = text
    view.empty(text.trim() === "")
    growWithText(area)
  }

  private write(text: string): void {
    const { app, sessionKey, area } = this.options
    app.client.drafts.set(sessionKey, text)
    this.show(text)
    this.marked = 0
    this.showCommand(area.matches(":focus") && startsCommand(text) && !this.history.shows(text) ? text : null)
  }

  private showCommand(text: string | null): void {
    this.commandText = text
    this.markOption()
    this.options.view.command(text === null ? null : { text, marked: this.marked })
  }

  private onCompose(event: Event): void {
    const message = composed(event)
    if (message === null) return
    const { area } = this.options
    const editing = message.editKey ?? null
    if (editing !== null && this.editing === null) this.aside = area.value
    const written = editing === null ? composedText(this.aside, area.value, null) : area.value
    if (editing === null) this.aside = ""
    this.setEditing(editing)
    this.write(composedText(written, plainWords(message.text), editing))
    if (message.images.length > 0) this.setImages([...this.images, ...message.images])
    area.focus()
  }

  private onKey(event: KeyboardEvent): void {
    const { area, app, chat } = this.options
    const { sendKey } = app.client.settings.state.get()
    if (this.onListKey(event)) return
    if (event.key === "Escape" && this.editing !== null) {
      event.preventDefault()
      this.cancelEdit()
    } else if (walksHistory(event) && (area.value === "" || this.history.shows(area.value))) {
      const up = event.key === "ArrowUp"
      const text = up ? this.history.older(chat.state.get().items, area.value) : this.history.newer(area.value)
      if (text === null) return
      event.preventDefault()
      this.write(text)
    } else if (steersMessage(event, sendKey) || sendsMessage(event, sendKey)) {
      event.preventDefault()
      this.send(steersMessage(event, sendKey) && chat.state.get().running)
    }
  }

  /** Whether a key was meant for the list of commands. */
  private onListKey(event: KeyboardEvent): boolean {
    const lines = this.lines()
    const step = listStep(event, this.marked, lines.length)
    if (step === null) return false
    if (step.kind === "mark") {
      this.marked = step.marked
      this.showCommand(this.commandText)
    } else if (step.kind === "choose") {
      const chosen = lines[step.index]
      if (chosen !== undefined) this.choose(chosen.text)
    } else this.showCommand(null)
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  private listen<K extends keyof GlobalEventHandlersEventMap>(
    target: GlobalEventHandlers & EventTarget,
    type: K,
    listener: (event: GlobalEventHandlersEventMap[K]) => void
  ): void {
    target.addEventListener(type, listener)
    this.stops.push(() => target.removeEventListener(type, listener))
  }
}
