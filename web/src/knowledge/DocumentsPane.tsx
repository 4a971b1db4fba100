import { component$, useConstant } from "@builder.io/qwik"
import folder from "../../icons/folder.svg?shapes"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useMedia } from "../base/useMedia.ts"
import { useReadable } from "../base/useReadable.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { DocumentEditor } from "./DocumentEditor.tsx"
import { DocumentLink } from "./DocumentLink.tsx"
import "./documents.css"
import { say } from "../core/language/say.ts"
import { placePath } from "./filePath.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

/** As in `knowledge.css`: the list and a document beside each other. */
const BOTH = "(min-width: 1000.02px)"

/** The six documents that tell an agent who it is; on a phone the list first, then the document. */
export const DocumentsPane = component$<{ readonly open: string | null }>((props) => {
  const knowledge = useKnowledge()
  const store = useConstant(() => knowledge.documents)
  const state = useReadable(store.state)
  const isWide = useMedia(BOTH)

  useBrowserTask$(({ cleanup }) => {
    void store.load()
    const onShown = () => {
      if (document.visibilityState === "visible") void store.lookAgain()
    }
    const onLeave = (event: BeforeUnloadEvent) => {
      if (store.keep()) event.preventDefault()
    }
    document.addEventListener("visibilitychange", onShown)
    window.addEventListener("beforeunload", onLeave)
    cleanup(() => {
      document.removeEventListener("visibilitychange", onShown)
      window.removeEventListener("beforeunload", onLeave)
    })
  })

  const { status, message, rows } = state.value
  const chosen = rows.find(({ key }) => key === props.open)
  const row = chosen ?? (isWide.value && props.open === null ? rows.find(({ exists }) => exists) : undefined)
  const open = row?.key
  const filename = row?.filename ?? ""
  if (status === "loading") return <LoadingState label={say("Loading documents…")} />
  if (status === "failed") {
    return <ErrorState title={say("Couldn't load the documents")} text={message ?? ""} onRetry$={() => store.load()} />
  }
  return (
    <div class={["two-steps", chosen !== undefined && "is-open"]}>
      <nav class="step-list documents-list" aria-label={say("Documents")}>
        <p class="row soft small border-bottom documents-about">{say("Read at the start of each session")}</p>
        {rows.map((one) => {
          const { key } = one
          return <DocumentLink key={key} row={one} current={key === open} />
        })}
        <a class="row soft small documents-more" href={placePath(knowledge.agent, "files")}>
          <LineIcon shapes={folder} />
          <span class="documents-more-name">{say("All files")}</span>
          <span class="step-open">
            <Icon name="chevron-right" />
          </span>
        </a>
      </nav>
      <div class="flex-column can-shrink step-detail">
        {open === undefined ? (
          <EmptyState
            icon="file"
            title={say("Choose a document")}
            text={say("The agent reads them at the start of each session.")}
          />
        ) : (
          <DocumentEditor key={open} documentKey={open} filename={filename} />
        )}
      </div>
    </div>
  )
})
