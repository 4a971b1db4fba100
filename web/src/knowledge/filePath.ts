import { pathSegment } from "../base/routes.ts"
import { askedOf, withAgent } from "../core/knowledge/agentConnections.ts"

/** Address of a page of the knowledge screen, such as `memory`, for an agent; null for the default one. */
export const placePath = (agent: string | null, place: string): string => withAgent(`/knowledge/${place}`, agent)

/** Address of an agent's file on the files screen. */
export const filePath = (agent: string | null, path: string): string =>
  placePath(agent, `files/${path.split("/").map(pathSegment).join("/")}`)

/** Address for downloading a file under its own name. */
export const downloadPath = (agent: string | null, path: string): string =>
  askedOf(`/api/files/download?path=${encodeURIComponent(path)}`, agent)

/** Address of a PDF for the browser's own viewer, which needs its own tab: the page's policy allows no frames. */
export const viewerPath = (agent: string | null, path: string): string => `${downloadPath(agent, path)}&view=pdf`
