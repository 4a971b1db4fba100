import { plainWords } from "../../../src/contract/spokenMessage.ts"
import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import type { AppServices } from "../base/AppContext.ts"
import { COMPOSE_EVENT, composed } from "../base/compose.ts"
import { putBack } from "../base/putBack.ts"
import { sessionRequest } from "../base/sessionRequest.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import {
  composedText,
  listStep,
  nowMode,
  type SendStep,
  sendStep,
  startsCommand,
  type TooLong,
  tooLong
} from "../core/composer/composerRules.ts"
import { mentionAt } from "../core/composer/mentions.ts"
import { joinMessage, type MessageFile, splitMessage } from "../core/composer/messageFiles.ts"
import { createPromptHistory } from "../core/composer/PromptHistory.ts"
import type { Complete, Completion } from "../core/composer/slashCommands.ts"
import type { ChatStore } from "../core/conversation/chatTypes.ts"
import { growWithText } from "../ui/growWithText.ts"
import { type Busy, type ComposerFiles, createComposerFiles } from "./ComposerFiles.ts"
import { type ComposerPaste, createComposerPaste } from "./ComposerPaste.ts"
import { DRAFT_EVENT, type LongPaste } from "./chatRequest.ts"
import { sendsMessage, steersMessage, walksHistory } from "./composerKeys.ts"

/** What the composer shows besides its text. */
interface ComposerView {
  readonly empty: (empty: boolean) => void
  readonly images: (images: ReadonlyArray<OutgoingImage>) => void
  /** Files that come with the message. */
  readonly files: (files: ReadonlyArray<MessageFile>) => void
  /** The command or path being typed, and which line of its list is highlighted; null for none. */
  readonly typed: (typed: Typed | null) => void
  /** Why sending waits for files; null if it doesn't. */
  readonly busy: (busy: Busy | null) => void
  /** A long text was pasted that could be a file, or is one; null for none. */
  readonly longPaste: (paste: LongPaste | null) => void
  /** Why the content can't be sent; null if it can. */
  readonly tooLong: (note: TooLong | null) => void
  /** Files are being dragged over the page. */
  readonly dropping: (dropping: boolean) => void
  /** The message being edited; null for none. */
  readonly editing: (key: string | null) => void
}

/** What is being typed when a list helps with it. */
export interface Typed {
  readonly text: string
  readonly caret: number
  readonly marked: number
}

interface ComposerOptions {
  readonly app: AppServices
  readonly chat: ChatStore
  readonly sessionKey: string
  readonly area: HTMLTextAreaElement
  readonly view: ComposerView
  readonly stop: () => void
}

export interface ComposerControl {
  dispose(): void
  /** Sends the text; `steer` hands it to the running turn. */
  send(steer?: boolean): void
  /** Stops editing an earlier message. */
  cancelEdit(): void
  readonly attach: ComposerFiles["attach"]
  readonly detach: ComposerFiles["detach"]
  /** Makes a file of the long text that was pasted, or a text of that file; null leaves it as it is. */
  readonly becomes: ComposerPaste["become"]
  /** Makes a file of all words. */
  readonly wordsAsFile: ComposerPaste["wordsAsFile"]
  /** What the list of commands and files offers from now on. */
  offer(complete: Complete): void
  /** Accepts a line of the list. */
  choose(completion: Completion): void
}

/** The composer's text field and its keys. */
export function createComposerControl({ app, area, chat, sessionKey, stop, view }: ComposerOptions): ComposerControl {
  const history = createPromptHistory()
  const stops: Array<() => void> = []
  /** What the list of commands offers; null until it is loaded. */
  let complete: Complete | null = null
  let marked = 0
  let typed: Omit<Typed, "marked"> | null = null
  let editing: string | null = null
  /** What was being written before an earlier message took its place. */
  let aside = ""
  const attached = createComposerFiles({ app, sessionKey, view, changed: () => write(area.value, area.selectionEnd) })
  const paste = createComposerPaste({ area, attached, write: (...text) => write(...text), show: view.longPaste })

  /** The message in the field. */
  const whole = (words = area.value): string => joinMessage({ words, files: attached.files() })

  function send(steer = false): void {
    if (attached.busy() !== null) return
    const text = whole()
    const isRunning = chat.state.get().running
    const step = sendStep({ text, isRunning, editing })
    if (step === "nothing") return
    // The note above the field says so.
    if (tooLong(text) !== null) return
    if (step === "clear") {
      const clear = () => hand("message", text, steer)
      sessionRequest.set({ kind: "reset", key: sessionKey, clear })
    } else hand(step, text, steer)
  }

  /** Hands a text to where it belongs. */
  function hand(step: Exclude<SendStep, "nothing" | "clear">, text: string, steer: boolean): void {
    const edited = editing
    // The gateway would take it as the answer to what the agent asks.
    const now = steer && !isAsked()
    if (step !== "message" || chat.send(text, attached.images(), now ? nowMode(app.client.linkOf(sessionKey)) : "next"))
      clear()
    if (step === "stop") {
      stop()
      return
    }
    if (step === "edit" && edited !== null) orGiveBack(chat.askAgain(edited, text), text)
    area.focus()
  }

  /** Whether the agent is asking something. */
  const isAsked = (): boolean => app.client.inbox.asked.get().has(sessionKey)

  /** Puts a rejected message back, below what has been typed since, wherever that is by then. */
  const orGiveBack = (action: Promise<ActionResult>, text: string) =>
    void action.then((done) => {
      if (done.ok) return
      app.notices.show("error", done.message)
      putBack(app, sessionKey, { text, images: [], keepsFocus: true })
    })

  function cancelEdit(): void {
    stopEditing()
    area.focus()
  }

  /** The completions of the field's current text: keys may be faster than the list is drawn. */
  const lines = (): ReadonlyArray<Completion> =>
    typed === null || complete === null ? [] : complete(typed.text, typed.caret)

  /** Tells assistive technology which line of the list is highlighted. */
  function markOption(): void {
    const count = lines().length
    if (count === 0) area.removeAttribute("aria-activedescendant")
    else area.setAttribute("aria-activedescendant", `command-${marked % count}`)
  }

  function choose({ caret, text }: Completion): void {
    write(text, caret)
    // What is complete is sent by the next Enter, though more lines may begin with it.
    if (caret === undefined && !text.endsWith(" ")) showList(null)
    area.focus()
  }

  function clear(): void {
    attached.setImages([])
    attached.setFiles([])
    stopEditing()
  }

  /** Empties the field, or puts back what was being written before an earlier message was edited. */
  function stopEditing(): void {
    setEditing(null)
    writeMessage(aside)
    aside = ""
  }

  /** Replaces words and files. */
  function writeMessage(text: string): void {
    const parts = splitMessage(text)
    attached.setFiles(parts.files)
    write(parts.words)
  }

  /** Appends a message to the content. */
  function add(text: string): void {
    const parts = splitMessage(text)
    attached.setFiles([...attached.files(), ...parts.files])
    write(composedText(area.value, parts.words, null))
  }

  function setEditing(key: string | null): void {
    editing = key
    view.editing(key)
  }

  function write(text: string, caret = text.length): void {
    const message = whole(text)
    app.client.drafts.set(sessionKey, message)
    view.tooLong(tooLong(message))
    if (area.value !== text) {
      area.value = text
      area.setSelectionRange(caret, caret)
    }
    view.empty(text.trim() === "")
    growWithText(area)
    marked = 0
    const helps = startsCommand(text) || mentionAt(text, caret) !== null
    showList(area.matches(":focus") && helps && !history.shows(text) ? { text, caret } : null)
    paste.changed(text)
  }

  function showList(next: Omit<Typed, "marked"> | null): void {
    typed = next
    markOption()
    view.typed(next === null ? null : { ...next, marked })
  }

  function onCompose(event: Event): void {
    const message = composed(event)
    if (message === null || (message.sessionKey ?? sessionKey) !== sessionKey) return
    event.preventDefault()
    const key = message.editKey ?? null
    if (key !== null && editing === null) aside = whole()
    if (key === null && aside !== "") {
      const before = whole()
      writeMessage(aside)
      add(before)
      aside = ""
    }
    setEditing(key)
    if (key === null) add(plainWords(message.text))
    else writeMessage(plainWords(message.text))
    if (message.images.length > 0) attached.setImages([...attached.images(), ...message.images])
    if (message.keepsFocus !== true) area.focus()
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
      showList(typed)
    } else if (step.kind === "choose") {
      const chosen = offered[step.index]
      if (chosen !== undefined) choose(chosen)
    } else showList(null)
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

  listen(area, "input", () => write(area.value, area.selectionEnd))
  listen(area, "keydown", (event) => onKey(event))
  listen(area, "blur", () => showList(null))
  listen(document, "selectionchange", () => {
    // Without the caret there, the list would complete something else.
    if (typed !== null && area.matches(":focus") && area.selectionEnd !== typed.caret) showList(null)
  })
  listen(area, "paste", paste.onPaste)
  const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") === true
  listen(document, "dragover", (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    view.dropping(true)
  })
  listen(document, "dragleave", (event) => {
    if (event.relatedTarget === null) view.dropping(false)
  })
  listen(document, "drop", (event) => {
    view.dropping(false)
    if (!hasFiles(event)) return
    event.preventDefault()
    void attached.attach([...(event.dataTransfer?.files ?? [])])
  })
  const onDraft = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === "string") writeMessage(event.detail)
  }
  area.addEventListener(DRAFT_EVENT, onDraft)
  stops.push(() => area.removeEventListener(DRAFT_EVENT, onDraft), attached.dispose)
  window.addEventListener(COMPOSE_EVENT, onCompose)
  stops.push(() => window.removeEventListener(COMPOSE_EVENT, onCompose))
  writeMessage(app.client.drafts.get(sessionKey))
  view.busy(attached.busy())
  if (window.matchMedia("(pointer: fine)").matches) area.focus()

  return {
    dispose: () => {
      for (const stop of stops) stop()
    },
    send,
    cancelEdit,
    attach: attached.attach,
    detach: attached.detach,
    becomes: paste.become,
    wordsAsFile: paste.wordsAsFile,
    offer: (known) => {
      complete = known
      markOption()
    },
    choose
  }
}
