/** spec 9: how long toasts stay, in milliseconds. */
export const TOAST_MS = 1500
export const ERROR_TOAST_MS = 5000
export const LOADING_TOAST_MS = 600_000
