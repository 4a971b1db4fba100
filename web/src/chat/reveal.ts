import { Observable } from "../core/Observable.ts"

/** The item a log is to bring into view; a new object for every wish. */
export const revealed = new Observable<{ readonly key: string } | null>(null)
