import { $, component$, useSignal } from "@builder.io/qwik"
import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import type { Model } from "../../../src/contract/schema/session.ts"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useReadable } from "../base/useReadable.ts"
import { useSelected } from "../base/useSelected.ts"
import { wholeNumber } from "../core/common/numberText.ts"
import type { ActionResult } from "../core/common/Observable.ts"
import {
  chooseLater,
  type ModelChoice,
  type ModelOption,
  modelChoices,
  modelGroups
} from "../core/composer/modelChoice.ts"
import { gatewayOfKey } from "../core/gateways/gatewayMark.ts"
import { say } from "../core/language/say.ts"
import { costLabel, readModels, thinkingChoices } from "../core/sessions/sessionChoices.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"
import { contextShare, costText } from "../sessions/sessionPresentation.ts"
import { Icon } from "../ui/Icon.tsx"
import { chatRequest } from "./chatRequest.ts"

/** How full the context is and what the session has cost. */
export const SessionFigures = component$<{ readonly row: SessionRow }>((props) => {
  const row = props.row
  const { hello } = useServices().client.linkOf(row.key)
  const share = contextShare(row)
  const cost = costText(row.cost)
  if (share === null && row.contextTokens === null && cost === "") return null
  return (
    <div class="context">
      {share === null && row.contextTokens !== null && (
        <p>
          {say("Context: unknown until the next response (of {size} tokens)", { size: wholeNumber(row.contextTokens) })}
        </p>
      )}
      {share !== null && (
        <>
          <p id="context-label">
            {say("Context: {used} of {size} tokens", {
              used: wholeNumber(row.totalTokens ?? 0),
              size: wholeNumber(row.contextTokens ?? 0)
            })}
          </p>
          <meter min={0} max={1} low={0.7} high={0.9} optimum={0} value={share} aria-labelledby="context-label" />
        </>
      )}
      {cost !== "" && <p>{`${costLabel(hello.get()?.protocol)}: ${cost}`}</p>}
    </div>
  )
})

const MARGIN = 8
const GAP = 6

/** Keeps a panel above its button, as far as the window lets it, until the returned function is called. */
const placeAbove = (panel: HTMLElement, button: Element): (() => void) => {
  const place = () => {
    const at = button.getBoundingClientRect()
    const width = document.documentElement.clientWidth
    const end = getComputedStyle(panel).direction === "rtl" ? at.left : width - at.right
    const most = Math.max(MARGIN, width - MARGIN - panel.offsetWidth)
    panel.style.setProperty("--panel-end", `${Math.min(Math.max(MARGIN, end), most)}px`)
    panel.style.setProperty("--panel-bottom", `${window.innerHeight - at.top + GAP}px`)
    panel.style.setProperty("--panel-height", `${at.top - GAP - MARGIN}px`)
  }
  const seen = new ResizeObserver(place)
  place()
  seen.observe(button)
  seen.observe(document.documentElement)
  return () => seen.disconnect()
}

const STANDARD: ModelOption = { id: null, label: say("Gateway default"), hint: "" }

const fullModel = (row: SessionRow | null): string | null =>
  row?.model == null ? null : row.modelProvider === null ? row.model : `${row.modelProvider}/${row.model}`

/** A session's model, how much it thinks, and the size of the conversation, above the composer; below on a phone. */
export const ModelPanel = component$<{ readonly sessionKey: string }>((props) => {
  const app = useServices()
  const { sessions } = app.client
  const key = props.sessionKey
  const gatewayId = gatewayOfKey(key)
  const row = useSelected(sessions.state, ({ rows }) => rows.find((other) => other.key === key) ?? null)
  const choices = useReadable(modelChoices)
  const panel = useSignal<HTMLElement>()
  const models = useSignal<ReadonlyArray<Model>>([])
  const query = useSignal("")
  const marked = useSignal<number | null>(null)
  const said = useSignal({ text: say("Loading models…"), isError: false })
  const busy = useSignal(false)

  useBrowserTask$(async () => {
    const answer = await readModels(app.client.api, gatewayId === PRIMARY ? undefined : gatewayId)
    said.value = { text: answer.ok ? "" : answer.error.message, isError: !answer.ok }
    if (answer.ok) models.value = answer.value
  })

  useBrowserTask$(({ cleanup }) => {
    const popup = panel.value
    const button = document.getElementById("composer-model")
    if (popup === undefined || button === null) return
    const isOwn = (target: EventTarget | null) =>
      target instanceof Node && (popup.contains(target) || button.contains(target))
    const close = () => chatRequest.set(null)
    const onPress = ({ target }: Event) => {
      if (!isOwn(target)) close()
    }
    const onLeave = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null && !isOwn(relatedTarget)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      event.preventDefault()
      event.stopPropagation()
      close()
    }
    popup.showPopover()
    const leave = placeAbove(popup, button)
    const field = popup.querySelector("input")
    // A keyboard that comes up by itself would cover the list on a phone.
    if (window.matchMedia("(pointer: fine)").matches) field?.focus()
    else popup.focus()
    document.addEventListener("pointerdown", onPress)
    document.addEventListener("keydown", onKey, true)
    popup.addEventListener("focusout", onLeave)
    cleanup(() => {
      const hadFocus = popup.contains(document.activeElement) || document.activeElement === document.body
      leave()
      document.removeEventListener("pointerdown", onPress)
      document.removeEventListener("keydown", onKey, true)
      popup.removeEventListener("focusout", onLeave)
      if (hadFocus) button.focus()
    })
  })

  const shown = row.value
  const chosen = choices.value.get(key)
  const model = chosen?.model === undefined ? fullModel(shown) : chosen.model
  const level = (chosen?.thinking === undefined ? shown?.thinkingLevel : chosen.thinking) ?? ""
  const found = modelGroups(models.value, query.value)
  const groups = query.value.trim() === "" ? [{ provider: "", options: [STANDARD] }, ...found] : found
  const options = groups.flatMap((group) => group.options)
  const present = options.findIndex(({ id }) => id === model)
  const at = marked.value === null ? present : Math.min(marked.value, options.length - 1)

  useBrowserTask$(({ track }) => {
    track(marked)
    track(models)
    panel.value?.querySelector(".model-option.is-marked")?.scrollIntoView({ block: "nearest" })
  })

  const apply = $(async (choice: ModelChoice, done: string) => {
    if (busy.value) return
    if (sessions.find(key) === null) {
      chooseLater(key, choice)
      said.value = { text: say("Used from the first message on."), isError: false }
      return
    }
    busy.value = true
    const change: Promise<ActionResult> =
      choice.model === undefined
        ? sessions.setThinking(key, choice.thinking ?? null)
        : sessions.setModel(key, choice.model)
    const result = await change
    await sessions.refresh()
    busy.value = false
    said.value = result.ok ? { text: done, isError: false } : { text: result.message, isError: true }
  })

  const choose = $((option: ModelOption | undefined) => {
    if (option === undefined) return
    return apply({ model: option.id }, say("{model} answers from the next message on.", { model: option.label }))
  })

  return (
    <div
      ref={panel}
      class="model-panel"
      popover="manual"
      role="dialog"
      tabIndex={-1}
      aria-label={say("Model and thinking")}
      aria-busy={busy.value ? "true" : "false"}
    >
      <div class="row gap-2 no-shrink soft model-search">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label={say("Search models")}
          aria-expanded="true"
          aria-controls="model-list"
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `model-${at}` : undefined}
          placeholder={say("Search models")}
          autocomplete="off"
          spellcheck={false}
          onInput$={(_, field) => {
            query.value = field.value
            marked.value = field.value.trim() === "" ? null : 0
          }}
          onKeyDown$={(event) => {
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
            if (step !== 0 && options.length > 0) {
              event.preventDefault()
              marked.value = (at + step + options.length) % options.length
            }
            if (event.key === "Enter") choose(options[at])
          }}
        />
      </div>
      <div id="model-list" class="model-list" role="listbox" tabIndex={-1} aria-label={say("Models")}>
        {groups.map((group) => (
          <div key={group.provider} role="group" aria-label={group.provider === "" ? say("Default") : group.provider}>
            {group.provider !== "" && (
              <p class="soft tiny strong model-provider" aria-hidden="true">
                {group.provider}
              </p>
            )}
            {group.options.map((option) => {
              const index = options.indexOf(option)
              return (
                <div
                  key={option.id ?? ""}
                  id={`model-${index}`}
                  role="option"
                  tabIndex={-1}
                  class={["model-option", index === at && "is-marked"]}
                  aria-selected={index === present ? "true" : "false"}
                  preventdefault:mousedown
                  onClick$={() => choose(option)}
                >
                  <span class="model-tick">{index === present && <Icon name="check" />}</span>
                  <span class="model-name">{option.label}</span>
                  {option.hint !== "" && <span class="can-shrink soft tiny truncate">{option.hint}</span>}
                </div>
              )
            })}
          </div>
        ))}
        {options.length === 0 && <p class="soft small model-none">{say("No model has these words in its name.")}</p>}
      </div>
      <fieldset class="model-thinking">
        <legend>{say("Thinking")}</legend>
        {[{ id: "", label: say("Default") }, ...thinkingChoices(shown)].map(({ id, label }) => (
          <label key={id}>
            <input
              type="radio"
              class="visually-hidden"
              name="session-thinking"
              value={id}
              checked={id === level}
              onChange$={() =>
                apply(
                  { thinking: id === "" ? null : id },
                  say("Thinking is {level} from the next message on.", { level: label.toLowerCase() })
                )
              }
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {shown !== null && <SessionFigures row={shown} />}
      <p
        class={["no-shrink soft small model-said", said.value.isError && "is-error"]}
        role={said.value.isError ? "alert" : "status"}
      >
        {said.value.text}
      </p>
    </div>
  )
})
