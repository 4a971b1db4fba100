// The page stands in for the one that was asked for, so that loading it again is the way back.
const back = () => location.reload()
addEventListener("online", back)
setInterval(() => {
  fetch("/health", { cache: "no-store" }).then(back, () => {})
}, 5000)

const translate = () => {
  for (const element of document.querySelectorAll("[data-say]"))
    element.textContent = globalThis.pageTexts?.[element.textContent] ?? element.textContent
}
Promise.resolve(globalThis.moreTexts).then(translate)
