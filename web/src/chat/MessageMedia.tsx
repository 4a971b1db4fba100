import { component$, useSignal } from "@builder.io/qwik"
import type { ChatMedia } from "../core/text/mediaLines.ts"
import { Icon } from "../ui/Icon.tsx"
import "./messageMedia.css"
import { say } from "../core/language/say.ts"

/** A picture in a frame of fixed size, so that nothing moves when it loads; without one, its name and the reason. */
const Picture = component$<{ readonly picture: ChatMedia }>((props) => {
  const failed = useSignal<string | null>(null)
  const { name, pending, problem, src } = props.picture
  if (src !== null && failed.value !== src)
    return (
      <button type="button" class="media-frame" data-picture aria-label={say("Enlarge {name}", { name })}>
        <img
          src={src}
          alt={name}
          width={320}
          height={240}
          loading="lazy"
          decoding="async"
          onError$={() => {
            failed.value = src
          }}
        />
      </button>
    )
  return (
    <p class={["media-frame", pending === true && "is-pending"]}>
      <Icon name="file" />
      <span>{pending === true ? say("Picture") : name}</span>
      {pending !== true && <span class="media-why">{problem ?? say("Couldn't load this picture")}</span>}
    </p>
  )
})

const FileChip = component$<{ readonly file: ChatMedia }>((props) => {
  const { kind, name, pending, problem, src } = props.file
  const note = kind === "link" ? say("Link") : kind === "video" ? say("Play") : say("Save")
  if (src !== null) {
    const opens =
      kind !== "link" && kind !== "video"
        ? { download: name }
        : { target: "_blank", rel: "noopener noreferrer nofollow" }
    return (
      <a class="chip" href={src} {...opens}>
        <Icon name="paperclip" />
        <span>{name}</span>
        <span class="chip-label">{note}</span>
      </a>
    )
  }
  return (
    <span class="chip">
      <Icon name="paperclip" />
      <span>{name}</span>
      {(problem !== undefined || pending === true) && <span class="chip-label">{problem ?? say("loading…")}</span>}
    </span>
  )
})

const File = component$<{ readonly file: ChatMedia }>((props) => {
  const { kind, name, src } = props.file
  if (src === null || kind !== "audio") return <FileChip file={props.file} />
  return (
    <div class="media-audio">
      <span class="media-why">{name}</span>
      <audio controls preload="none" src={src} aria-label={name}>
        <track kind="captions" />
      </audio>
    </div>
  )
})

/** What was sent with a message: pictures, recordings, files. */
export const MessageMedia = component$<{ readonly media: ReadonlyArray<ChatMedia> }>((props) => (
  <ul class="plain-list media-list">
    {props.media.map((one, index) => (
      <li key={`media-${index}`}>{one.kind === undefined ? <Picture picture={one} /> : <File file={one} />}</li>
    ))}
  </ul>
))
