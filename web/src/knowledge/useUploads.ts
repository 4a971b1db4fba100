import { type Signal, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { useServices } from "../app/ConsoleContext.ts"
import type { FileTreeStore } from "../core/knowledge/FileTreeStore.ts"
import { findNode, parentOf } from "../core/knowledge/fileNodes.ts"
import { knowledgeOf } from "../core/knowledge/knowledgeOf.ts"
import { MAX_UPLOAD_BYTES, uploadFile } from "./uploadFile.ts"

/** A file on its way to the server. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** Why it did not work; null while it goes on. */
  readonly problem: string | null
}

export interface Uploads {
  /** What is on its way or did not work; what arrived is in the tree. */
  readonly list: Signal<ReadonlyArray<Upload>>
  readonly add: (files: ReadonlyArray<File>, folder: string) => void
  readonly dismiss: (id: number) => void
}

/** The folder that new things go to: the selected one, or that of the selected file. */
export const targetFolder = (tree: FileTreeStore, selected: string | null): string => {
  if (selected === null) return ""
  const node = findNode(tree.state.get().nodes, selected)
  if (node === undefined) return ""
  return node.type === "directory" ? node.path : parentOf(node.path)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Uploads files one after the other: those picked, and those dropped on the pane or on a folder in it. */
export const useUploads = (pane: Signal<HTMLElement | undefined>, selected: Signal<string | null>): Uploads => {
  const app = useServices()
  const list = useSignal<ReadonlyArray<Upload>>([])
  const uploads = useConstant((): Uploads => {
    const { tree } = knowledgeOf(app.console)
    let nextId = 1
    let queue = Promise.resolve()
    const change = (id: number, what: Partial<Upload>) => {
      list.value = list.value.map((upload) => (upload.id === id ? { ...upload, ...what } : upload))
    }
    const dismiss = (id: number) => {
      list.value = list.value.filter((upload) => upload.id !== id)
    }
    const send = async (id: number, file: File, folder: string): Promise<void> => {
      if (file.size > MAX_UPLOAD_BYTES) return change(id, { problem: "It has more than 12 MB." })
      const outcome = await uploadFile(folder, file, (part) => change(id, { part }))
      if (outcome.ok) {
        dismiss(id)
        tree.reveal(outcome.path)
        tree.readSoon()
      } else if (outcome.retryAfterMs === null) change(id, { problem: outcome.message })
      else {
        await wait(outcome.retryAfterMs)
        await send(id, file, folder)
      }
    }
    const add = (files: ReadonlyArray<File>, folder: string) => {
      for (const file of files) {
        const id = nextId++
        list.value = [...list.value, { id, name: file.name, part: 0, problem: null }]
        queue = queue.then(() => send(id, file, folder))
      }
    }
    return { list, add, dismiss }
  })

  useVisibleTask$(
    ({ cleanup }) => {
      const element = pane.value
      if (element === undefined) return
      const { tree } = knowledgeOf(app.console)
      const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true
      const over = (isOver: boolean) => element.classList.toggle("is-dropping", isOver)
      const onOver = (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        over(true)
      }
      const onLeave = (event: DragEvent) => {
        if (!(event.relatedTarget instanceof Node) || !element.contains(event.relatedTarget)) over(false)
      }
      const onDrop = (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        over(false)
        const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-path]") : null
        uploads.add([...(event.dataTransfer?.files ?? [])], targetFolder(tree, row?.dataset.path ?? selected.value))
      }
      element.addEventListener("dragover", onOver)
      element.addEventListener("dragleave", onLeave)
      element.addEventListener("drop", onDrop)
      cleanup(() => {
        element.removeEventListener("dragover", onOver)
        element.removeEventListener("dragleave", onLeave)
        element.removeEventListener("drop", onDrop)
      })
    },
    { strategy: "document-ready" }
  )
  return uploads
}
