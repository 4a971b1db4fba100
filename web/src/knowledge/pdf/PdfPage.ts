import {
  type PDFDocumentProxy,
  type PDFPageProxy,
  RenderingCancelledException,
  type RenderTask,
  TextLayer
} from "pdfjs-dist/legacy/build/pdf.mjs"
import type { PageSize } from "../../core/knowledge/pdf/pageRows.ts"
import { canvasRatio, PIXELS_PER_POINT } from "../../core/knowledge/pdf/pdfZoom.ts"
import { pageLinks } from "./pageLinks.ts"

interface PageParts {
  readonly document: PDFDocumentProxy
  readonly index: number
  /** Tells the true size as soon as it is known. */
  readonly onSize: (size: PageSize) => void
  /** A link within the document was followed. */
  readonly onGo: (index: number) => void
}

/** A page on the screen: an empty sheet at first, then its picture, its text to select and read out, and its links. */
export class PdfPage {
  readonly element: HTMLElement
  /** The zoom its picture was drawn for; null before that. */
  drawnZoom: number | null = null

  private readonly parts: PageParts
  private canvas: HTMLCanvasElement | null = null
  private page: PDFPageProxy | null = null
  private task: RenderTask | null = null
  private text: TextLayer | null = null
  private isGone = false

  constructor(parts: PageParts) {
    this.parts = parts
    this.element = document.createElement("div")
    this.element.className = "pdf-page"
    this.element.dataset.page = String(parts.index + 1)
    this.element.setAttribute("role", "group")
    this.element.setAttribute("aria-label", `Page ${parts.index + 1} of ${parts.document.numPages}`)
  }

  /** Puts the sheet where it belongs; a picture drawn for another zoom is stretched until the next one is there. */
  place(top: number, size: PageSize, zoom: number): void {
    const { style } = this.element
    style.insetBlockStart = `${top}px`
    style.inlineSize = `${Math.round(size.width * zoom)}px`
    style.blockSize = `${Math.round(size.height * zoom)}px`
    style.setProperty("--total-scale-factor", String(zoom * PIXELS_PER_POINT * (this.page?.userUnit ?? 1)))
  }

  /** Draws the page for a zoom. Never rejects: a page that cannot be drawn says so in its place. */
  async draw(zoom: number): Promise<void> {
    try {
      const { document: pdf, index, onSize } = this.parts
      this.page ??= await pdf.getPage(index + 1)
      if (this.isGone) return
      const { width, height } = this.page.getViewport({ scale: PIXELS_PER_POINT })
      onSize({ width, height })
      await this.drawPicture(this.page, zoom)
      if (!this.isGone && this.text === null) await this.drawText(this.page)
    } catch (failure) {
      if (this.isGone || failure instanceof RenderingCancelledException) return
      this.drawnZoom = zoom
      this.element.dataset.state = "failed"
      this.element.textContent = "This page cannot be drawn."
    }
  }

  /** Stops drawing and gives the memory of the picture back. */
  destroy(): void {
    this.isGone = true
    this.task?.cancel()
    this.text?.cancel()
    release(this.canvas)
    this.element.remove()
    this.page?.cleanup()
  }

  private async drawPicture(page: PDFPageProxy, zoom: number): Promise<void> {
    const shown = page.getViewport({ scale: zoom * PIXELS_PER_POINT })
    const ratio = canvasRatio(shown.width, shown.height, window.devicePixelRatio)
    const viewport = page.getViewport({ scale: zoom * PIXELS_PER_POINT * ratio })
    const canvas = document.createElement("canvas")
    canvas.setAttribute("aria-hidden", "true")
    canvas.width = Math.max(1, Math.round(viewport.width))
    canvas.height = Math.max(1, Math.round(viewport.height))
    this.task = page.render({ canvas, viewport })
    try {
      await this.task.promise
    } catch (failure) {
      release(canvas)
      throw failure
    } finally {
      this.task = null
    }
    if (this.isGone) return release(canvas)
    release(this.canvas)
    this.canvas = canvas
    this.element.prepend(canvas)
    this.drawnZoom = zoom
    this.element.dataset.state = "drawn"
  }

  /** Text and links are extras: without them the picture still stands. */
  private async drawText(page: PDFPageProxy): Promise<void> {
    const container = document.createElement("div")
    container.className = "pdf-text"
    const viewport = page.getViewport({ scale: PIXELS_PER_POINT })
    this.text = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
    this.element.append(container)
    await this.text.render().catch(() => container.remove())
    const links = await pageLinks(this.parts.document, page, this.parts.onGo).catch(() => null)
    if (links !== null && !this.isGone) this.element.append(links)
  }
}

/** A canvas without pixels holds no memory, whenever it is collected. */
const release = (canvas: HTMLCanvasElement | null): void => {
  if (canvas === null) return
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}
