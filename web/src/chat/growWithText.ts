const grows = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content")

/** Makes a text area as high as its text where the browser does not do so itself; its style limits the height. */
export const growWithText = (area: HTMLTextAreaElement): void => {
  if (grows) return
  area.style.blockSize = "auto"
  area.style.blockSize = `${area.scrollHeight}px`
}
