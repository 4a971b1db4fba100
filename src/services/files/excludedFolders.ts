/** Folders of dependencies, versions and build results: neither shown in the tree nor watched (SPEC "File browser"). */
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
