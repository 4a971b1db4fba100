import { composedText } from "../core/composer/composerRules.ts"
import { pastedFiles } from "../core/composer/pastedFiles.ts"
import type { AttachedNow, ComposerFiles } from "./ComposerFiles.ts"
import type { LongPaste } from "./chatRequest.ts"

/** Characters of a pasted text from which on it's offered to become a file. */
const OFFERED = 8 * 1024
/** Bytes of a pasted text from which on it becomes one. */
const FILED_BYTES = 20_000
const NAME = "pasted text.txt"

interface ComposerPasteOptions {
  readonly area: HTMLTextAreaElement
  readonly attached: Pick<ComposerFiles, "attach" | "holds" | "drop">
  /** Replaces the words. */
  readonly write: (text: string, caret?: number) => void
  readonly show: (paste: LongPaste | null) => void
}

/** What comes into the composer from the clipboard. */
export interface ComposerPaste {
  onPaste(event: ClipboardEvent): void
  /** The words or files of the message are others now. */
  changed(text: string): void
  /** Makes a file of the long text, or a text of the file; null leaves it as it is. */
  become(what: LongPaste | null): void
  /** Makes a file of all words. */
  wordsAsFile(): void
}

/** The text as a text field has it. */
const inField = (text: string): string => text.replace(/\r\n?/g, "\n")

export function createComposerPaste({ area, attached, show, write }: ComposerPasteOptions): ComposerPaste {
  /** A long text in the field, as it was pasted. */
  let offered: string | null = null
  /** One that became a file, and the words before it. */
  let filed: { readonly text: string; readonly before: string; readonly as: AttachedNow } | null = null

  /** Attaches a text as a file; a text that can't be one goes back to where it was. */
  async function attach(text: string, before: string, name = NAME): Promise<AttachedNow | null> {
    const as = await attached.attach([new File([text], name, { type: "text/plain" })])
    if (as === null) putBack(text, before)
    return as
  }

  async function file(text: string, before: string): Promise<void> {
    const as = await attach(text, before)
    if (as === null) return
    offered = null
    filed = { text, before, as }
    show("file")
  }

  function putBack(text: string, before: string): void {
    const words = area.value
    const plain = inField(text)
    if (words.startsWith(before)) write(before + plain + words.slice(before.length), before.length + plain.length)
    else write(composedText(words, plain, null))
    area.focus()
  }

  function fileOffered(text: string): void {
    const plain = inField(text)
    const at = area.value.indexOf(plain)
    if (at < 0) return
    const before = area.value.slice(0, at)
    write((before + area.value.slice(at + plain.length)).trim())
    void attach(text, before)
    area.focus()
  }

  return {
    onPaste: (event) => {
      const data = event.clipboardData
      const text = data?.getData("text/plain") ?? ""
      const files = pastedFiles({ files: [...(data?.files ?? [])], text, html: data?.getData("text/html") ?? "" })
      if (files.length > 0) {
        event.preventDefault()
        void attached.attach(files)
      } else if (new Blob([text]).size > FILED_BYTES) {
        event.preventDefault()
        const { selectionEnd, selectionStart, value } = area
        const before = value.slice(0, selectionStart)
        write(before + value.slice(selectionEnd), selectionStart)
        void file(text, before)
      } else if (text.length > OFFERED) {
        // Once the field has it.
        setTimeout(() => {
          if (!area.value.includes(inField(text))) return
          filed = null
          offered = text
          show("text")
        })
      }
    },
    changed: (text) => {
      if (offered !== null && !text.includes(inField(offered))) offered = null
      if (filed !== null && !attached.holds(filed.as)) filed = null
      if (offered === null && filed === null) show(null)
    },
    become: (what) => {
      const [text, file] = [offered, filed]
      offered = null
      filed = null
      show(null)
      if (what === "file" && text !== null) fileOffered(text)
      if (what !== "text" || file === null) return
      attached.drop(file.as)
      putBack(file.text, file.before)
    },
    wordsAsFile: () => {
      const words = area.value
      const text = offered === null ? words : words.replace(inField(offered), () => offered ?? "")
      write("")
      void attach(text, "", "message.txt")
      area.focus()
    }
  }
}
