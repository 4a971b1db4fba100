const grows = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content")

/** Makes a text area as tall as its text if the browser doesn't do so itself; its style limits the height. */
export const growWithText = (area: HTMLTextAreaElement): void => {
  if (grows) return
  area.style.blockSize = "auto"
  area.style.blockSize = `${area.scrollHeight}px`
}
