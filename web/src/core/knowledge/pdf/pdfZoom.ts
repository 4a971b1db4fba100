/** CSS pixels per point of a page at 100 %: a point is 1/72 inch, a CSS pixel 1/96. */
export const PIXELS_PER_POINT = 96 / 72

/** Zooms the buttons and keys go through; 1 is 100 %. */
const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]

const LEAST = 0.1
const MOST = 4

/** Most pixels and longest side of a canvas: more than this some browsers draw as nothing, and phones run out of memory. */
const MAX_CANVAS_PIXELS = 12_000_000
const MAX_CANVAS_SIDE = 8_192

/** As wide as there is room, or a fixed zoom (1 is 100 %). */
export type PdfZoom = "width" | number

/** The zoom at which a page of a width in points fills a room in CSS pixels, within what can be shown. */
export const fittingZoom = (points: number, room: number): number =>
  Math.min(MOST, Math.max(LEAST, points > 0 ? room / (points * PIXELS_PER_POINT) : 1))

/** The next step of the zoom in a direction, from any zoom; the last step stays. */
export const nextZoom = (zoom: number, direction: 1 | -1): number => {
  // A step that would show the same percentage is no step.
  const next =
    direction === 1 ? STEPS.find((step) => step > zoom + 0.005) : STEPS.findLast((step) => step < zoom - 0.005)
  return next ?? zoom
}

/** Canvas pixels per CSS pixel for a page of a size in CSS pixels: the screen's, or less where the canvas would be too large. */
export const canvasRatio = (width: number, height: number, screenRatio: number): number =>
  Math.min(
    screenRatio,
    Math.sqrt(MAX_CANVAS_PIXELS / Math.max(1, width * height)),
    MAX_CANVAS_SIDE / Math.max(1, width, height)
  )
