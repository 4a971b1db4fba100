import { $, component$, type QRL, useConstant, useSignal } from "@builder.io/qwik"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { useCommands } from "../base/useCommands.ts"
import { nameOf } from "../core/knowledge/fileNodes.ts"
import { type PdfProblem, pdfProblem } from "../core/knowledge/pdf/pdfProblem.ts"
import { ErrorState } from "../ui/ErrorState.tsx"
import { LoadingState } from "../ui/LoadingState.tsx"
import { downloadPath, viewerPath } from "./fileActions.ts"
import { useKnowledge } from "./KnowledgeContext.ts"
import type { PdfPages, PdfView } from "./showPdf.ts"
import "./pdf.css"
import { say } from "../core/language/say.ts"
import { IconButton } from "../ui/IconButton.tsx"

/** The bar's requests to the pages. */
type PdfWish =
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
const PdfBar = component$<PdfBarProps>((props) => {
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
        <IconButton
          icon="minus"
          label={say("Zoom out")}
          title={say("Zoom out (-)")}
          onClick$={() => props.onWish$({ kind: "zoom", direction: -1 })}
        />
        <output aria-label={say("Zoom")}>{`${Math.round(zoom * 100)}%`}</output>
        <IconButton
          icon="plus"
          label={say("Zoom in")}
          title={say("Zoom in (+)")}
          onClick$={() => props.onWish$({ kind: "zoom", direction: 1 })}
        />
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

interface PdfPreviewProps {
  readonly path: string
  /** A new number whenever the file changes. */
  readonly changes: number
}

/** A PDF, drawn page by page; its library loads with the first one opened. */
export const PdfPreview = component$<PdfPreviewProps>((props) => {
  const knowledge = useKnowledge()
  const scroller = useSignal<HTMLElement>()
  const view = useSignal<PdfView | null>(null)
  const problem = useSignal<PdfProblem | null>(null)
  const tries = useSignal(0)
  const holder = useConstant<{ pages: PdfPages | null }>(() => ({ pages: null }))

  useBrowserTask$(({ track, cleanup }) => {
    const path = track(() => props.path)
    track(() => props.changes)
    track(() => tries.value)
    const element = scroller.value
    if (element === undefined) return
    const stop = new AbortController()
    const { signal } = stop
    problem.value = null
    import("./showPdf.ts")
      .then(({ showPdf }) => showPdf(element, downloadPath(knowledge.agent, path), view.value?.page ?? 0, signal))
      .then(({ pages }) => {
        if (signal.aborted) return
        holder.pages = pages
        pages.state.subscribe((next) => {
          view.value = next
        })
        view.value = pages.state.get()
      })
      .catch((failure) => {
        if (signal.aborted) return
        problem.value = pdfProblem(failure)
        view.value = null
      })
    cleanup(() => {
      stop.abort()
      holder.pages = null
    })
  })

  useCommands(() => [
    { id: "pdf.in", label: say("Zoom in"), group: "PDF", keys: "+", helpOnly: true, run: () => {} },
    { id: "pdf.out", label: say("Zoom out"), group: "PDF", keys: "-", helpOnly: true, run: () => {} },
    { id: "pdf.fit", label: say("Fit to width"), group: "PDF", keys: "0", helpOnly: true, run: () => {} },
    { id: "pdf.next", label: say("Next page"), group: "PDF", keys: "arrowright", helpOnly: true, run: () => {} },
    {
      id: "pdf.previous",
      label: say("Previous page"),
      group: "PDF",
      keys: "arrowleft",
      helpOnly: true,
      run: () => {}
    }
  ])

  const act = $((wish: PdfWish) => {
    const { pages } = holder
    if (wish.kind === "page") pages?.goTo(wish.index)
    if (wish.kind === "zoom") pages?.zoomBy(wish.direction)
    if (wish.kind === "fit") pages?.fitWidth()
  })

  const name = nameOf(props.path)
  const ownViewer = viewerPath(knowledge.agent, props.path)
  const failed = problem.value
  const title = failed?.title ?? ""
  const text = failed?.text ?? ""
  return (
    <div class="flex-column grow pdf" data-pdf={failed !== null ? "failed" : view.value === null ? "loading" : "shown"}>
      {view.value !== null && <PdfBar view={view.value} address={ownViewer} onWish$={act} />}
      <div class="pdf-room" hidden={failed !== null}>
        {view.value === null && failed === null && <LoadingState label={say("Loading the PDF…")} />}
        <div
          ref={scroller}
          class="pdf-pages"
          tabIndex={0}
          role="region"
          aria-label={say("Pages of {name}", { name })}
        />
      </div>
      {failed !== null && (
        <ErrorState
          title={title}
          text={text}
          {...(failed.mayPass
            ? {
                onRetry$: $(() => {
                  tries.value++
                })
              }
            : {})}
        >
          <div class="wrap gap-2 file-choices">
            <a class="button" href={ownViewer} target="_blank" rel="noopener">
              {say("Open in a new tab")}
            </a>
            <a class="button" href={downloadPath(knowledge.agent, props.path)} download>
              {say("Download")}
            </a>
          </div>
        </ErrorState>
      )}
    </div>
  )
})
