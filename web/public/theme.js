// Runs before the first paint, so that chosen looks do not flash; the page itself follows them from then on.
try {
  const settings = JSON.parse(localStorage.getItem("agent-console:settings") ?? "{}")
  for (const name of ["theme", "density", "textSize", "motion"])
    if (typeof settings[name] === "string") document.documentElement.dataset[name] = settings[name]
} catch {
  // Without a readable choice the system's looks hold.
}
