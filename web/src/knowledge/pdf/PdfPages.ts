import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import {
  heightOf,
  mostSeen,
  type PageRows,
  type PageSize,
  pageRows,
  pagesBetween,
  placeAt
} from "../../core/knowledge/pdf/pageRows.ts"
import { fittingZoom, nextZoom, type PdfZoom, PIXELS_PER_POINT } from "../../core/knowledge/pdf/pdfZoom.ts"
import { Observable } from "../../core/Observable.ts"
import { PdfPage } from "./PdfPage.ts"

/** Around every page, in CSS pixels. */
const GAP = 12
/** Pictures drawn for another zoom are drawn anew once the zoom has been left alone for this long. */
const SETTLE_MS = 150
/** A4 at 100 %, for documents whose first page cannot be read. */
const USUAL: PageSize = { width: 595 * PIXELS_PER_POINT, height: 842 * PIXELS_PER_POINT }

/** What the bar above the pages shows. */
export interface PdfView {
  /** Index of the page that is looked at. */
  readonly page: number
  readonly pages: number
  readonly zoom: number
  /** The zoom follows the width there is. */
  readonly isFitting: boolean
}

/**
 * The pages of a PDF in an element that scrolls and that nobody else fills. Only pages within a screen of what is seen
 * are there and hold pictures; sizes of the others are taken from the first page until they are known.
 */
export class PdfPages {
  readonly state: Observable<PdfView>

  private readonly scroller: HTMLElement
  private readonly pdf: PDFDocumentProxy
  private readonly sheet = document.createElement("div")
  private readonly sizes: Array<PageSize>
  private readonly shown = new Map<number, PdfPage>()
  private readonly stop = new AbortController()
  private readonly resizes = new ResizeObserver(() => this.layout())
  private rows: PageRows
  private wanted: PdfZoom = "width"
  /** Index of the page whose width the zoom follows. */
  private fitted = 0
  private zoom = 1
  private drawing: PdfPage | null = null
  private settling = 0
  private frame = 0
  /** The page somebody went to, for as long as nobody scrolls on from there. */
  private aim: { readonly index: number; readonly top: number } | null = null

  private constructor(scroller: HTMLElement, pdf: PDFDocumentProxy, first: PageSize) {
    this.scroller = scroller
    this.pdf = pdf
    this.sizes = Array.from({ length: pdf.numPages }, () => first)
    this.rows = pageRows(this.sizes, this.zoom, GAP)
    this.state = new Observable<PdfView>({ page: 0, pages: pdf.numPages, zoom: this.zoom, isFitting: true })
    this.sheet.className = "pdf-sheet"
    scroller.replaceChildren(this.sheet)
    const { signal } = this.stop
    scroller.addEventListener("scroll", () => this.updateSoon(), { signal, passive: true })
    scroller.addEventListener("keydown", (event) => this.onKey(event), { signal })
    this.layout()
    this.resizes.observe(scroller)
  }

  /** Shows a document in an element, at a page (by index); rejects when `signal` was aborted before. */
  static async show(
    scroller: HTMLElement,
    pdf: PDFDocumentProxy,
    page: number,
    signal: AbortSignal
  ): Promise<PdfPages> {
    const first = await pdf.getPage(1).then(
      (known) => known.getViewport({ scale: PIXELS_PER_POINT }),
      () => USUAL
    )
    // Another document may have the element by now.
    signal.throwIfAborted()
    const pages = new PdfPages(scroller, pdf, { width: first.width, height: first.height })
    if (page > 0) pages.goTo(page)
    return pages
  }

  /** Scrolls to a page; an index out of range leads to the first or last one. */
  goTo(index: number): void {
    const page = Math.min(this.sizes.length - 1, Math.max(0, index))
    this.scroller.scrollTop = (this.rows.tops[page] ?? 0) - GAP
    this.aim = { index: page, top: this.scroller.scrollTop }
    this.update()
  }

  /** To the zoom at which the page that is looked at fills the width, also when the room changes. */
  fitWidth(): void {
    this.fitted = this.state.get().page
    this.wanted = "width"
    this.layout()
  }

  /** One step nearer (1) or farther (-1). */
  zoomBy(direction: 1 | -1): void {
    this.wanted = nextZoom(this.zoom, direction)
    this.layout()
  }

  destroy(): void {
    this.stop.abort()
    this.resizes.disconnect()
    cancelAnimationFrame(this.frame)
    clearTimeout(this.settling)
    for (const page of this.shown.values()) page.destroy()
    this.shown.clear()
    this.sheet.remove()
  }

  /** Places all pages anew, so that what is in the middle stays there. */
  private layout(): void {
    const { scroller, rows: before } = this
    if (scroller.clientWidth === 0) return
    const middle = scroller.clientHeight / 2
    const place = placeAt(before, scroller.scrollTop + middle)
    const across = (scroller.scrollLeft + scroller.clientWidth / 2) / Math.max(1, scroller.scrollWidth)
    const isAtTop = scroller.scrollTop === 0
    const { aim } = this

    const zoom = this.wanted === "width" ? this.fitting() : this.wanted
    if (zoom !== this.zoom) this.settle()
    this.zoom = zoom
    this.rows = pageRows(this.sizes, zoom, GAP)
    this.sheet.style.blockSize = `${this.rows.height}px`
    this.sheet.style.inlineSize = `max(100%, ${this.rows.width + 2 * GAP}px)`
    for (const [index, page] of this.shown) this.place(index, page)
    scroller.scrollLeft = across * scroller.scrollWidth - scroller.clientWidth / 2
    if (aim !== null) {
      this.goTo(aim.index)
      return
    }
    if (!isAtTop) scroller.scrollTop = heightOf(this.rows, place) - middle
    this.update()
  }

  private fitting(): number {
    const { width } = this.sizes[this.fitted] ?? USUAL
    return fittingZoom(width / PIXELS_PER_POINT, this.scroller.clientWidth - 2 * GAP)
  }

  private settle(): void {
    clearTimeout(this.settling)
    this.settling = window.setTimeout(() => {
      this.settling = 0
      this.drawNext()
    }, SETTLE_MS)
  }

  private updateSoon(): void {
    if (this.frame !== 0) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.update()
    })
  }

  /** Brings the pages near what is seen, drops the others, and says where we are. */
  private update(): void {
    const { scrollTop, clientHeight } = this.scroller
    if (this.aim !== null && Math.abs(this.aim.top - scrollTop) > 1) this.aim = null
    const near = new Set(pagesBetween(this.rows, scrollTop - clientHeight, scrollTop + 2 * clientHeight))
    for (const [index, page] of this.shown) {
      if (near.has(index) || page.element.contains(document.activeElement)) continue
      page.destroy()
      this.shown.delete(index)
    }
    for (const index of near) if (!this.shown.has(index)) this.add(index)
    this.state.set({
      page: this.aim?.index ?? mostSeen(this.rows, scrollTop, scrollTop + clientHeight),
      pages: this.sizes.length,
      zoom: this.zoom,
      isFitting: this.wanted === "width"
    })
    this.drawNext()
  }

  private add(index: number): void {
    const page = new PdfPage({
      document: this.pdf,
      index,
      onSize: (size) => this.learn(index, size),
      onGo: (target) => this.goTo(target)
    })
    this.shown.set(index, page)
    this.place(index, page)
    // In the order of the document, which is also the order it is read out.
    const next = [...this.shown.keys()].filter((other) => other > index).sort((a, b) => a - b)[0]
    this.sheet.insertBefore(page.element, next === undefined ? null : (this.shown.get(next)?.element ?? null))
  }

  private place(index: number, page: PdfPage): void {
    page.place(this.rows.tops[index] ?? 0, this.sizes[index] ?? USUAL, this.zoom)
  }

  private learn(index: number, size: PageSize): void {
    const known = this.sizes[index]
    const isSame = known !== undefined && known.width === size.width && known.height === size.height
    if (isSame) return
    this.sizes[index] = size
    this.layout()
  }

  /** Draws one page at a time, the one nearest to the middle first. */
  private drawNext(): void {
    if (this.drawing !== null || this.stop.signal.aborted) return
    const { scrollTop, clientHeight } = this.scroller
    const next = pagesBetween(this.rows, scrollTop - clientHeight, scrollTop + 2 * clientHeight)
      .map((index) => this.shown.get(index))
      .find((page) => page !== undefined && this.isDue(page))
    if (next === undefined) return
    this.drawing = next
    void next.draw(this.zoom).then(() => {
      this.drawing = null
      this.drawNext()
    })
  }

  private isDue(page: PdfPage): boolean {
    return page.drawnZoom === null || (this.settling === 0 && page.drawnZoom !== this.zoom)
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { page } = this.state.get()
    const isWide = (this.sizes[page]?.width ?? 0) * this.zoom > this.scroller.clientWidth
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => this.zoomBy(1),
      "=": () => this.zoomBy(1),
      "-": () => this.zoomBy(-1),
      "0": () => this.fitWidth(),
      // A page wider than the room scrolls sideways by these keys.
      ...(isWide ? {} : { ArrowLeft: () => this.goTo(page - 1), ArrowRight: () => this.goTo(page + 1) })
    }
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}
