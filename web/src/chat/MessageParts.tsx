import { component$, useContext, useSignal } from "@builder.io/qwik"
import type { TaskMarker } from "../../../src/contract/markers/taskMarker.ts"
import { useServices } from "../base/AppContext.ts"
import { ChatContext, NO_CHAT } from "../base/ChatContext.ts"
import { followPart } from "../base/followPart.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import type { ProposedCard } from "../core/board/proposals.ts"
import { below } from "../core/common/basePath.ts"
import { STATE_WORDS } from "../core/common/stateWords.ts"
import type { ChatMedia } from "../core/conversation/chatTypes.ts"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import { StateBadge } from "../ui/StateBadge.tsx"

/** A picture in a frame of fixed size, so that nothing moves when it loads; without one, its name and the reason. */
const Picture = component$<{ readonly picture: ChatMedia }>((props) => {
  const failed = useSignal<string | null>(null)
  const { name, pending, problem, src } = props.picture
  if (src !== null && failed.value !== src)
    return (
      <button
        type="button"
        class="place-center gap-1 soft small media-frame"
        data-picture
        aria-label={say("Enlarge {name}", { name })}
      >
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
    <p class={["place-center gap-1 soft small media-frame", pending === true && "is-pending"]}>
      <Icon name="file" />
      <span>{pending === true ? say("Picture") : name}</span>
      {pending !== true && <span class="tiny">{problem ?? say("Couldn't load this picture")}</span>}
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
    <div class="stack gap-1 soft media-audio">
      <span class="tiny">{name}</span>
      <audio controls preload="none" src={src} aria-label={name}>
        <track kind="captions" />
      </audio>
    </div>
  )
})

/** What was sent with a message: pictures, recordings, files. */
export const MessageMedia = component$<{ readonly media: ReadonlyArray<ChatMedia> }>((props) => (
  <ul class="plain-list wrap gap-2 can-shrink media-list">
    {props.media.map((one, index) => (
      <li key={`media-${index}`}>{one.kind === undefined ? <Picture picture={one} /> : <File file={one} />}</li>
    ))}
  </ul>
))

interface CutNoteProps {
  readonly itemKey: string
  /** What was cut. */
  readonly what: "response" | "message"
  /** None of it arrived. */
  readonly empty: boolean
}

/** Says that the gateway sent only the beginning of a message, or nothing, and offers all of it. */
export const CutNote = component$<CutNoteProps>((props) => {
  const chat = useContext(ChatContext, NO_CHAT)
  const busy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const { empty, itemKey, what } = props
  return (
    <div class="row wrap soft small cut-note">
      <p role={problem.value === null ? undefined : "alert"}>
        {problem.value ??
          (what === "response"
            ? empty
              ? say("The gateway left out this response because it's very long.")
              : say("The gateway only sent the beginning of this response.")
            : empty
              ? say("The gateway left out this message because it's very long.")
              : say("The gateway only sent the beginning of this message."))}
      </p>
      <button
        type="button"
        class="button is-small"
        disabled={busy.value}
        onClick$={async () => {
          busy.value = true
          const done = await chat.readWhole(itemKey)
          problem.value = done.ok ? null : done.message
          busy.value = false
        }}
      >
        {busy.value ? say("Loading…") : what === "response" ? say("Show full response") : say("Show full message")}
      </button>
    </div>
  )
})

const STATES = {
  pending: { state: "waiting", text: STATE_WORDS.waiting },
  approved: { state: "done", text: say("Approved") },
  rejected: { state: "denied", text: say("Rejected") }
} as const

const titleOf = ({ payload: { id, title } }: TaskMarker): string =>
  typeof title === "string" ? title : typeof id === "string" ? id : ""

interface ProposalChipsProps {
  readonly tasks: ReadonlyArray<TaskMarker>
  /** When the response was written. */
  readonly at: number | null
}

/** Cards that an agent proposed, and what became of them; the board is read with the first one. */
export const ProposalChips = component$<ProposalChipsProps>((props) => {
  const app = useServices()
  const { sessionKey } = useContext(ChatContext, NO_CHAT)
  const cards = useSignal<ReadonlyArray<ProposedCard | null>>([])
  useBrowserTask$(({ track, cleanup }) => {
    const tasks = track(() => props.tasks)
    let stop = () => {}
    const leave = followPart(
      app.client,
      () => import("../core/board/proposals.ts"),
      ({ followProposed }) => {
        stop = followProposed(app.client, { sessionKey, at: props.at, tasks }, (next) => {
          if (JSON.stringify(next) !== JSON.stringify(cards.value)) cards.value = next
        })
      }
    )
    cleanup(() => {
      leave()
      stop()
    })
  })
  return (
    <ul class="plain-list wrap gap-2 proposals">
      {props.tasks.map((task, index) => {
        const card = cards.value[index] ?? null
        const { state, text } = STATES[card?.status ?? "pending"]
        return (
          <li key={`task-${index}`}>
            <a class="chip" href={card?.href ?? below("/inbox?kind=proposal")}>
              <Icon name="kanban" />
              <span class="chip-label">{task.kind === "create" ? say("Proposed card") : say("Proposed change")}</span>
              <span>{titleOf(task)}</span>
              {card !== null && (
                <span title={card.reason ?? ""}>
                  <StateBadge state={state} text={text} isPlain />
                </span>
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )
})
