import { component$, type QRL } from "@builder.io/qwik"
import folder from "../../icons/folder.svg?shapes"
import { parentOf, type TreeRow } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { Icon, LineIcon } from "../ui/Icon.tsx"
import type { MenuItem } from "../ui/Menu.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import type { FileAction } from "./fileActions.ts"
import { fileMenu } from "./fileMenu.ts"
import { useKnowledge } from "./KnowledgeContext.ts"

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
export const FileRow = component$<FileRowProps>((props) => {
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
