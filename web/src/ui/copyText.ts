/** Copies a text to the clipboard, also on plain HTTP where browsers hide the clipboard API; false if refused. */
export const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard !== undefined) {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false
    )
    if (done) return true
  }
  const area = document.createElement("textarea")
  area.value = text
  area.className = "visually-hidden"
  document.body.append(area)
  const focused = document.activeElement
  area.select()
  const done = document.execCommand("copy")
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return done
}
