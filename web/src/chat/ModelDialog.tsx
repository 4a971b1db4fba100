import { $, component$, useConstant, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import type { Model } from "../../../src/contract/answers/GatewayAnswers.ts"
import { useServices } from "../base/AppContext.ts"
import { selectReadable } from "../base/selectReadable.ts"
import { useReadable } from "../base/useReadable.ts"
import { wholeNumber } from "../core/common/numberText.ts"
import type { ActionResult } from "../core/common/readable.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { costLabel } from "../core/sessions/costLabel.ts"
import { readModels } from "../core/sessions/models.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { thinkingChoices } from "../core/sessions/thinking.ts"
import { contextShare, costText } from "../sessions/sessionPresentation.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { chatRequest } from "./chatRequest.ts"
import "./modelDialog.css"

const fullModel = (row: SessionRow | null): string =>
  row?.model == null ? "" : row.modelProvider === null ? row.model : `${row.modelProvider}/${row.model}`

/** How full the context is and what the session has cost. */
const Figures = component$<{ readonly row: SessionRow }>((props) => {
  const row = props.row
  const { hello } = useServices().client.linkOf(row.key)
  const share = contextShare(row)
  const cost = costText(row.cost)
  if (share === null) return null
  return (
    <div class="context">
      <p id="context-label">
        {`Context: ${wholeNumber(row.totalTokens ?? 0)} of ${wholeNumber(row.contextTokens ?? 0)} tokens`}
      </p>
      <meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} aria-labelledby="context-label" />
      {cost !== "" && <p>{`${costLabel(hello.get()?.protocol)}: ${cost}`}</p>}
    </div>
  )
})

/** A session's model, how much it thinks, and the size of the conversation. */
export const ModelDialog = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const key = props.sessionKey
  const gatewayId = gatewayOfKey(key)
  const row = useReadable(
    useConstant(() =>
      selectReadable(
        app.client.sessions.state,
        (state) => state.rows.find((candidate) => candidate.key === key) ?? null
      )
    )
  )
  const models = useSignal<ReadonlyArray<Model>>([])
  const status = useSignal<string>("Loading models…")
  const error = useSignal<string | null>(null)
  const busy = useSignal(false)

  useVisibleTask$(
    async () => {
      const answer = await readModels(app.client.api, gatewayId === "primary" ? undefined : gatewayId)
      status.value = answer.ok ? "" : answer.error.message
      if (answer.ok) models.value = answer.value
    },
    { strategy: "document-ready" }
  )

  const close = $(() => chatRequest.set(null))
  const apply = $(async (change: Promise<ActionResult>) => {
    busy.value = true
    const done = await change
    await app.client.sessions.refresh()
    busy.value = false
    error.value = done.ok ? null : done.message
  })

  const current = fullModel(row.value)
  const shown = row.value
  const isListed = models.value.some(({ id }) => id === current)
  const level = row.value?.thinkingLevel ?? ""
  return (
    <Dialog title="Model and thinking" size="small" onClose$={close}>
      <div class="form-stack">
        <Field label="Model" for="session-model" hint={status.value} error={error.value}>
          <select
            id="session-model"
            class="field"
            data-autofocus
            disabled={busy.value}
            aria-describedby="session-model-hint"
            onChange$={(_, element) =>
              apply(app.client.sessions.setModel(key, element.value === "" ? null : element.value))
            }
          >
            <option value="">Gateway default</option>
            {current !== "" && !isListed && (
              <option value={current} selected>
                {current}
              </option>
            )}
            {models.value.map(({ id, label }) => (
              <option key={id} value={id} selected={id === current}>
                {label === id ? id : `${label} (${id})`}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Thinking" for="session-thinking" hint="More thinking takes longer and costs more.">
          <select
            id="session-thinking"
            class="field"
            disabled={busy.value}
            aria-describedby="session-thinking-hint"
            onChange$={(_, element) =>
              apply(app.client.sessions.setThinking(key, element.value === "" ? null : element.value))
            }
          >
            <option value="" selected={level === ""}>
              Model default
            </option>
            {thinkingChoices(row.value).map(({ id, label }) => (
              <option key={id} value={id} selected={id === level}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        {shown !== null && <Figures row={shown} />}
      </div>
    </Dialog>
  )
})
