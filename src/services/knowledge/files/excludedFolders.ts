/** Folders with dependencies, version control and build output: neither shown in the tree nor watched. */
export const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  ".git",
  ".hg",
  ".svn",
  ".trash",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
  ".cache"
])
