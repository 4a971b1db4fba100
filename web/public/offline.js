// The page stands in for the one that was asked for, so that loading it again is the way back.
const back = () => location.reload()
addEventListener("online", back)
setInterval(() => {
  // Whatever answers, a sign-in elsewhere too, is shown by loading the page.
  fetch("/health", { cache: "no-store", redirect: "manual" }).then(back, () => {})
}, 5000)

// As in src/core/language/textKey.ts; a test compares the two.
const textKey = (text) => {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 257 + text.charCodeAt(at)) % 36 ** 4
  return sum.toString(36)
}
const translate = () => {
  for (const element of document.querySelectorAll("[data-say]"))
    element.textContent = globalThis.pageTexts?.[textKey(element.textContent)] ?? element.textContent
}
Promise.resolve(globalThis.moreTexts).then(translate)
