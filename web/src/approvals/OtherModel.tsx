import { $, component$, useSignal } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { taskPath } from "../base/routes.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { say } from "../core/language/say.ts"
import { readModels } from "../core/sessions/sessionChoices.ts"

interface OtherModelProps {
  readonly taskId: string
  readonly gatewayId: string
  readonly isDisabled: boolean
}

interface Listed {
  readonly items: ReadonlyArray<{ readonly model?: string }>
}

/** Runs a card whose run failed again, with a model that it didn't have. */
export const OtherModel = component$<OtherModelProps>((props) => {
  const app = useServices()
  const model = useSignal<{ readonly id: string; readonly label: string } | null>(null)
  const busy = useSignal(false)
  useBrowserTask$(async () => {
    const { api } = app.client
    const [models, failed] = await Promise.all([
      readModels(api, props.gatewayId),
      api.request("GET", `/api/kanban/tasks?${new URLSearchParams({ ids: props.taskId })}`, ({ items }: Listed) => ({
        model: items[0]?.model
      }))
    ])
    if (!models.ok || !failed.ok) return
    // Without a model of its own, the card had the gateway's default, which is the first.
    const had = failed.value.model ?? models.value[0]?.id
    model.value = models.value.find(({ id }) => id !== had) ?? null
  })
  const run = $(async () => {
    const { taskId } = props
    busy.value = true
    const path = `/api/kanban/tasks/${encodeURIComponent(taskId)}/execute`
    const started = await app.client.api.request("POST", path, (): true => true, {
      body: { model: model.value?.id ?? "" }
    })
    busy.value = false
    if (!started.ok) app.notices.show("error", started.error.message)
    else
      app.notices.offer(say("Started with {model}.", { model: model.value?.label ?? "" }), {
        label: say("Open"),
        run: () => app.router.navigate(taskPath(taskId))
      })
  })
  const label = model.value?.label
  if (label === undefined) return null
  return (
    <button type="button" class="button is-small" disabled={busy.value || props.isDisabled} onClick$={run}>
      {say("Run with {model}", { model: label })}
    </button>
  )
})
