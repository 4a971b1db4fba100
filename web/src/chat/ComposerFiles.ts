import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import type { AppServices } from "../base/AppContext.ts"
import { putBack } from "../base/putBack.ts"
import { draftImages, uploads } from "../core/composer/draftFiles.ts"
import { joinMessage, type MessageFile } from "../core/composer/messageFiles.ts"
import { cancelUpload } from "../core/composer/sendFile.ts"
import { say } from "../core/language/say.ts"

/** Why sending waits: files are being read or are on their way, or one of them didn't arrive. */
export type Busy = "going" | "failed"

interface ComposerFilesOptions {
  readonly app: AppServices
  readonly sessionKey: string
  readonly view: {
    readonly images: (images: ReadonlyArray<OutgoingImage>) => void
    readonly files: (files: ReadonlyArray<MessageFile>) => void
    readonly busy: (busy: Busy | null) => void
  }
  /** Files were attached or taken away: they are part of the draft. */
  readonly changed: () => void
}

/** What was attached at once: what is in the message, and what is on its way to the agent's workspace. */
export interface AttachedNow {
  readonly files: ReadonlyArray<MessageFile>
  readonly uploads: ReadonlyArray<number>
}

/** What comes with the message that is being written. */
export interface ComposerFiles {
  images(): ReadonlyArray<OutgoingImage>
  files(): ReadonlyArray<MessageFile>
  setImages(images: ReadonlyArray<OutgoingImage>): void
  /** Shows other files without telling of a change. */
  setFiles(files: ReadonlyArray<MessageFile>): void
  /** Null if nothing has to be waited for. */
  busy(): Busy | null
  /** Attaches files: as pictures, as texts, or on their way into the agent's workspace. Null if none could be attached. */
  attach(picked: ReadonlyArray<File>): Promise<AttachedNow | null>
  /** Whether something of it still comes with the message. */
  holds(attached: AttachedNow): boolean
  /** Takes it away. */
  drop(attached: AttachedNow): void
  detach(what: "images" | "files", index: number): void
  dispose(): void
}

export function createComposerFiles({ app, changed, sessionKey, view }: ComposerFilesOptions): ComposerFiles {
  let images = draftImages.get(sessionKey)
  let files: ReadonlyArray<MessageFile> = []
  let isReading = false
  let isDisposed = false
  /** The uploads that have arrived. */
  const arrivals = new Map<number, MessageFile>()

  const ownUploads = () => uploads.get().filter((upload) => upload.sessionKey === sessionKey)
  const busy = (): Busy | null => {
    const current = ownUploads()
    if (isReading || current.some(({ error }) => error === null)) return "going"
    return current.length > 0 ? "failed" : null
  }

  function setReading(reading: boolean): void {
    isReading = reading
    view.busy(busy())
  }

  function setImages(next: ReadonlyArray<OutgoingImage>): void {
    images = next
    draftImages.set(sessionKey, next)
    view.images(next)
  }

  function setFiles(next: ReadonlyArray<MessageFile>): void {
    files = next
    view.files(next)
  }

  async function attach(picked: ReadonlyArray<File>): Promise<AttachedNow | null> {
    setReading(true)
    const maxPayload = app.client.linkOf(sessionKey).hello.get()?.maxPayload ?? 26_214_400
    let attached: AttachedNow | null = null
    try {
      const { attachFiles } = await import("./attachFiles.ts")
      const found = await attachFiles(picked, { images, files }, sessionKey, maxPayload)
      if (isDisposed)
        putBack(app, sessionKey, { text: joinMessage({ words: "", files: found.files }), images: found.images })
      else {
        setImages([...images, ...found.images])
        setFiles([...files, ...found.files])
        changed()
      }
      if (found.problem !== null) app.notices.show("error", found.problem)
      if (found.images.length + found.files.length + found.uploads.length > 0) attached = found
    } catch {
      app.notices.show("error", say("Couldn't read the files. Check the connection and try again."))
    }
    setReading(false)
    return attached
  }

  const filesOf = (attached: AttachedNow): ReadonlyArray<MessageFile> => [
    ...attached.files,
    ...attached.uploads.flatMap((id) => arrivals.get(id) ?? [])
  ]

  /** Takes what has arrived in the agent's workspace into the message. */
  function onUploads(): void {
    const arrived = ownUploads().flatMap(({ done, id }) => (done === null ? [] : [[id, done] as const]))
    if (arrived.length > 0) {
      for (const [id, file] of arrived) arrivals.set(id, file)
      setFiles([...files, ...arrived.map(([, file]) => file)])
      changed()
      uploads.set(uploads.get().filter((upload) => upload.done === null || upload.sessionKey !== sessionKey))
    }
    view.busy(busy())
  }

  const leave = uploads.subscribe(onUploads)
  view.images(images)
  return {
    images: () => images,
    files: () => files,
    setImages,
    setFiles,
    busy,
    attach,
    holds: (attached) =>
      filesOf(attached).some((file) => files.includes(file)) ||
      ownUploads().some(({ id }) => attached.uploads.includes(id)),
    drop: (attached) => {
      for (const id of attached.uploads) cancelUpload(id)
      const dropped = filesOf(attached)
      setFiles(files.filter((file) => !dropped.includes(file)))
      changed()
    },
    detach: (what, index) => {
      if (what === "images") setImages(images.filter((_, at) => at !== index))
      else {
        setFiles(files.filter((_, at) => at !== index))
        changed()
      }
    },
    dispose: () => {
      isDisposed = true
      leave()
    }
  }
}
