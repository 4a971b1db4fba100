// Runs before the first paint, so that a chosen theme does not flash; the page itself follows it from then on.
try {
  const { theme } = JSON.parse(localStorage.getItem("agent-console:settings") ?? "{}")
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
} catch {
  // Without a readable choice the system's theme holds.
}
