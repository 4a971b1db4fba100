import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { useReadable } from "../base/useReadable.ts"
import type { OpenFiles } from "../core/knowledge/OpenFiles.ts"
import { say } from "../core/language/say.ts"
import { followSaveKey } from "../editor/SaveBar.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { IconButton } from "../ui/IconButton.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { useShownTab } from "../ui/useShownTab.ts"
import { FileDialogs } from "./FileDialogs.tsx"
import { FileTab } from "./FileTab.tsx"
import { FileTools } from "./FileTools.tsx"
import { FileTree } from "./FileTree.tsx"
import { FileView } from "./FileView.tsx"
import { deleteFile, type FileAction, placePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { targetFolder, type Uploads, useUploads } from "./useUploads.ts"
import "./files.css"

/** Uploads in progress, and failed ones with the reason. */
const UploadList = component$<{ readonly uploads: Uploads }>((props) => {
  const list = props.uploads.list
  return (
    <ul class="plain-list upload-list" aria-label={say("Uploads")}>
      {list.value.map(({ id, name, part, problem, exists }) => (
        <li key={id} class={["row wrap small upload", problem !== null && "is-error"]}>
          <bdi class="upload-name">{name}</bdi>
          {problem === null ? (
            <progress value={part} max={1} aria-label={say("Uploading {name}", { name })} />
          ) : (
            <>
              <span class="upload-problem" role="alert">
                {problem}
              </span>
              {exists && (
                <span class="upload-choice">
                  <button type="button" class="button is-small" onClick$={() => props.uploads.decide(id, "replace")}>
                    {say("Replace")}
                  </button>
                  <button type="button" class="button is-small" onClick$={() => props.uploads.decide(id, "both")}>
                    {say("Keep both")}
                  </button>
                </span>
              )}
              <IconButton icon="x" label={say("Dismiss {name}", { name })} onClick$={() => props.uploads.dismiss(id)} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
})

/**
 * Asks before leaving the page with unsaved files, whose drafts are kept in any case. Stops with the returned
 * function.
 */
const followUnsaved = (files: OpenFiles): (() => void) => {
  const onLeave = (event: BeforeUnloadEvent) => {
    files.keep()
    if (files.unsaved().length > 0) event.preventDefault()
  }
  const onHide = () => files.keep()
  window.addEventListener("beforeunload", onLeave)
  window.addEventListener("pagehide", onHide)
  return () => {
    window.removeEventListener("beforeunload", onLeave)
    window.removeEventListener("pagehide", onHide)
  }
}

interface FileTabsProps {
  /** Path of the file shown. */
  readonly current: string | null
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** The open files; on a phone only if there are several, with a way back to the tree. */
const FileTabs = component$<FileTabsProps>((props) => {
  const knowledge = useKnowledge()
  const files = useConstant(() => knowledge.files)
  const state = useReadable(files.state)
  const bar = useSignal<HTMLElement>()
  useShownTab(bar, () => props.current)
  return (
    <div ref={bar} class="file-tabs">
      <a class="icon-button file-back" href={placePath(knowledge.agent, "files")} aria-label={say("All files")}>
        <Icon name="arrow-left" />
      </a>
      <ul class="plain-list" aria-label={say("Open files")}>
        {state.value.tabs.map((tab) => {
          const { path } = tab
          return <FileTab key={path} tab={tab} current={path === props.current} onAction$={props.onAction$} />
        })}
      </ul>
    </div>
  )
})

/** The workspace's files: the tree, and open files in tabs; on a phone one at a time. */
export const FilesPane = component$<{ readonly open: string | null }>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const state = useReadable(knowledge.tree.state, { perFrame: true })
  const opened = useReadable(knowledge.files.state)
  const query = useSignal("")
  /** Path of the file or folder that has the tree's menu; new files and uploads go next to it. */
  const selected = useSignal<string | null>(null)
  const action = useSignal<FileAction | null>(null)
  const pane = useSignal<HTMLElement>()
  const uploads = useUploads(pane, selected)

  useBrowserTask$(({ cleanup }) => {
    const { tree, files } = knowledge
    cleanup(tree.watch())
    void tree.trash()
    cleanup(followUnsaved(files))
    cleanup(followSaveKey(() => files.find(files.state.get().active ?? "")?.document ?? null))
    const onShown = () => {
      if (document.visibilityState !== "visible") return
      files.lookAgain()
      tree.readSoon()
    }
    document.addEventListener("visibilitychange", onShown)
    cleanup(() => document.removeEventListener("visibilitychange", onShown))
  })
  useBrowserTask$(({ track }) => {
    const path = track(() => props.open)
    knowledge.files.show(path)
    if (path === null) return
    knowledge.tree.reveal(path)
    selected.value = path
  })

  useCommands(() => {
    const { tree, files } = knowledge
    const folder = () => targetFolder(tree, selected.value)
    const shown = () => files.state.get().active
    const start = (next: FileAction) => () => {
      action.value = next
    }
    const save = () => files.find(shown() ?? "")?.document.save()
    return [
      { id: "files.save", label: say("Save file"), group: say("Files"), keys: "mod+s", helpOnly: true, run: save },
      {
        id: "files.saveAll",
        label: say("Save all files"),
        group: say("Files"),
        when: () => files.unsaved().length > 0,
        run: () => Promise.all(files.unsaved().map(({ document }) => document.save()))
      },
      {
        id: "files.new",
        label: say("New file"),
        group: say("Files"),
        keys: "n",
        run: () => start({ kind: "newFile", folder: folder() })()
      },
      {
        id: "files.folder",
        label: say("New folder"),
        group: say("Files"),
        run: () => start({ kind: "newFolder", folder: folder() })()
      },
      {
        id: "files.trash",
        label: say("Open trash"),
        group: say("Files"),
        keywords: "restore",
        run: start({ kind: "trash" })
      },
      {
        id: "files.filter",
        label: say("Filter files"),
        group: say("Files"),
        keys: "f",
        keywords: "find search open",
        run: () => pane.value?.querySelector<HTMLElement>("input[type=search]")?.focus()
      }
    ]
  })

  const act = $((next: FileAction) => {
    const isUndoable = next.kind === "delete" && !knowledge.tree.isPermanent
    if (isUndoable) void deleteFile(app, knowledge, next.path)
    else action.value = next
  })
  const done = $(() => {
    action.value = null
  })

  const { status, message, nodes, open } = state.value
  const active = opened.value.tabs.find((tab) => tab.path === props.open)
  const asked = action.value
  return (
    <div ref={pane} class={["two-steps files", props.open !== null && "is-open"]}>
      <div class="step-list files-list">
        <FileTools query={query} selected={selected} uploads={uploads} onAction$={act} />
        <UploadList uploads={uploads} />
        {status === "loading" && <LoadingState label={say("Loading files…")} />}
        {status === "failed" && (
          <ErrorState
            title={say("Couldn't load the files")}
            text={message ?? ""}
            onRetry$={() => knowledge.tree.load()}
          />
        )}
        {status === "ready" && nodes.length === 0 && (
          <EmptyState icon="file" title={say("No files yet")} text={say("Create one, or drop files here.")} />
        )}
        {status === "ready" && nodes.length > 0 && (
          <FileTree
            nodes={nodes}
            open={open}
            query={query.value}
            current={props.open}
            selected={selected}
            onAction$={act}
          />
        )}
        {status === "ready" && knowledge.tree.isCut && (
          <p class="files-note">
            {say("There are too many files to show them all. Open a folder to see everything in it.")}
          </p>
        )}
      </div>
      <div class="flex-column can-shrink step-detail">
        <FileTabs current={props.open} onAction$={act} />
        {active === undefined ? (
          <EmptyState icon="file" title={say("Choose a file")} text={say("It opens in its own tab and stays there.")} />
        ) : (
          <FileView key={props.open} tab={active} onAction$={act} />
        )}
      </div>
      <div class="drop-hint" aria-hidden="true">
        <span>{say("Drop to upload")}</span>
      </div>
      {asked !== null && <FileDialogs action={asked} current={props.open} onDone$={done} />}
    </div>
  )
})
