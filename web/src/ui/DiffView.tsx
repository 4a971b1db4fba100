import { component$ } from "@builder.io/qwik"
import { LOADS_LATER } from "../base/followPart.ts"
import { usePart } from "../base/usePart.ts"
import { say } from "../core/language/say.ts"
import type { DiffViewProps } from "./DiffTable.tsx"
import { ErrorState } from "./ErrorState.tsx"
import { LoadingState } from "./LoadingState.tsx"

/**
 * Two texts compared line by line: side by side if there is room, otherwise one below the other. Loads its parts
 * itself.
 */
export const DiffView = component$<DiffViewProps>((props) => {
  const arriving = usePart(() => import("./DiffTable.tsx"))
  const { part, failed } = arriving.value
  if (failed) return <ErrorState title={say("Couldn't load the comparison")} text={LOADS_LATER} />
  if (part === null) return <LoadingState label={say("Comparing…")} />
  return (
    <part.DiffTable
      about={props.about}
      before={props.before}
      after={props.after}
      beforeLabel={props.beforeLabel}
      afterLabel={props.afterLabel}
    />
  )
})
