import { component$, type QRL } from "@builder.io/qwik"
import type { OutgoingImage } from "../../../src/services/conversations/turn/outgoing.ts"
import { useReadable } from "../base/useReadable.ts"
import { type Upload, uploads } from "../core/composer/draftFiles.ts"
import type { MessageFile } from "../core/composer/messageFiles.ts"
import { cancelUpload, retryUpload } from "../core/composer/sendFile.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"

interface AttachedToDraftProps {
  readonly sessionKey: string
  readonly images: ReadonlyArray<OutgoingImage>
  readonly files: ReadonlyArray<MessageFile>
  readonly onDetach$: QRL<(what: "images" | "files", index: number) => void>
}

const nameOf = (file: MessageFile): string => (file.kind === "text" ? file.name : (file.path.split("/").at(-1) ?? ""))

/** A file on its way, or one that didn't arrive. */
const OnItsWay = component$<{ readonly upload: Upload }>((props) => {
  const { error, id, name, progress, size } = props.upload
  return (
    <li class={["row gap-2 small composer-file", error !== null && "is-failed"]}>
      <Icon name={error === null ? "hourglass" : "triangle-alert"} />
      <span class="stack can-shrink">
        <span class="can-shrink truncate composer-file-name">{name}</span>
        {error === null ? (
          <progress
            class="composer-file-progress"
            max={1}
            value={progress}
            aria-label={say("Sending {name}", { name })}
          />
        ) : (
          <span class="soft tiny break-words composer-file-note" role="alert">
            {error}
          </span>
        )}
      </span>
      {error === null && <span class="soft tiny break-words composer-file-note">{size}</span>}
      {error !== null && (
        <IconButton
          icon="rotate-ccw"
          label={say("Send {name} again", { name })}
          title={say("Try again")}
          onClick$={() => retryUpload(id)}
        />
      )}
      <IconButton
        icon="x"
        label={error === null ? say("Cancel {name}", { name }) : say("Remove {name}", { name })}
        onClick$={() => cancelUpload(id)}
      />
    </li>
  )
})

/** Pictures and files that come with the message being written, and those on their way. */
export const AttachedToDraft = component$<AttachedToDraftProps>((props) => {
  const all = useReadable(uploads)
  const ofSession = all.value.filter(({ sessionKey }) => sessionKey === props.sessionKey)
  if (props.images.length + props.files.length + ofSession.length === 0) return null
  return (
    <ul class="plain-list composer-attached" aria-label={say("Attached files")}>
      {props.images.map((image, index) => (
        <li key={`image-${index}-${image.fileName}`} class="row composer-picture">
          <img src={`data:${image.mimeType};base64,${image.content}`} alt={image.fileName} width={64} height={64} />
          <IconButton
            icon="x"
            label={say("Remove {name}", { name: image.fileName })}
            onClick$={() => props.onDetach$("images", index)}
          />
        </li>
      ))}
      {props.files.map((file, index) => (
        <li key={`file-${index}-${nameOf(file)}`} class="row gap-2 small composer-file">
          <Icon name={file.kind === "text" ? "file" : "paperclip"} />
          <span class="can-shrink truncate composer-file-name">{nameOf(file)}</span>
          <span class="soft tiny break-words composer-file-note">{file.size}</span>
          <IconButton
            icon="x"
            label={say("Remove {name}", { name: nameOf(file) })}
            onClick$={() => props.onDetach$("files", index)}
          />
        </li>
      ))}
      {ofSession.map((upload) => (
        <OnItsWay key={`upload-${upload.id}`} upload={upload} />
      ))}
    </ul>
  )
})
