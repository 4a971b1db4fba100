import { $, component$, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { foldersTo, nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import { languageOf } from "../editor/languageOf.ts"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { MarkdownText } from "../ui/markdown/MarkdownText.tsx"
import { FileTree } from "./FileTree.tsx"
import { placePath } from "./fileActions.ts"
import "./files.css"
import { say } from "../core/language/say.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

/** A text, or why there is none. */
interface Looked {
  readonly path: string
  readonly text: string | null
  readonly problem: string | null
}

/** The files of an agent on another machine: the tree, and one text at a time to read. */
export const ShownFilesPane = component$<{ readonly open: string | null }>((props) => {
  const knowledge = useKnowledge()
  const { tree } = knowledge
  const state = useReadable(tree.state)
  const looked = useSignal<Looked | null>(null)
  const selected = useSignal<string | null>(null)
  const none = $(() => {})

  useBrowserTask$(async () => {
    await tree.load()
    // Folders come one at a time.
    for (const folder of foldersTo(props.open ?? "")) await tree.toggle(folder, true)
  })
  useBrowserTask$(async ({ track }) => {
    const path = track(() => props.open)
    looked.value = null
    if (path === null) return
    const result = await knowledge.readText(path)
    if (path !== props.open) return
    looked.value = result.ok
      ? { path, text: result.value.text, problem: null }
      : { path, text: null, problem: result.error.message }
  })

  const { status, message, nodes, open } = state.value
  const path = props.open
  const shown = looked.value
  const problem = shown?.problem ?? null
  const text = shown?.text ?? null
  return (
    <div class={["two-steps files", path !== null && "is-open"]}>
      <div class="step-list files-list">
        {status === "loading" && <LoadingState label={say("Loading files…")} />}
        {status === "failed" && (
          <ErrorState title={say("Couldn't load the files")} text={message ?? ""} onRetry$={() => tree.load()} />
        )}
        {status === "ready" && nodes.length === 0 && (
          <EmptyState icon="file" title={say("No files yet")} text={say("This agent's workspace is empty.")} />
        )}
        {status === "ready" && nodes.length > 0 && (
          <FileTree nodes={nodes} open={open} query="" current={path} selected={selected} onAction$={none} />
        )}
        {status === "ready" && tree.isCut && (
          <p class="files-note">{say("There are too many files to show them all.")}</p>
        )}
      </div>
      <div class="flex-column can-shrink step-detail">
        {path === null ? (
          <EmptyState
            icon="file"
            title={say("Choose a file")}
            text={say("These files are on the gateway's machine. They can be read here, not changed.")}
          />
        ) : (
          <section class="flex-column grow file-view" aria-label={path}>
            <header class="file-head">
              <a class="icon-button" href={placePath(knowledge.agent, "files")} aria-label={say("All files")}>
                <Icon name="arrow-left" />
              </a>
              <h2 title={path}>
                <bdi>
                  <span class="file-folder">{parentOf(path) === "" ? "" : `${parentOf(path)}/`}</span>
                  <span>{nameOf(path)}</span>
                </bdi>
              </h2>
            </header>
            {shown === null && <LoadingState label={say("Loading…")} />}
            {problem !== null && <EmptyState icon="file" title={say("This file can't be shown")} text={problem} />}
            {text !== null && (
              <div class="text-preview" tabIndex={0} role="region" aria-label={say("Text of {path}", { path })}>
                {languageOf(path) === "markdown" ? <MarkdownText text={text} streaming={false} /> : <pre>{text}</pre>}
              </div>
            )}
          </section>
        )}
      </div>
    </div>
  )
})
