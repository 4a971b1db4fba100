import type { AppServices } from "../base/AppContext.ts"
import { draftImages } from "../core/composer/draftImages.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import { uploads } from "../core/composer/uploads.ts"
import type { OutgoingImage } from "../core/conversation/chatTypes.ts"
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

/** What comes with the message that is being written. */
export interface ComposerFiles {
  images(): ReadonlyArray<OutgoingImage>
  files(): ReadonlyArray<MessageFile>
  setImages(images: ReadonlyArray<OutgoingImage>): void
  /** Shows other files without telling of a change. */
  setFiles(files: ReadonlyArray<MessageFile>): void
  /** Null if nothing has to be waited for. */
  busy(): Busy | null
  /** Attaches files: as pictures, as texts, or on their way into the agent's workspace. */
  attach(picked: ReadonlyArray<File>): Promise<void>
  detach(what: "images" | "files", index: number): void
  dispose(): void
}

export function createComposerFiles({ app, changed, sessionKey, view }: ComposerFilesOptions): ComposerFiles {
  let images = draftImages.get(sessionKey)
  let files: ReadonlyArray<MessageFile> = []
  let isReading = false

  const ownUploads = () => uploads.get().filter((upload) => upload.sessionKey === sessionKey)
  const busy = (): Busy | null => {
    const own = ownUploads()
    if (isReading || own.some(({ error }) => error === null)) return "going"
    return own.length > 0 ? "failed" : null
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

  async function attach(picked: ReadonlyArray<File>): Promise<void> {
    setReading(true)
    const maxPayload = app.client.linkOf(sessionKey).hello.get()?.maxPayload ?? 26_214_400
    try {
      const { attachFiles } = await import("./followChat.ts")
      const found = await attachFiles(picked, { images, files }, sessionKey, maxPayload)
      setImages([...images, ...found.images])
      setFiles([...files, ...found.files])
      changed()
      if (found.problem !== null) app.notices.show("error", found.problem)
    } catch {
      app.notices.show("error", say("Couldn't read the files. Check the connection and try again."))
    }
    setReading(false)
  }

  /** Takes what has arrived in the agent's workspace into the message. */
  function onUploads(): void {
    const arrived = ownUploads().flatMap(({ done }) => done ?? [])
    if (arrived.length > 0) {
      setFiles([...files, ...arrived])
      changed()
      uploads.set(uploads.get().filter((upload) => upload.done === null || upload.sessionKey !== sessionKey))
    }
    view.busy(busy())
  }

  view.images(images)
  return {
    images: () => images,
    files: () => files,
    setImages,
    setFiles,
    busy,
    attach,
    detach: (what, index) => {
      if (what === "images") setImages(images.filter((_, at) => at !== index))
      else {
        setFiles(files.filter((_, at) => at !== index))
        changed()
      }
    },
    dispose: uploads.subscribe(onUploads)
  }
}
