import { component$, type QRL } from "@builder.io/qwik"
import { say } from "../core/language/say.ts"
import { Icon } from "../ui/Icon.tsx"
import type { PdfView } from "./pdf/PdfPages.ts"

/** The bar's requests to the pages. */
export type PdfWish =
  | { readonly kind: "page"; readonly index: number }
  | { readonly kind: "zoom"; readonly direction: 1 | -1 }
  | { readonly kind: "fit" }

interface PdfBarProps {
  readonly view: PdfView
  /** Opens the file in the browser's own viewer. */
  readonly address: string
  readonly onWish$: QRL<(wish: PdfWish) => void>
}

/** Page and zoom of a PDF. */
export const PdfBar = component$<PdfBarProps>((props) => {
  const { page, pages, zoom, isFitting } = props.view
  return (
    <div class="row wrap no-shrink small pdf-bar" role="group" aria-label={say("Page and zoom")}>
      <label class="row gap-2 soft tabular nowrap pdf-page-field">
        <span>{say("Page")}</span>
        <input
          class="field"
          inputMode="numeric"
          autoComplete="off"
          value={String(page + 1)}
          style={{ inlineSize: `${String(pages).length + 3}ch` }}
          onFocus$={(_, field) => field.select()}
          onChange$={async (_, field) => {
            const wanted = Number.parseInt(field.value, 10)
            if (Number.isFinite(wanted)) await props.onWish$({ kind: "page", index: wanted - 1 })
            field.value = String(props.view.page + 1)
          }}
        />
        <span>{say("of {pages}", { pages })}</span>
      </label>
      <div class="row pdf-zoom">
        <button
          type="button"
          class="icon-button"
          aria-label={say("Zoom out")}
          title={say("Zoom out (-)")}
          onClick$={() => props.onWish$({ kind: "zoom", direction: -1 })}
        >
          <Icon name="minus" />
        </button>
        <output aria-label={say("Zoom")}>{`${Math.round(zoom * 100)}%`}</output>
        <button
          type="button"
          class="icon-button"
          aria-label={say("Zoom in")}
          title={say("Zoom in (+)")}
          onClick$={() => props.onWish$({ kind: "zoom", direction: 1 })}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="button is-small"
          aria-pressed={isFitting ? "true" : "false"}
          title={say("Fit to width (0)")}
          onClick$={() => props.onWish$({ kind: "fit" })}
        >
          {say("Fit width")}
        </button>
      </div>
      <a class="button is-small push-end pdf-elsewhere" href={props.address} target="_blank" rel="noopener">
        {say("Open in a new tab")}
      </a>
    </div>
  )
})
