import { $, component$, type QRL, type Signal, useConstant, useSignal } from "@builder.io/qwik"
import type { FileNode } from "../../../src/contract/schema/files.ts"
import folder from "../../icons/folder.svg?shapes"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { findNodes, parentOf, type TreeRow, treeRows } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { type FileAction, fileMenu, filePath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { treeKey } from "./treeKeys.ts"
import { useVirtualRows } from "./useVirtualRows.ts"

interface FileRowProps {
  readonly row: TreeRow
  /** Pixels from the top of the tree. */
  readonly top: number
  /** Shows the folder next to the name. */
  readonly withPath: boolean
  /** This is the file being shown. */
  readonly current: boolean
  /** Has the menu. */
  readonly selected: boolean
  /** Where Tab enters the tree. */
  readonly focusable: boolean
  readonly onChoose$: QRL<(row: TreeRow) => void>
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** One line of the tree. */
const FileRow = component$<FileRowProps>((props) => {
  const knowledge = useKnowledge()
  const { node, depth, isOpen, position, size } = props.row
  const isFolder = node.type === "directory"
  const isUsable = node.unusable === undefined
  const menu: ReadonlyArray<MenuItem> =
    props.selected && isUsable ? fileMenu(knowledge.agent, node, props.onAction$) : []
  return (
    <div
      role="treeitem"
      class={["file-row", props.current && "is-current", props.selected && "is-selected"]}
      style={{ insetBlockStart: `${props.top}px`, paddingInlineStart: `${8 + Math.min(depth, 12) * 14}px` }}
      data-path={node.path}
      aria-level={depth + 1}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={isFolder ? (isOpen ? "true" : "false") : undefined}
      aria-selected={props.current ? "true" : "false"}
      tabIndex={props.focusable ? 0 : -1}
      aria-disabled={isUsable ? undefined : "true"}
      title={node.path}
      onClick$={(event) => {
        const isMenu = event.target instanceof Element && event.target.closest("button, .menu") !== null
        if (!isMenu && isUsable) return props.onChoose$(props.row)
      }}
    >
      <span class={["no-shrink soft file-mark", isOpen && "is-open"]}>{isFolder && <Icon name="chevron-right" />}</span>
      <span class="no-shrink soft file-kind">{isFolder ? <LineIcon shapes={folder} /> : <Icon name="file" />}</span>
      <bdi class="truncate file-name">{node.name}</bdi>
      {props.withPath && <bdi class="can-shrink soft tiny truncate file-place">{parentOf(node.path)}</bdi>}
      {node.truncated === true && <span class="can-shrink soft tiny truncate file-place">{say("not all shown")}</span>}
      {!isUsable && (
        <span class="can-shrink soft tiny truncate file-place">
          {say("can't be opened here: rename it on its machine")}
        </span>
      )}
      {menu.length > 0 && <MenuButton label={say("Actions for {name}", { name: node.name })} items={menu} />}
    </div>
  )
})

interface FileTreeProps {
  readonly nodes: ReadonlyArray<FileNode>
  /** Paths of open folders. */
  readonly open: ReadonlySet<string>
  /** Shows the files whose paths contain these words instead of the tree; empty for the tree. */
  readonly query: string
  /** Path of the file shown. */
  readonly current: string | null
  readonly selected: Signal<string | null>
  readonly onAction$: QRL<(action: FileAction) => void>
}

/** A row is as high as every control. */
const controlHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--control"))

/** The file tree, usable by mouse, touch or keyboard; only rows near the visible ones are on the page. */
export const FileTree = component$<FileTreeProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const tree = useConstant(() => knowledge.tree)
  const scroller = useSignal<HTMLElement>()
  const rows = useSignal<ReadonlyArray<TreeRow>>([])
  const count = useSignal(0)
  /** The row that has or would get the focus. */
  const focused = useSignal(0)
  const rowHeight = useConstant(controlHeight)
  const { range, scrollTo } = useVirtualRows(scroller, count, focused, () => rowHeight)

  useBrowserTask$(({ track }) => {
    const nodes = track(() => props.nodes)
    const open = track(() => props.open)
    const query = track(() => props.query.trim())
    const path = rows.value[focused.value]?.node.path
    const next = query === "" ? treeRows(nodes, open) : findNodes(nodes, query)
    rows.value = next
    count.value = next.length
    // The focus stays on its file when rows above it come and go.
    const at = next.findIndex(({ node }) => node.path === path)
    focused.value = at === -1 ? Math.min(focused.value, Math.max(0, next.length - 1)) : at
  })
  useBrowserTask$(({ track }) => {
    const path = track(() => props.current)
    track(() => count.value)
    const at = path === null ? -1 : rows.value.findIndex(({ node }) => node.path === path)
    if (at !== -1) scrollTo(at)
  })

  const choose = $(async (row: TreeRow) => {
    props.selected.value = row.node.path
    if (row.node.type === "file") {
      app.router.navigate(filePath(knowledge.agent, row.node.path))
      return
    }
    const result = await tree.toggle(row.node.path)
    if (!result.ok) app.notices.show("error", result.error.message)
  })

  useBrowserTask$(({ cleanup }) => {
    const element = scroller.value
    if (element === undefined) return
    const focusRow = (index: number) => {
      focused.value = index
      scrollTo(index)
      // A row that was out of sight is drawn in the next frame.
      const path = rows.value[index]?.node.path
      const give = (tries: number) => {
        const row = [...element.querySelectorAll<HTMLElement>("[role=treeitem]")].find(
          (candidate) => candidate.dataset.path === path
        )
        if (row !== undefined) row.focus({ preventScroll: true })
        else if (tries > 0) requestAnimationFrame(() => give(tries - 1))
      }
      requestAnimationFrame(() => give(5))
    }
    const onKey = (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "treeitem") return
      const row = rows.value[focused.value]
      const move = treeKey(event, rows.value, focused.value)
      if (move === null || row === undefined) return
      event.preventDefault()
      const { path } = row.node
      if (move.kind === "focus") focusRow(move.index)
      else if (row.node.unusable !== undefined) return
      else if (move.kind === "toggle") void tree.toggle(path)
      else if (move.kind === "choose") void choose(row)
      else void props.onAction$({ kind: move.kind, path })
    }
    const onFocus = (event: FocusEvent) => {
      const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[role=treeitem]") : null
      const at = rows.value.findIndex(({ node }) => node.path === row?.dataset.path)
      if (at !== -1) focused.value = at
    }
    element.addEventListener("keydown", onKey)
    element.addEventListener("focusin", onFocus)
    cleanup(() => {
      element.removeEventListener("keydown", onKey)
      element.removeEventListener("focusin", onFocus)
    })
  })

  const isSearch = props.query.trim() !== ""
  return (
    <>
      <div ref={scroller} class="file-tree">
        <div role="tree" aria-label={say("Files")} style={{ blockSize: `${range.value.height}px` }}>
          {range.value.rows.map(({ index, start }) => {
            const row = rows.value[index]
            if (row === undefined) return null
            const { path } = row.node
            return (
              <FileRow
                key={path}
                row={row}
                top={start}
                withPath={isSearch}
                current={path === props.current}
                selected={path === props.selected.value}
                focusable={index === focused.value}
                onChoose$={choose}
                onAction$={props.onAction$}
              />
            )
          })}
        </div>
      </div>
      {isSearch && count.value === 0 && <p class="files-note">{say("No files found")}</p>}
    </>
  )
})
