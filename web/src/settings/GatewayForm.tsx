import { $, component$, type QRL, useId, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { keptValues, useKept } from "../base/useKept.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import type { GatewayInput } from "../core/gateways/GatewaysStore.ts"
import { needsToken } from "../core/gateways/gatewayText.ts"
import { say } from "../core/language/say.ts"
import { Field } from "../ui/Field.tsx"

interface GatewayFormProps {
  /** Null for a new one. */
  readonly before: { readonly name: string; readonly url: string } | null
  /** The console has none yet: it's named after its host, and what is entered is tried at once. */
  readonly isFirst?: boolean
  readonly onSave$: QRL<(input: GatewayInput) => Promise<ActionResult>>
  readonly onCancel$?: QRL<() => void>
}

const ADDRESS = /^(?:https?|wss?):\/\/./i

/** What was typed, but for tokens. */
const names = keptValues<string>()
const urls = keptValues<string>()

/** Adds a gateway, or changes one. */
export const GatewayForm = component$<GatewayFormProps>((props) => {
  const id = useId()
  const { before, isFirst = false } = props
  const key = before?.url ?? ""
  const name = useKept(names, key, () => before?.name ?? "")
  const url = useKept(urls, key, () => before?.url ?? "")
  const token = useSignal("")
  const busy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const urlProblem = useSignal<string | null>(null)
  const isTokenNeeded = before === null || needsToken(before.url, url.value)

  // It was asked for: what was pressed for it is gone.
  useBrowserTask$(() => {
    if (props.isFirst !== true) document.getElementById(`${id}-name`)?.focus()
  })

  const forget = $(() => {
    names.delete(key)
    urls.delete(key)
  })
  const cancel = $(async () => {
    await forget()
    await props.onCancel$?.()
  })
  const save = $(async () => {
    const isEmpty = url.value.trim() === ""
    urlProblem.value =
      isEmpty || ADDRESS.test(url.value.trim()) ? null : say("Start it with http, https, ws or wss, and add the port.")
    problem.value = null
    if (urlProblem.value !== null) document.getElementById(`${id}-url`)?.focus()
    else if (isEmpty || (name.value.trim() === "" && props.isFirst !== true))
      problem.value = say("Enter a name and an address.")
    else if (isTokenNeeded && token.value.trim() === "")
      problem.value = say("Enter the token of the gateway at this address.")
    else {
      busy.value = true
      const address = url.value.trim()
      const called = props.isFirst === true && URL.canParse(address) ? new URL(address).hostname : name.value.trim()
      const done = await props.onSave$({ name: called, url: address, token: token.value.trim() })
      busy.value = false
      problem.value = done.ok ? null : done.message
      if (done.ok) forget()
    }
  })

  return (
    <form
      class="stack gap-4 can-shrink gateway-form"
      aria-labelledby={`${id}-title`}
      noValidate
      preventdefault:submit
      onSubmit$={save}
    >
      <h2 id={`${id}-title`}>
        {isFirst
          ? say("Another address")
          : before === null
            ? say("Add a gateway")
            : say("Change {name}", { name: before.name })}
      </h2>
      {!isFirst && (
        <Field label={say("Name")} for={`${id}-name`}>
          <input
            id={`${id}-name`}
            class="field"
            type="text"
            maxLength={80}
            autoComplete="off"
            placeholder={say("Work")}
            bind:value={name}
          />
        </Field>
      )}
      <Field label={say("Address")} for={`${id}-url`} error={urlProblem.value}>
        <input
          id={`${id}-url`}
          class="field"
          type="url"
          autoComplete="off"
          placeholder={say("https://agents.example:18789")}
          aria-describedby={`${id}-url-hint`}
          aria-invalid={urlProblem.value === null ? undefined : "true"}
          bind:value={url}
        />
      </Field>
      <Field
        label={say("Token")}
        for={`${id}-token`}
        hint={
          isTokenNeeded
            ? say("The gateway's shared token. It stays on the console's server.")
            : say("Leave empty to keep the stored one.")
        }
        error={problem.value}
      >
        <input
          id={`${id}-token`}
          class="field"
          type="password"
          autoComplete="off"
          aria-describedby={`${id}-token-hint`}
          bind:value={token}
        />
      </Field>
      <div class="flex gap-2">
        <button type="submit" class="button is-primary" disabled={busy.value}>
          {isFirst ? say("Test and connect") : before === null ? say("Add gateway") : say("Save")}
        </button>
        {props.onCancel$ !== undefined && (
          <button type="button" class="button" onClick$={cancel}>
            {say("Cancel")}
          </button>
        )}
      </div>
    </form>
  )
})
