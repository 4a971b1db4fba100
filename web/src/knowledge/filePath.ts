import { pathSegment } from "../app/routes.ts"

/** Address of a file on the files screen. */
export const filePath = (path: string): string => `/knowledge/files/${path.split("/").map(pathSegment).join("/")}`

/** Address of the bytes of a file, saved under its own name. */
export const downloadPath = (path: string): string => `/api/files/download?path=${encodeURIComponent(path)}`

/** Address of a PDF for the browser's own viewer, which needs a tab of its own: the page's policy allows no frames. */
export const viewerPath = (path: string): string => `${downloadPath(path)}&view=pdf`
