import { type Signal, useConstant, useSignal } from "@builder.io/qwik"
import { MAX_UPLOAD_BYTES } from "../../../src/contract/limits.ts"
import { filledText, parseJson } from "../../../src/contract/looseFields.ts"
import type { ErrorAnswer } from "../../../src/contract/schema/failure.ts"
import type { ChangedPath } from "../../../src/contract/schema/files.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { below } from "../core/common/basePath.ts"
import { askedOf } from "../core/knowledge/agentConnections.ts"
import type { FileTreeStore } from "../core/knowledge/FileTreeStore.ts"
import { findNode, parentOf } from "../core/knowledge/fileNodes.ts"
import { freeName } from "../core/knowledge/freeName.ts"
import { say } from "../core/language/say.ts"
import { sentenceBetween } from "../core/link/ApiClient.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

/** The result of an upload: its new path, or why it failed. */
type UploadOutcome =
  | { readonly ok: true; readonly path: string }
  | {
      readonly ok: false
      readonly message: string
      readonly retryAfterMs: number | null
      /** Something with that name already exists. */
      readonly exists: boolean
    }

/** Where a file goes, and what to do if its name is taken. */
interface UploadTarget {
  readonly agent: string | null
  readonly folder: string
  readonly name: string
  readonly replace: boolean
}

/** What went wrong; `body` is undefined for an answer that isn't JSON, and so isn't the console's. */
const sentence = (status: number, body: Partial<ErrorAnswer> | undefined): string => {
  if (status > 0 && status !== 429 && body === undefined) return sentenceBetween(status)
  if (status === 401) return say("Please sign in again.")
  if (status === 413) return say("It's larger than 12 MB.")
  if (status === 429) return say("Too many uploads at once.")
  return filledText(body?.details) ?? say("Couldn't upload it. Check your connection, then try again.")
}

/** Uploads one file and reports progress from 0 to 1, which `fetch` can't. */
export const uploadFile = (
  { agent, folder, name, replace }: UploadTarget,
  file: File,
  progress: (part: number) => void
): Promise<UploadOutcome> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open("POST", below(askedOf("/api/files/upload", agent)))
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const body = parseJson<Partial<ChangedPath & ErrorAnswer>>(request.responseText)
      const path = body?.path
      if (request.status === 200 && path !== undefined) return resolve({ ok: true, path })
      const seconds = Number(request.getResponseHeader("retry-after") ?? "1")
      const retryAfterMs = request.status === 429 ? Math.max(1, Number.isFinite(seconds) ? seconds : 1) * 1000 : null
      const exists = request.status === 409 && body !== undefined
      resolve({ ok: false, message: sentence(request.status, body), retryAfterMs, exists })
    }
    request.onerror = () => resolve({ ok: false, message: sentence(0, {}), retryAfterMs: null, exists: false })
    const form = new FormData()
    if (folder !== "") form.append("path", folder)
    if (replace) form.append("existing", "replace")
    form.append("file", file, name)
    request.send(form)
  })

/** A file being uploaded. */
export interface Upload {
  readonly id: number
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** Why it failed; null while it is in progress. */
  readonly problem: string | null
  /** Something with that name already exists: a person decides what to do. */
  readonly exists: boolean
}

export interface Uploads {
  /** Uploads in progress or failed; finished ones are in the tree. */
  readonly list: Signal<ReadonlyArray<Upload>>
  readonly add: (files: ReadonlyArray<File>, folder: string) => void
  readonly dismiss: (id: number) => void
  /** Uploads a file whose name is taken after all: in place of the old one, or next to it with a number. */
  readonly decide: (id: number, choice: "replace" | "both") => void
}

/** The folder for new items: the selected one, or that of the selected file. */
export const targetFolder = (tree: FileTreeStore, selected: string | null): string => {
  if (selected === null) return ""
  const node = findNode(tree.state.get().nodes, selected)
  if (node === undefined) return ""
  return node.type === "directory" ? node.path : parentOf(node.path)
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Uploads files one after another, whether picked, or dropped on the pane or a folder in it. */
export const useUploads = (pane: Signal<HTMLElement | undefined>, selected: Signal<string | null>): Uploads => {
  const knowledge = useKnowledge()
  const list = useSignal<ReadonlyArray<Upload>>([])
  const uploads = useConstant((): Uploads => {
    const { tree } = knowledge
    let nextId = 1
    let queue = Promise.resolve()
    const change = (id: number, what: Partial<Upload>) => {
      list.value = list.value.map((upload) => (upload.id === id ? { ...upload, ...what } : upload))
    }
    const waiting = new Map<number, { readonly file: File; readonly folder: string }>()
    const dismiss = (id: number) => {
      waiting.delete(id)
      list.value = list.value.filter((upload) => upload.id !== id)
    }
    const send = async (id: number, file: File, folder: string, name = file.name, replace = false): Promise<void> => {
      if (file.size > MAX_UPLOAD_BYTES) return change(id, { problem: say("It's larger than 12 MB.") })
      const target = { agent: knowledge.agent, folder, name, replace }
      const outcome = await uploadFile(target, file, (part) => change(id, { part }))
      if (outcome.ok) {
        dismiss(id)
        tree.reveal(outcome.path)
        tree.readSoon()
      } else if (outcome.retryAfterMs === null) {
        const { message: problem } = outcome
        const exists = outcome.exists && !replace
        if (exists) waiting.set(id, { file, folder })
        change(id, exists ? { problem: say("A file or folder with that name already exists."), exists } : { problem })
      } else {
        await wait(outcome.retryAfterMs)
        await send(id, file, folder, name, replace)
      }
    }
    const add = (files: ReadonlyArray<File>, folder: string) => {
      for (const file of files) {
        const id = nextId++
        list.value = [...list.value, { id, name: file.name, part: 0, problem: null, exists: false }]
        queue = queue.then(() => send(id, file, folder))
      }
    }
    const decide = (id: number, choice: "replace" | "both") => {
      const held = waiting.get(id)
      if (held === undefined) return
      waiting.delete(id)
      const { file, folder } = held
      const { nodes } = tree.state.get()
      const siblings = folder === "" ? nodes : (findNode(nodes, folder)?.children ?? [])
      const taken = new Set(siblings.map(({ name }) => name))
      const name = choice === "both" ? freeName(file.name, taken) : file.name
      change(id, { name, part: 0, problem: null, exists: false })
      queue = queue.then(() => send(id, file, folder, name, choice === "replace"))
    }
    return { list, add, dismiss, decide }
  })

  useBrowserTask$(({ cleanup }) => {
    const element = pane.value
    if (element === undefined) return
    const { tree } = knowledge
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
  })
  return uploads
}
