import { component$, useConstant, useSignal } from "@builder.io/qwik"
import folder from "../../icons/folder.svg?shapes"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useMedia } from "../base/useMedia.ts"
import { useReadable } from "../base/useReadable.ts"
import type { DocumentRow } from "../core/knowledge/DocumentsStore.ts"
import { say } from "../core/language/say.ts"
import { followSaveKey } from "../editor/SaveBar.tsx"
import { TextPane, type TextView } from "../editor/TextPane.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { placePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

const ABOUT: Readonly<Record<string, string>> = {
  soul: say("Character and tone"),
  tools: say("Notes about its tools"),
  identity: say("Its name and how it presents itself"),
  user: say("The person it works for"),
  agents: say("How it works, and its rules"),
  heartbeat: say("What it checks from time to time")
}

/** What a document is for; empty for one that isn't known. */
const documentAbout = (key: string): string => (Object.hasOwn(ABOUT, key) ? (ABOUT[key] ?? "") : "")

/** A document in the list: its name, what it is for, and whether it exists or has unsaved text. */
const DocumentLink = component$<{ readonly row: DocumentRow; readonly current: boolean }>((props) => {
  const knowledge = useKnowledge()
  const document = useConstant(() => knowledge.documents.document(props.row.key))
  const state = useReadable(document.state)
  const { key, filename, exists } = props.row
  const isUnsaved = state.value.dirty || knowledge.documents.isUnsaved(key)
  return (
    <a
      class={["stack plain-link step-link", !exists && "is-missing"]}
      href={placePath(knowledge.agent, `documents/${key}`)}
      aria-current={props.current ? "page" : undefined}
      onClick$={async () => {
        if (exists) return
        await document.load()
        document.begin()
      }}
    >
      <span class="place-center soft step-kind">
        <Icon name="file" />
      </span>
      <span class="step-name">{filename}</span>
      <span class="soft small break-words step-about">{documentAbout(key)}</span>
      {isUnsaved && <span class="small strong step-mark is-unsaved">{say("unsaved")}</span>}
      {!isUnsaved && !exists && <span class="small strong step-mark is-action">{say("Create")}</span>}
      {(exists || isUnsaved) && (
        <span class="step-open">
          <Icon name="chevron-right" />
        </span>
      )}
    </a>
  )
})

/**
 * One of the six documents, open to be read. Give it the document's key: the document never changes during its life.
 */
const DocumentEditor = component$<{ readonly documentKey: string; readonly filename: string }>((props) => {
  const knowledge = useKnowledge()
  const document = useConstant(() => knowledge.documents.document(props.documentKey))
  const view = useSignal<TextView | null>(null)
  const byKey = useSignal(false)

  useBrowserTask$(({ cleanup }) => {
    void document.load()
    cleanup(followSaveKey(() => document))
  })

  useCommands(() => [
    {
      id: "documents.edit",
      label: say("Edit {name}", { name: props.filename }),
      group: say("Documents"),
      keys: "e",
      when: () => document.state.get().status === "ready",
      run: () => {
        byKey.value = true
        view.value = "edit"
      }
    }
  ])

  return (
    <TextPane
      document={document}
      name={props.filename}
      label={say("Text of {filename}", { filename: props.filename })}
      missing={say("{filename} doesn't exist yet. The agent works without it.", { filename: props.filename })}
      heading={{ title: props.filename, about: documentAbout(props.documentKey) }}
      back={{ href: placePath(knowledge.agent, "documents"), label: say("All documents") }}
      view={view}
      autofocus={byKey.value}
    />
  )
})

/** As in `knowledge.css`: the list and a document beside each other. */
const BOTH = "(min-width: 1000.02px)"

/** The six documents that describe an agent; on a phone the list first, then the document. */
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
