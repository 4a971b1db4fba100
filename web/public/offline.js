// The page stands in for the one that was asked for, so that loading it again is the way back.
const back = () => location.reload()
addEventListener("online", back)
setInterval(() => {
  // Whatever answers, a sign-in elsewhere too, is shown by loading the page.
  fetch(`${document.documentElement.dataset.base}/health`, { cache: "no-store", redirect: "manual" }).then(
    back,
    () => {}
  )
}, 5000)

for (const element of document.querySelectorAll("[data-say]"))
  element.textContent = globalThis.pageTexts?.[element.textContent] ?? element.textContent
