// Runs before the first paint, so that chosen looks and the language don't flash; the page itself follows them from then on.
{
  const root = document.documentElement
  // The path that the console is served below, without a last slash: this file is in its root.
  const base = new URL(".", document.currentScript.src).pathname.slice(0, -1)
  root.dataset.base = base
  let settings = {}
  try {
    settings = JSON.parse(localStorage.getItem(`agent-console:settings${base}`) ?? "{}") ?? {}
  } catch {
    // Without a readable choice the system's looks and language hold.
  }
  for (const name of ["theme", "density", "textSize", "motion", "sidebar"])
    if (typeof settings[name] === "string") root.dataset[name] = settings[name]
  if (typeof settings.sidebarWidth === "number") root.style.setProperty("--sidebar", `${settings.sidebarWidth}px`)

  // Without its module the page says nothing by itself; the sentence for that is in the document.
  addEventListener(
    "error",
    ({ target }) => {
      if (target?.type === "module") root.dataset.notLoaded = ""
    },
    true
  )

  const languages = ["en", "de", "es", "fr", "ja", "zh", "ar"]
  const wanted = [settings.language, ...navigator.languages].map((tag) => String(tag).split("-")[0])
  root.lang = wanted.find((code) => languages.includes(code)) ?? "en"
  root.dir = root.lang === "ar" ? "rtl" : "ltr"
  if (root.lang !== "en") {
    // Written, so that the texts are there before the page's module without holding up the first paint.
    document.write(`<script defer src="${base}/languages/${root.lang}.js"></script>`)
  }
}
