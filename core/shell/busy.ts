/** How much the console is waiting for before the page in front can be shown. */
let waiting = 0
const watchers = new Set<() => void>()

function changed(by: 1 | -1): void {
  waiting += by
  for (const watcher of watchers) watcher()
}

/**
 * Says that the page in front is being waited for.
 * @returns says that it need not be any longer
 */
export function startWaiting(): () => void {
  changed(1)
  let over = false
  return () => {
    if (over) return
    over = true
    changed(-1)
  }
}

/** Whether the page in front is being waited for. */
export const isWaiting = (): boolean => waiting > 0

/** Hears when waiting begins and ends. */
export function onWaiting(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
