import { component$, useConstant, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import { useReadable } from "../app/useReadable.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { DocumentEditor } from "./DocumentEditor.tsx"
import { DocumentLink } from "./DocumentLink.tsx"
import "./documents.css"

/** The six documents that tell an agent who it is; on a phone first the list, then the document. */
export const DocumentsPane = component$<{ readonly open: string | null }>((props) => {
  const app = useServices()
  const store = useConstant(() => knowledgeOf(app.console).documents)
  const state = useReadable(store.state)

  useVisibleTask$(
    ({ cleanup }) => {
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
    },
    { strategy: "document-ready" }
  )

  const { status, message, rows } = state.value
  const row = rows.find(({ key }) => key === props.open)
  const open = row?.key
  const filename = row?.filename ?? ""
  if (status === "loading") return <LoadingState label="Reading the documents…" />
  if (status === "failed") {
    return <ErrorState title="The documents could not be read" text={message ?? ""} onRetry$={() => store.load()} />
  }
  return (
    <div class={["two-steps", open !== undefined && "is-open"]}>
      <nav class="step-list" aria-label="Documents">
        {rows.map((one) => {
          const { key } = one
          return <DocumentLink key={key} row={one} current={key === open} />
        })}
      </nav>
      <div class="step-detail">
        {open === undefined ? (
          <EmptyState
            icon="file"
            title="Choose a document"
            text="They are read by the agent at the start of a session."
          />
        ) : (
          <>
            <div class="step-head">
              <a class="icon-button" href="/knowledge/documents" aria-label="All documents">
                <Icon name="arrow-left" />
              </a>
              <h2>{filename}</h2>
            </div>
            <DocumentEditor key={open} documentKey={open} filename={filename} />
          </>
        )}
      </div>
    </div>
  )
})
