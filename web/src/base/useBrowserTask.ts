import { implicit$FirstArg, useVisibleTaskQrl } from "@builder.io/qwik"

type Task = Parameters<typeof useVisibleTaskQrl>[0]

export const useBrowserTaskQrl = (task: Task): void => useVisibleTaskQrl(task, { strategy: "document-ready" })

/**
 * Runs a task once the component is on the page, and again when something that it tracks changes. Qwik's own
 * `useVisibleTask$` would run it once more when the component comes into view.
 */
export const useBrowserTask$ = implicit$FirstArg(useBrowserTaskQrl)
