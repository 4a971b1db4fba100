import { $, component$, type QRL } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { say } from "../core/language/say.ts"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { CloseFileDialog } from "./CloseFileDialog.tsx"
import { deleteFile } from "./deleteFile.ts"
import { FileNameDialog } from "./FileNameDialog.tsx"
import type { FileAction } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import { MoveFileDialog } from "./MoveFileDialog.tsx"
import { TrashDialog } from "./TrashDialog.tsx"
import "./fileDialogs.css"

interface FileDialogsProps {
  readonly action: FileAction
  /** Path of the file shown. */
  readonly current: string | null
  readonly onDone$: QRL<() => void>
}

/** The dialog for an action on a file. */
export const FileDialogs = component$<FileDialogsProps>((props) => {
  const app = useServices()
  const knowledge = useKnowledge()
  const action = props.action
  const path = "path" in action ? action.path : ""
  const remove = $(async () => {
    await deleteFile(app, knowledge, path)
    await props.onDone$()
  })
  switch (action.kind) {
    case "trash":
      return <TrashDialog onDone$={props.onDone$} />
    case "close":
      return <CloseFileDialog path={path} current={props.current} onDone$={props.onDone$} />
    case "move":
      return <MoveFileDialog path={path} current={props.current} onDone$={props.onDone$} />
    case "delete":
      return (
        <ConfirmDialog
          title={say("Delete {name}?", { name: nameOf(path) })}
          confirmLabel={say("Delete")}
          danger
          onConfirm$={remove}
          onCancel$={() => props.onDone$()}
        >
          <p>{say("These files don't go to the trash. They'll be deleted permanently.")}</p>
        </ConfirmDialog>
      )
    default:
      return <FileNameDialog action={action} current={props.current} onDone$={props.onDone$} />
  }
})
