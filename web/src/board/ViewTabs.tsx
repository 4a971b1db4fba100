import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import { useReadable } from "../base/useReadable.ts"
import { viewIdFrom, withView } from "../core/board/viewAddress.ts"
import { say } from "../core/language/say.ts"
import { uuid } from "../core/link/browserEnvironment.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { MenuButton } from "../ui/MenuButton.tsx"
import { useBoard } from "./BoardContext.ts"
import { deleteView, renameView, saveShown } from "./boardActions.ts"
import { boardPath, withSearch } from "./boardView.ts"

/** The saved views as tabs; nothing while there are none. */
export const ViewTabs = component$(() => {
  const app = useServices()
  const ui = useBoard()
  const location = useReadable(app.router.location)
  const views = useReadable(ui.views.state)
  const { search } = location.value
  const current = viewIdFrom(search)
  const opened = views.value.find(({ id }) => id === current)
  const openedId = opened?.id
  if (views.value.length === 0) return null
  return (
    <div class="row gap-1 no-shrink view-bar">
      <nav class="view-tabs" aria-label={say("Saved views")}>
        <a
          class="no-shrink soft small truncate view-tab"
          href={withSearch(app, withView(search, null))}
          aria-current={opened === undefined ? "true" : undefined}
        >
          {say("All cards")}
        </a>
        {views.value.map((view) => {
          const { id, name } = view
          return (
            <a
              key={id}
              class="no-shrink soft small truncate view-tab"
              href={withSearch(app, withView(search, view))}
              aria-current={id === current ? "true" : undefined}
            >
              {name}
            </a>
          )
        })}
      </nav>
      {opened !== undefined && (
        <MenuButton
          key={openedId}
          label={say("Actions for the view {name}", { name: opened.name })}
          items={[
            {
              id: "rename",
              label: say("Rename view"),
              icon: "pencil",
              run: () => app.router.navigate(boardPath(app, { panel: "rename" }))
            },
            {
              id: "delete",
              label: say("Delete view"),
              icon: "x",
              danger: true,
              run: () => deleteView(app, ui, opened)
            }
          ]}
        />
      )}
    </div>
  )
})

const MAX_NAME = 100
const names = keptValues<string>()

/** Asks for the name of a view: a new one, or the opened one's. */
export const ViewDialog = component$<{ readonly isRename: boolean }>((props) => {
  const app = useServices()
  const ui = useBoard()
  const opened = ui.views.state.get().find(({ id }) => id === viewIdFrom(app.router.location.get().search))
  const view = props.isRename ? opened : undefined
  const key = view?.id ?? ""
  const name = useKept(names, key, () => view?.name ?? "")
  const problem = useSignal("")
  const close = $(() => {
    names.delete(key)
    app.router.navigate(boardPath(app), { replace: true })
  })
  const save = $(async () => {
    const text = name.value.trim()
    if (text === "") {
      problem.value = say("A view needs a name.")
      return document.getElementById("view-name")?.focus()
    }
    const failure = view === undefined ? await saveShown(app, ui, uuid(), text) : await renameView(app, ui, view, text)
    problem.value = failure ?? ""
    if (failure === null) names.delete(key)
  })
  return (
    <Dialog title={view === undefined ? say("Save view") : say("Rename view")} size="small" onClose$={close}>
      <form preventdefault:submit onSubmit$={save} id="view-form">
        <Field
          label={say("Name")}
          for="view-name"
          hint={say("A view keeps the filter, the sorting and the layout. Everyone who uses the board sees it.")}
        >
          <input
            id="view-name"
            class="field"
            type="text"
            maxLength={MAX_NAME}
            autocomplete="off"
            value={name.value}
            data-autofocus
            onInput$={(_, element) => {
              name.value = element.value
            }}
          />
        </Field>
        <p class="form-problem" role="alert">
          {problem.value}
        </p>
      </form>
      <button q:slot="foot" type="button" class="button" onClick$={close}>
        {say("Cancel")}
      </button>
      <button q:slot="foot" type="submit" form="view-form" class="button is-primary">
        {say("Save")}
      </button>
    </Dialog>
  )
})
