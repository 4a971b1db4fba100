import type { AppServices } from "../app/ConsoleContext.ts"
import type { ChatStore, OutgoingImage } from "../core/chatTypes.ts"
import { draftImages } from "../core/composer/draftImages.ts"
import { PromptHistory } from "../core/composer/PromptHistory.ts"
import { type Completion, startsCommand } from "../core/composer/slashCommands.ts"
import { plainWords } from "../core/voice/spokenText.ts"
import { COMPOSE_EVENT, composed } from "./compose.ts"
import { sendsMessage, steersMessage, walksHistory } from "./composerKeys.ts"
import { growWithText } from "./growWithText.ts"

/** What the composer shows besides its text. */
export interface ComposerView {
  readonly empty: (empty: boolean) => void
  readonly images: (images: ReadonlyArray<OutgoingImage>) => void
  /** The command being typed, and which line of its list is marked; null for none. */
  readonly command: (command: { readonly text: string; readonly marked: number } | null) => void
  /** Pictures are being read. */
  readonly reading: (reading: boolean) => void
  /** The message that is being written anew; null for none. */
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

/** Files of a paste or a drop. */
const filesIn = (data: DataTransfer | null): ReadonlyArray<File> => [...(data?.files ?? [])]

/** The text field of the composer and what its keys do. */
export class ComposerControl {
  private readonly options: ComposerOptions
  private readonly history = new PromptHistory()
  private readonly stops: Array<() => void> = []
  private images: ReadonlyArray<OutgoingImage>
  private completions: ReadonlyArray<Completion> = []
  private marked = 0
  private commandText: string | null = null
  private editing: string | null = null

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
    this.show(app.console.drafts.get(sessionKey))
    if (window.matchMedia("(pointer: fine)").matches) area.focus()
  }

  dispose(): void {
    for (const stop of this.stops) stop()
  }

  /** Sends what is written; `steer` hands it to the running answer. */
  send(steer = false): void {
    const { area, chat, app, stop } = this.options
    const text = area.value
    if (text.trim() === "/stop" && chat.state.get().running) {
      this.clear()
      stop()
      return
    }
    const { editing } = this
    if (editing !== null) {
      if (text.trim() === "") return
      this.clear()
      void chat.askAgain(editing, text).then((done) => {
        if (done.ok) return
        app.notices.show("error", done.message)
        if (area.value === "") this.write(text)
      })
    } else if (chat.send(text, this.images, steer)) this.clear()
    area.focus()
  }

  /** Ends the writing of an earlier message anew. */
  cancelEdit(): void {
    this.setEditing(null)
    this.write("")
    this.options.area.focus()
  }

  /** Reads pictures and puts them beside the text. */
  async attach(files: ReadonlyArray<File>): Promise<void> {
    const { app, view } = this.options
    view.reading(true)
    const maxPayload = app.console.link.hello.get()?.maxPayload ?? 26_214_400
    try {
      const { readImages } = await import("./readImages.ts")
      const result = await readImages(files, this.images, maxPayload)
      this.setImages([...this.images, ...result.images])
      if (result.problem !== null) app.notices.show("error", result.problem)
    } catch {
      app.notices.show("error", "The pictures could not be read. Reload the page and try again.")
    }
    view.reading(false)
  }

  detach(index: number): void {
    this.setImages(this.images.filter((_, at) => at !== index))
  }

  /** What the list of commands offers now. */
  offer(list: ReadonlyArray<Completion>): void {
    this.completions = this.commandText === null ? [] : list
    this.markOption()
  }

  /** Tells assistive technology which line of the list the keys are at. */
  private markOption(): void {
    const { area } = this.options
    const count = this.completions.length
    if (count === 0) area.removeAttribute("aria-activedescendant")
    else area.setAttribute("aria-activedescendant", `command-${this.marked % count}`)
  }

  /** Takes a line of the list of commands. */
  choose(text: string): void {
    // An Enter that follows at once sends: the old list is not asked again.
    this.completions = []
    this.write(text)
    this.options.area.focus()
  }

  private clear(): void {
    this.setImages([])
    this.setEditing(null)
    this.write("")
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
    app.console.drafts.set(sessionKey, text)
    this.show(text)
    this.marked = 0
    this.showCommand(area.matches(":focus") && startsCommand(text) && !this.history.shows(text) ? text : null)
  }

  private showCommand(text: string | null): void {
    this.commandText = text
    if (text === null) this.completions = []
    this.markOption()
    this.options.view.command(text === null ? null : { text, marked: this.marked })
  }

  private onCompose(event: Event): void {
    const message = composed(event)
    if (message === null) return
    const { area } = this.options
    const editing = message.editKey ?? null
    this.setEditing(editing)
    const words = plainWords(message.text)
    this.write(editing === null ? [area.value, words].filter((text) => text.trim() !== "").join("\n") : words)
    if (message.images.length > 0) this.setImages([...this.images, ...message.images])
    area.focus()
  }

  private onKey(event: KeyboardEvent): void {
    const { area, app, chat } = this.options
    const { sendKey } = app.console.settings.state.get()
    if (this.completions.length > 0 && this.onListKey(event)) return
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

  /** Keys of the list of commands: arrows walk it, Tab and Enter take a line, Escape closes it. */
  private onListKey(event: KeyboardEvent): boolean {
    const count = this.completions.length
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.marked = (this.marked + (event.key === "ArrowDown" ? 1 : count - 1)) % count
      this.showCommand(this.commandText)
    } else if (event.key === "Tab" || event.key === "Enter") {
      const chosen = this.completions[this.marked % count]
      if (chosen !== undefined) this.choose(chosen.text)
    } else if (event.key === "Escape") {
      this.showCommand(null)
    } else return false
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
