import type { AppServices } from "../base/AppContext.ts"
import { COMPOSE_EVENT, composed } from "../base/compose.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { ActionResult } from "../core/common/readable.ts"
import {
  composedText,
  listStep,
  nowMode,
  type SendStep,
  sendStep,
  startsCommand
} from "../core/composer/composerRules.ts"
import { draftImages } from "../core/composer/draftImages.ts"
import { applyChoice, modelChoices } from "../core/composer/modelChoice.ts"
import { createPromptHistory } from "../core/composer/PromptHistory.ts"
import type { Complete, Completion } from "../core/composer/slashCommands.ts"
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

export interface ComposerControl {
  dispose(): void
  /**
   * Sends the text; `steer` hands it to the running turn. While the agent is asking something, the text is the
   * answer, unless it is meant as a `message`.
   */
  send(steer?: boolean, message?: boolean): void
  /** Stops editing an earlier message. */
  cancelEdit(): void
  /** Reads pictures and attaches them. */
  attach(files: ReadonlyArray<File>): Promise<void>
  detach(index: number): void
  /** What the list of commands offers from now on. */
  offer(complete: Complete): void
  /** Accepts a line of the command list. */
  choose(text: string): void
}

/** The composer's text field and its keys. */
export function createComposerControl({ app, area, chat, sessionKey, stop, view }: ComposerOptions): ComposerControl {
  const history = createPromptHistory()
  const stops: Array<() => void> = []
  /** What the list of commands offers; null until it is loaded. */
  let complete: Complete | null = null
  let marked = 0
  let commandText: string | null = null
  let editing: string | null = null
  let isChoosing = false
  /** What was being written before an earlier message took its place. */
  let aside = ""
  let images = draftImages.get(sessionKey)

  function send(steer = false, message = false): void {
    const text = area.value
    const question = message ? null : asked(text)
    const isRunning = chat.state.get().running
    const step = sendStep({ text, isRunning, editing, isAsked: question !== null })
    if (step === "nothing") return
    if (step === "clear") {
      const clear = () => hand("message", text, steer, null)
      sessionRequest.set({ kind: "reset", key: sessionKey, clear })
    } else hand(step, text, steer, question)
  }

  /** Hands a text to where it belongs. */
  function hand(
    step: Exclude<SendStep, "nothing" | "clear">,
    text: string,
    steer: boolean,
    question: InboxItem | null
  ): void {
    if (step === "message" && modelChoices.get().has(sessionKey)) {
      void withChoice(() => hand(step, text, steer, question))
      return
    }
    const edited = editing
    // While the agent asks something, whatever is sent counts as the answer: what isn't meant as one waits.
    const now = steer && asks() === null
    if (step !== "message" || chat.send(text, images, now ? nowMode(app.client.linkOf(sessionKey)) : "next")) clear()
    if (step === "stop") {
      stop()
      return
    }
    if (step === "edit" && edited !== null) orGiveBack(chat.askAgain(edited, text), text)
    if (step === "answer" && question !== null) {
      const said = app.client.inbox.act((store) => store.say(question, text))
      orGiveBack(said, text)
    }
    area.focus()
  }

  /** Gives the session what was chosen for it before its first message goes, which stays here if that is refused. */
  async function withChoice(then: () => void): Promise<void> {
    if (isChoosing) return
    isChoosing = true
    const done = await applyChoice(app.client.sessions, sessionKey)
    isChoosing = false
    if (done.ok) then()
    else app.notices.show("error", done.message)
  }

  /** The question that a text would answer: commands and pictures go to the conversation. */
  function asked(text: string): InboxItem | null {
    if (text.trim() === "" || startsCommand(text) || images.length > 0) return null
    return asks()
  }

  /** The question that a message would answer. */
  const asks = (): InboxItem | null => app.client.inbox.asked.get().get(sessionKey)?.item ?? null

  /** Puts a rejected text back, below what has been typed since. */
  const orGiveBack = (action: Promise<ActionResult>, text: string) =>
    void action.then((done) => {
      if (done.ok) return
      app.notices.show("error", done.message)
      write(composedText(area.value, text, null))
    })

  function cancelEdit(): void {
    stopEditing()
    area.focus()
  }

  async function attach(files: ReadonlyArray<File>): Promise<void> {
    view.reading(true)
    const maxPayload = app.client.linkOf(sessionKey).hello.get()?.maxPayload ?? 26_214_400
    try {
      const { readImages } = await import("./readImages.ts")
      const result = await readImages(files, images, maxPayload)
      setImages([...images, ...result.images])
      if (result.problem !== null) app.notices.show("error", result.problem)
    } catch {
      app.notices.show("error", "Couldn't read the pictures. Check the connection and try again.")
    }
    view.reading(false)
  }

  /** The lines for what stands in the field at this very moment: keys may be faster than the list is drawn. */
  const lines = (): ReadonlyArray<Completion> =>
    commandText === null || complete === null ? [] : complete(commandText)

  /** Tells assistive technology which line of the list is highlighted. */
  function markOption(): void {
    const count = lines().length
    if (count === 0) area.removeAttribute("aria-activedescendant")
    else area.setAttribute("aria-activedescendant", `command-${marked % count}`)
  }

  function choose(text: string): void {
    write(text)
    // What is complete is sent by the next Enter, though more lines may begin with it.
    if (!text.endsWith(" ")) showCommand(null)
    area.focus()
  }

  function clear(): void {
    setImages([])
    stopEditing()
  }

  /** Empties the field, or puts back what was being written before an earlier message was edited. */
  function stopEditing(): void {
    setEditing(null)
    write(aside)
    aside = ""
  }

  function setImages(next: ReadonlyArray<OutgoingImage>): void {
    images = next
    draftImages.set(sessionKey, next)
    view.images(next)
  }

  function setEditing(key: string | null): void {
    editing = key
    view.editing(key)
  }

  function show(text: string): void {
    area.value = text
    view.empty(text.trim() === "")
    growWithText(area)
  }

  function write(text: string): void {
    app.client.drafts.set(sessionKey, text)
    show(text)
    marked = 0
    showCommand(area.matches(":focus") && startsCommand(text) && !history.shows(text) ? text : null)
  }

  function showCommand(text: string | null): void {
    commandText = text
    markOption()
    view.command(text === null ? null : { text, marked })
  }

  function onCompose(event: Event): void {
    const message = composed(event)
    if (message === null) return
    const key = message.editKey ?? null
    if (key !== null && editing === null) aside = area.value
    const written = key === null ? composedText(aside, area.value, null) : area.value
    if (key === null) aside = ""
    setEditing(key)
    write(composedText(written, plainWords(message.text), key))
    if (message.images.length > 0) setImages([...images, ...message.images])
    area.focus()
  }

  function onKey(event: KeyboardEvent): void {
    const { sendKey } = app.client.settings.state.get()
    if (onListKey(event)) return
    if (event.key === "Escape" && editing !== null) {
      event.preventDefault()
      cancelEdit()
    } else if (walksHistory(event) && (area.value === "" || history.shows(area.value))) {
      const up = event.key === "ArrowUp"
      const text = up ? history.older(chat.state.get().items, area.value) : history.newer(area.value)
      if (text === null) return
      event.preventDefault()
      write(text)
    } else if (steersMessage(event, sendKey) || sendsMessage(event, sendKey)) {
      event.preventDefault()
      send(steersMessage(event, sendKey) && chat.state.get().running)
    }
  }

  /** Whether a key was meant for the list of commands. */
  function onListKey(event: KeyboardEvent): boolean {
    const offered = lines()
    const step = listStep(event, marked, offered.length)
    if (step === null) return false
    if (step.kind === "mark") {
      marked = step.marked
      showCommand(commandText)
    } else if (step.kind === "choose") {
      const chosen = offered[step.index]
      if (chosen !== undefined) choose(chosen.text)
    } else showCommand(null)
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  function listen<K extends keyof GlobalEventHandlersEventMap>(
    target: GlobalEventHandlers & EventTarget,
    type: K,
    listener: (event: GlobalEventHandlersEventMap[K]) => void
  ): void {
    target.addEventListener(type, listener)
    stops.push(() => target.removeEventListener(type, listener))
  }

  view.images(images)
  listen(area, "input", () => write(area.value))
  listen(area, "keydown", (event) => onKey(event))
  listen(area, "blur", () => showCommand(null))
  listen(area, "paste", (event) => {
    const files = filesIn(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    void attach(files)
  })
  listen(document, "dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
  })
  listen(document, "drop", (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return
    event.preventDefault()
    void attach(filesIn(event.dataTransfer))
  })
  window.addEventListener(COMPOSE_EVENT, onCompose)
  stops.push(() => window.removeEventListener(COMPOSE_EVENT, onCompose))
  show(app.client.drafts.get(sessionKey))
  if (window.matchMedia("(pointer: fine)").matches) area.focus()

  return {
    dispose: () => {
      for (const stop of stops) stop()
    },
    send,
    cancelEdit,
    attach,
    detach: (index) => setImages(images.filter((_, at) => at !== index)),
    offer: (known) => {
      complete = known
      markOption()
    },
    choose
  }
}
