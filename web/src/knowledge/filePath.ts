import { pathSegment } from "../app/routes.ts"

/** Address of a file on the files screen. */
export const filePath = (path: string): string => `/knowledge/files/${path.split("/").map(pathSegment).join("/")}`

/** Address of the bytes of a file, saved under its own name. */
export const downloadPath = (path: string): string => `/api/files/download?path=${encodeURIComponent(path)}`
