import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import { asSentence } from "../core/common/phrases.ts"
import { extensionOf } from "../core/knowledge/fileKinds.ts"
import { nameOf, parentOf } from "../core/knowledge/fileNodes.ts"
import type { OpenTab } from "../core/knowledge/OpenFiles.ts"
import { say } from "../core/language/say.ts"
import { TextPane } from "../editor/TextPane.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { downloadPath, type FileAction, fileMenu, openFileCommands, placePath } from "./fileActions.ts"
import { ImagePreview } from "./ImagePreview.tsx"
import { useKnowledge } from "./KnowledgeContext.ts"
import { PdfPreview } from "./PdfPreview.tsx"

interface FileViewProps {
  readonly tab: OpenTab
  readonly onAction$: QRL<(action: FileAction) => void>
}

interface FileDeedsProps {
  readonly path: string
  readonly kind: OpenTab["kind"]
  readonly onAction$: QRL<(action: FileAction) => void>
  /** Shows a drawing's text instead of its picture, and the other way round. */
  readonly onOther$: QRL<() => void>
}

/** What can be done with an open file besides changing its text. */
const FileDeeds = component$<FileDeedsProps>((props) => {
  const knowledge = useKnowledge()
  const { path } = props
  const name = nameOf(path)
  useCommands(() => openFileCommands(knowledge.agent, path, props.onAction$))
  return (
    <>
      {extensionOf(name) === "svg" && (
        <button type="button" class="button is-small" onClick$={() => props.onOther$()}>
          {props.kind === "image" ? say("Edit as text") : say("Show picture")}
        </button>
      )}
      <MenuButton
        label={say("Actions for {name}", { name })}
        items={fileMenu(knowledge.agent, { path, type: "file" }, props.onAction$)}
      />
    </>
  )
})

/** An open file: as text in the editor, as a picture, or as a download only. */
export const FileView = component$<FileViewProps>((props) => {
  const knowledge = useKnowledge()
  const files = useConstant(() => knowledge.files)
  const document = useConstant(() => props.tab.document)
  const state = useReadable(document.state)
  /** Counts changes to the file, so that a preview follows them. */
  const changes = useSignal(0)

  useBrowserTask$(({ cleanup }) => {
    cleanup(
      knowledge.events.on("file.changed", ({ data }) => {
        if (data.path === props.tab.path) changes.value++
      })
    )
  })

  const { path, kind } = props.tab
  const name = nameOf(path)
  const { status, message } = state.value
  const isText = kind === "text" && status !== "unreadable"
  const folder = parentOf(path)
  const other = $(() => files.showAs(path, kind === "image" ? "text" : "image"))
  return (
    <section class="flex-column grow file-view" aria-label={path} data-kind={kind}>
      {/* A text has its path and its tools beside its state. */}
      <header class={isText ? "visually-hidden" : "file-head"}>
        {!isText && (
          <a class="icon-button file-back" href={placePath(knowledge.agent, "files")} aria-label={say("All files")}>
            <Icon name="arrow-left" />
          </a>
        )}
        <h2 title={path}>
          <bdi>
            <span class="file-folder">{folder === "" ? "" : `${folder}/`}</span>
            <span>{name}</span>
          </bdi>
        </h2>
        {!isText && <FileDeeds path={path} kind={kind} onAction$={props.onAction$} onOther$={other} />}
      </header>
      {kind === "image" && <ImagePreview path={path} changes={changes.value} />}
      {kind === "pdf" && <PdfPreview path={path} changes={changes.value} />}
      {kind === "text" && status !== "unreadable" && (
        <TextPane
          document={document}
          name={name}
          label={say("Text of {path}", { path })}
          place={path}
          back={{ href: placePath(knowledge.agent, "files"), label: say("All files") }}
          missing={say("It was deleted or moved.")}
        >
          <FileDeeds path={path} kind={kind} onAction$={props.onAction$} onOther$={other} />
        </TextPane>
      )}
      {kind === "text" && status === "unreadable" && (
        <EmptyState icon="file" title={say("This file can't be shown as text")} text={readable(message)}>
          <a class="button is-primary" href={downloadPath(knowledge.agent, path)} download>
            {say("Download")}
          </a>
        </EmptyState>
      )}
    </section>
  )
})

/** The server's reason as a sentence, without the name of the field it is about. */
const readable = (message: string | null): string => {
  const text = (message ?? "").replace(/^path: /, "")
  return text === "" ? "" : asSentence(text)
}
