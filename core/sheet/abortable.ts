/**
 * Passes rows on until a signal says stop; a source that hangs does not hold up the stop.
 * @returns an iterable to be gone through once; leaving it, or the stop, closes the source without waiting for it
 * @throws the reason of the signal, or what the source threw
 */
export function abortable<Item>(source: AsyncIterable<Item>, signal: AbortSignal | undefined): AsyncIterableIterator<Item> {
  const items = source[Symbol.asyncIterator]()
  let refuse: ((reason: unknown) => void) | undefined
  const close = () => {
    signal?.removeEventListener('abort', stop)
    void Promise.resolve(items.return?.()).catch(() => {})
  }
  const stop = () => {
    close()
    refuse?.(signal?.reason)
  }
  signal?.addEventListener('abort', stop, { once: true })
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason)
          return
        }
        refuse = reject
        items.next().then((result) => {
          if (result.done) signal?.removeEventListener('abort', stop)
          resolve(result)
        }, reject)
      })
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
  }
}
