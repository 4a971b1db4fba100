import { type Signal, useSignal } from "@builder.io/qwik"
import { useServices } from "./AppContext.ts"
import { useBrowserTask$ } from "./useBrowserTask.ts"

/** The words of a filter, at first and whenever the address brings some (`?find=`). */
export const useFindQuery = (): Signal<string> => {
  const { location } = useServices().router
  const words = useSignal(() => new URLSearchParams(location.get().search).get("find") ?? "")
  useBrowserTask$(({ cleanup }) =>
    cleanup(
      location.subscribe(({ search }) => {
        const find = new URLSearchParams(search).get("find")
        if (find !== null) words.value = find
      })
    )
  )
  return words
}
