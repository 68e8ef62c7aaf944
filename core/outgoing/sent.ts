/** What came of an attempt to send something: whether trying again helps, and what people are told. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly words: string; readonly again: boolean; /** Seconds to wait at least. */ readonly wait?: number }

export const SENT: Sent = { ok: true }

/** A failure that stays one. */
export const failedFor = (words: string): Sent => ({ ok: false, words, again: false })

/** A failure that may pass. */
export const failedNow = (words: string, wait?: number): Sent => ({ ok: false, words, again: true, ...(wait !== undefined && { wait }) })
