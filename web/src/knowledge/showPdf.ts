import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  VerbosityLevel,
  version
} from "pdfjs-dist/legacy/build/pdf.mjs"
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { EventBus, LinkTarget, PDFLinkService, PDFViewer } from "pdfjs-dist/legacy/web/pdf_viewer.mjs"
import { recordOf } from "../../../src/contract/looseFields.ts"
import { below } from "../core/common/basePath.ts"
import { createObservable, type Readable } from "../core/common/Observable.ts"
import { MAX_PDF_BYTES, PdfNotSent, TooLargePdf } from "../core/knowledge/pdf/pdfProblem.ts"
import { say } from "../core/language/say.ts"
import { isForeign } from "../core/link/ApiClient.ts"

/** Maximum pixels of a picture in a PDF; larger ones are left out, so a small file can't fill the memory. */
const MAX_IMAGE_PIXELS = 2 ** 27

/** An open PDF. */
interface OpenPdf {
  readonly document: PDFDocumentProxy
  /** In bytes. */
  readonly size: number
  /** Ends its worker and frees everything it holds. */
  readonly close: () => void
}

const bytesOf = async (address: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
  const response = await fetch(address, { signal })
  if (isForeign(response)) throw new PdfNotSent(0)
  if (!response.ok) throw new PdfNotSent(response.status)
  if (Number(response.headers.get("content-length")) > MAX_PDF_BYTES) throw new TooLargePdf()
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Fetches a PDF of at most `MAX_PDF_BYTES` and opens it in its own worker; rejects with an error that `pdfProblem`
 * explains. Nothing in it runs: scripts and forms need parts of the library that aren't loaded, and the page's policy
 * allows no WebAssembly, so its decoders are the JavaScript ones.
 */
const openPdf = async (address: string, signal: AbortSignal): Promise<OpenPdf> => {
  const data = await bytesOf(address, signal)
  signal.throwIfAborted()
  const size = data.byteLength
  GlobalWorkerOptions.workerSrc = workerUrl
  const parts = `${window.location.origin}${below(`/assets/pdf-${version}/`)}`
  const task = getDocument({
    data,
    cMapUrl: `${parts}cmaps/`,
    standardFontDataUrl: `${parts}standard_fonts/`,
    wasmUrl: `${parts}wasm/`,
    useWasm: false,
    // Ours have the widths the format requires, whatever fonts a device has.
    useSystemFonts: false,
    enableXfa: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS
  })
  const close = () => void task.destroy().catch(() => {})
  signal.addEventListener("abort", close)
  try {
    return { document: await task.promise, size, close }
  } catch (failure) {
    close()
    throw failure
  }
}

/** Most pixels of a canvas: more than this some browsers draw as nothing, and phones run out of memory. */
const MAX_CANVAS_PIXELS = 12_000_000
const FIT_WIDTH = "page-width"

/** What the bar above the pages shows. */
export interface PdfView {
  /** Index of the current page. */
  readonly page: number
  readonly pages: number
  readonly zoom: number
  /** The zoom follows the available width. */
  readonly isFitting: boolean
}

export interface PdfPages {
  readonly state: Readable<PdfView>
  /** Scrolls to a page; an index out of range leads to the first or last one. */
  goTo(index: number): void
  /** Zooms so that the current page fills the width, also when the width changes. */
  fitWidth(): void
  /** Zooms in (1) or out (-1) by one step. */
  zoomBy(direction: 1 | -1): void
  destroy(): void
}

/**
 * The pages of a PDF in an element that scrolls and that nobody else fills, shown by the library's own viewer, from a
 * page (by index); rejects if `signal` was aborted before they are there.
 */
async function createPdfPages(
  scroller: HTMLElement,
  pdf: PDFDocumentProxy,
  page: number,
  signal: AbortSignal
): Promise<PdfPages> {
  const state = createObservable<PdfView>({ page: 0, pages: pdf.numPages, zoom: 1, isFitting: true })
  const stop = new AbortController()
  const resizes = new ResizeObserver(() => fitAgain())
  const eventBus = new EventBus()
  const linkService = new PDFLinkService({ eventBus, externalLinkTarget: LinkTarget.BLANK })
  const sheet = document.createElement("div")
  sheet.className = "pdfViewer"
  scroller.replaceChildren(sheet)
  const viewer = new PDFViewer({
    container: scroller instanceof HTMLDivElement ? scroller : document.createElement("div"),
    viewer: sheet,
    eventBus,
    linkService,
    annotationMode: AnnotationMode.ENABLE,
    maxCanvasPixels: MAX_CANVAS_PIXELS,
    ...{ abortSignal: stop.signal }
  })

  function goTo(index: number): void {
    viewer.currentPageNumber = Math.min(viewer.pagesCount, Math.max(1, index + 1))
  }

  function fitWidth(): void {
    viewer.currentScaleValue = FIT_WIDTH
    update()
  }

  function zoomBy(direction: 1 | -1): void {
    if (direction === 1) viewer.increaseScale()
    else viewer.decreaseScale()
    update()
  }

  function destroy(): void {
    resizes.disconnect()
    stop.abort()
    viewer.cleanup()
    scroller.replaceChildren()
  }

  function fitAgain(): void {
    if (viewer.currentScaleValue === FIT_WIDTH && scroller.clientWidth > 0) fitWidth()
  }

  const update = () =>
    state.set({
      page: viewer.currentPageNumber - 1,
      pages: viewer.pagesCount,
      zoom: viewer.currentScale,
      isFitting: viewer.currentScaleValue === FIT_WIDTH
    })

  /** The library gives a link no name where no text lies under it. */
  function nameLinks(): void {
    const unnamed = ".linkAnnotation > a:not([title], [aria-label])"
    for (const link of scroller.querySelectorAll<HTMLAnchorElement>(unnamed)) {
      const isWithin = link.closest("[data-internal-link]") !== null
      link.setAttribute("aria-label", isWithin ? say("Go to another place in the document") : link.href)
    }
  }

  /** A page that cannot be drawn says so in its place. */
  function markUndrawn(event: unknown): void {
    const { error, pageNumber } = recordOf(event) ?? {}
    const undrawn = error ? scroller.querySelector(`.page[data-page-number="${pageNumber}"]`) : null
    if (undrawn !== null) undrawn.textContent = say("This page can't be shown.")
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { page: current } = state.get()
    // A page wider than the room scrolls sideways by these keys.
    const isWide = viewer.getPageView(current)?.width > scroller.clientWidth
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => zoomBy(1),
      "=": () => zoomBy(1),
      "-": () => zoomBy(-1),
      "0": () => fitWidth(),
      ...(isWide ? {} : { ArrowLeft: () => goTo(current - 1), ArrowRight: () => goTo(current + 1) })
    }
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  linkService.setViewer(viewer)
  linkService.setDocument(pdf)
  const listening = { signal: stop.signal }
  for (const event of ["pagechanging", "scalechanging"]) eventBus.on(event, () => update(), listening)
  eventBus.on("annotationlayerrendered", () => nameLinks(), listening)
  eventBus.on("pagerendered", (event: unknown) => markUndrawn(event), listening)
  scroller.addEventListener("keydown", (event) => onKey(event), listening)
  const ready = new Promise((resolve) => eventBus.on("pagesinit", resolve, { once: true }))
  viewer.setDocument(pdf)
  await ready
  if (signal.aborted) destroy()
  signal.throwIfAborted()
  fitWidth()
  if (page > 0) goTo(page)
  resizes.observe(scroller)
  return { state, goTo, fitWidth, zoomBy, destroy }
}

/** A PDF on the screen. */
interface DrawnPdf {
  readonly pages: PdfPages
  /** In bytes. */
  readonly size: number
}

/**
 * Opens a PDF and shows its pages in an empty element, at a page (by index), until `signal` is aborted. Rejects with
 * an error that `pdfProblem` explains.
 */
export const showPdf = async (
  scroller: HTMLElement,
  address: string,
  page: number,
  signal: AbortSignal
): Promise<DrawnPdf> => {
  const { document: pdf, size } = await openPdf(address, signal)
  const pages = await createPdfPages(scroller, pdf, page, signal)
  signal.addEventListener("abort", () => pages.destroy())
  return { pages, size }
}
