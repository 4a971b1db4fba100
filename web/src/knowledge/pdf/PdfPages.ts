import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { AnnotationMode } from "pdfjs-dist/legacy/build/pdf.mjs"
import { EventBus, LinkTarget, PDFLinkService, PDFViewer } from "pdfjs-dist/legacy/web/pdf_viewer.mjs"
import { recordOf } from "../../core/common/decode.ts"
import { createObservable, type Observable } from "../../core/common/Observable.ts"

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

/** The pages of a PDF in an element that scrolls and that nobody else fills, shown by the library's own viewer. */
export class PdfPages {
  readonly state: Observable<PdfView>

  private readonly scroller: HTMLElement
  private readonly viewer: PDFViewer
  private readonly stop = new AbortController()
  private readonly resizes = new ResizeObserver(() => this.fitAgain())

  private constructor(scroller: HTMLElement, pdf: PDFDocumentProxy) {
    this.scroller = scroller
    this.state = createObservable<PdfView>({ page: 0, pages: pdf.numPages, zoom: 1, isFitting: true })
    const { signal } = this.stop
    const eventBus = new EventBus()
    const linkService = new PDFLinkService({ eventBus, externalLinkTarget: LinkTarget.BLANK })
    const sheet = document.createElement("div")
    sheet.className = "pdfViewer"
    scroller.replaceChildren(sheet)
    this.viewer = new PDFViewer({
      container: scroller instanceof HTMLDivElement ? scroller : document.createElement("div"),
      viewer: sheet,
      eventBus,
      linkService,
      annotationMode: AnnotationMode.ENABLE,
      maxCanvasPixels: MAX_CANVAS_PIXELS,
      ...{ abortSignal: signal }
    })
    linkService.setViewer(this.viewer)
    linkService.setDocument(pdf)
    for (const event of ["pagechanging", "scalechanging"]) eventBus.on(event, () => this.tell(), { signal })
    eventBus.on("annotationlayerrendered", () => this.nameLinks(), { signal })
    eventBus.on("pagerendered", (told: unknown) => this.sayUndrawn(told), { signal })
    scroller.addEventListener("keydown", (event) => this.onKey(event), { signal })
  }

  /** Shows a document in an element, at a page (by index); rejects if `signal` was aborted first. */
  static async show(
    scroller: HTMLElement,
    pdf: PDFDocumentProxy,
    page: number,
    signal: AbortSignal
  ): Promise<PdfPages> {
    const pages = new PdfPages(scroller, pdf)
    const ready = new Promise((resolve) => pages.viewer.eventBus.on("pagesinit", resolve, { once: true }))
    pages.viewer.setDocument(pdf)
    await ready
    if (signal.aborted) pages.destroy()
    signal.throwIfAborted()
    pages.fitWidth()
    if (page > 0) pages.goTo(page)
    pages.resizes.observe(scroller)
    return pages
  }

  /** Scrolls to a page; an index out of range leads to the first or last one. */
  goTo(index: number): void {
    this.viewer.currentPageNumber = Math.min(this.viewer.pagesCount, Math.max(1, index + 1))
  }

  /** Zooms so that the current page fills the width, also when the width changes. */
  fitWidth(): void {
    this.viewer.currentScaleValue = FIT_WIDTH
    this.tell()
  }

  /** Zooms in (1) or out (-1) by one step. */
  zoomBy(direction: 1 | -1): void {
    if (direction === 1) this.viewer.increaseScale()
    else this.viewer.decreaseScale()
    this.tell()
  }

  destroy(): void {
    this.resizes.disconnect()
    this.stop.abort()
    this.viewer.cleanup()
    this.scroller.replaceChildren()
  }

  private fitAgain(): void {
    if (this.viewer.currentScaleValue === FIT_WIDTH && this.scroller.clientWidth > 0) this.fitWidth()
  }

  private tell(): void {
    this.state.set({
      page: this.viewer.currentPageNumber - 1,
      pages: this.viewer.pagesCount,
      zoom: this.viewer.currentScale,
      isFitting: this.viewer.currentScaleValue === FIT_WIDTH
    })
  }

  /** The library gives a link no name where no text lies under it. */
  private nameLinks(): void {
    for (const link of this.scroller.querySelectorAll<HTMLAnchorElement>(
      ".linkAnnotation > a:not([title], [aria-label])"
    )) {
      const isWithin = link.closest("[data-internal-link]") !== null
      link.setAttribute("aria-label", isWithin ? "Go to another place in the document" : link.href)
    }
  }

  /** A page that cannot be drawn says so in its place. */
  private sayUndrawn(told: unknown): void {
    const { error, pageNumber } = recordOf(told) ?? {}
    const page = error ? this.scroller.querySelector(`.page[data-page-number="${pageNumber}"]`) : null
    if (page !== null) page.textContent = "This page cannot be drawn."
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { page } = this.state.get()
    // A page wider than the room scrolls sideways by these keys.
    const isWide = this.viewer.getPageView(page)?.width > this.scroller.clientWidth
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => this.zoomBy(1),
      "=": () => this.zoomBy(1),
      "-": () => this.zoomBy(-1),
      "0": () => this.fitWidth(),
      ...(isWide ? {} : { ArrowLeft: () => this.goTo(page - 1), ArrowRight: () => this.goTo(page + 1) })
    }
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}
