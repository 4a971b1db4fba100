import { type Component, component$, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { ErrorState } from "./ErrorState.tsx"
import { LoadingState } from "./LoadingState.tsx"

/** What two texts are compared under. */
export interface DiffViewProps {
  readonly before: string
  readonly after: string
  /** What the two are called: "On disk", "Yours". */
  readonly beforeLabel: string
  readonly afterLabel: string
}

/** Two texts compared line by line: side by side where there is room, else one under the other. Loads its parts itself. */
export const DiffView = component$<DiffViewProps>((props) => {
  const table = useSignal<{ readonly Table: Component<DiffViewProps> } | null>(null)
  const failed = useSignal(false)
  useVisibleTask$(
    () => {
      import("./DiffTable.tsx").then(
        ({ DiffTable }) => {
          table.value = { Table: DiffTable }
        },
        () => {
          failed.value = true
        }
      )
    },
    { strategy: "document-ready" }
  )
  if (failed.value)
    return <ErrorState title="The comparison could not be loaded" text="Reload the page and try again." />
  if (table.value === null) return <LoadingState label="Comparing…" />
  const { Table } = table.value
  return (
    <Table before={props.before} after={props.after} beforeLabel={props.beforeLabel} afterLabel={props.afterLabel} />
  )
})
